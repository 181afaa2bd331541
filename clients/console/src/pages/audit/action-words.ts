import type { AuditAction, AuditEntry } from "@svc/contract";

/** What happened, so that "<somebody> <words> <something>" is a sentence. */
export const ACTION_WORDS: Record<AuditAction, string> = {
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

/** An action that came after this console is shown by its name. */
export function actionInWords({ action, actor, target }: AuditEntry): string {
  // An operator or a rule lets others in.
  if (action === "member.joined" && actor.name !== target.name) return "added";
  return ACTION_WORDS[action] ?? action;
}
