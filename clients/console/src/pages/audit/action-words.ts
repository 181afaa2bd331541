import type { AuditAction, AuditEntry, SourceAuditAction, SourceAuditEntry } from "@svc/contract";
import type { Trail } from "./audit-search.ts";

/** Of either trail. */
export type Entry = AuditEntry | SourceAuditEntry;

/** What happened, so that "<somebody> <words> <something>" is a sentence. */
const ACCESS_WORDS: Record<AuditAction, string> = {
  "org.created": "created the organization",
  "org.updated": "changed the organization",
  "member.joined": "joined",
  "member.role_changed": "changed the role of",
  "member.removed": "removed",
  "invitation.created": "invited",
  "invitation.revoked": "took back the invitation of",
  "invitation.accepted": "accepted the invitation",
  "api_token.created": "created the API token",
  "api_token.revoked": "revoked the API token",
  "grant.created": "connected the agent",
  "grant.revoked": "disconnected the agent",
  "session.started": "signed in",
  "session.ended": "signed out",
  "session.ended_everywhere": "signed out everywhere",
  "support_access.started": "began a support visit",
  "support_access.elevated": "got write access for a support visit",
  "support_access.ended": "ended a support visit",
};

const SOURCE_WORDS: Record<SourceAuditAction, string> = {
  "source.exposed": "exposed",
  "source.hidden": "stopped exposing",
  "source.configured": "configured the search of",
  "source.model_checked": "checked the model of",
  "database.created": "created the database",
  "database.described": "described",
  "database.switched_on": "switched on the data source",
  "database.switched_off": "switched off the data source",
  "database.connection_shown": "got the connection string of",
  "database.passwords_changed": "changed the passwords of",
  "database.sample_loaded": "put the sample into",
  "database.deleted": "deleted",
  "database.restored": "restored",
  "database.removed": "erased the data of",
};

export const ACTIONS_OF: Record<Trail, string[]> = {
  access: Object.keys(ACCESS_WORDS),
  sources: Object.keys(SOURCE_WORDS),
};

const WORDS: Record<string, string> = { ...ACCESS_WORDS, ...SOURCE_WORDS };

/** An action that came after this console is shown by its name. */
export function actionInWords({ action, actor, target }: Entry): string {
  // An operator or a rule lets others in.
  if (action === "member.joined" && actor.name !== target.name) return "added";
  return WORDS[action] ?? action;
}
