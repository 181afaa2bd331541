import { type Caller, type Id, isAtLeast } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import type { ActivityFilters } from "./queries/activity.ts";

/** Whoever may configure sources sees all; others see what they asked themselves. */
export function onlyVisibleTo<Filters extends ActivityFilters>(caller: Caller, wanted: Filters): Filters {
  return isAtLeast(caller.role, "developer") ? wanted : { ...wanted, userId: ownId(caller, wanted) };
}

function ownId({ user }: Caller, { userId }: ActivityFilters): Id<"usr"> {
  if (user && (userId === undefined || userId === user.id)) return user.id;
  const hint = user ? "Leave user_id out to see what you asked." : "This token is of no person.";
  throw new AppError("FORBIDDEN", `What others asked is shown to developers and above. ${hint}`);
}
