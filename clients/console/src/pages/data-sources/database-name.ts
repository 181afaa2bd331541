import { DATABASE_NAME, DATABASE_NAME_RULE, MAX_DATABASE_NAME } from "@svc/contract/plain";

/** What is wrong with a name, as a sentence; the service checks it again. */
export function findNameProblem(name: string): string | undefined {
  if (name.length > MAX_DATABASE_NAME) return `The name must have at most ${MAX_DATABASE_NAME} characters.`;
  return DATABASE_NAME.test(name) ? undefined : `The name ${DATABASE_NAME_RULE}.`;
}
