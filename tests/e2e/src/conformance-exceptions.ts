export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

/** Why a check of the suite cannot succeed with a server like ours. */
interface Reason {
  because: string;
  /** What the suite says then: whatever else it says is a failure as any other. */
  says: RegExp;
}

/** By scenario and check: those that do not succeed. All others must. */
export type Exceptions = Record<string, Record<string, Reason>>;

const SUITE_TOOL: Reason = {
  because: "calls a tool that only servers made for the suite have",
  says: /No such tool|Not testable: server does not list the diagnostic|Tool '\w+' not found|InputRequiredResult/,
};
const NO_LOGGING: Reason = { because: "svc sends agents no log messages", says: /Method not found/ };
const NO_COMPLETION: Reason = { because: "svc has no prompts or templates to complete", says: /Method not found/ };
const NO_RESOURCES: Reason = {
  because: "svc has no resources",
  says: /Method not found|got -32601|data\.uri|not exercised/,
};
const NO_PROMPTS: Reason = { because: "svc has no prompts", says: /Method not found/ };
const NO_CHANGES: Reason = { because: "the lists of svc do not change while it runs", says: /did not declare/ };
const NO_SESSION: Reason = { because: "svc keeps no session to begin, resume or end", says: /session/i };
const NO_TASKS: Reason = {
  because: "svc does not offer the extension for tasks: every answer comes at once",
  says: /No such tool|no task was created|extensions MUST be advertised|got -3260[12]|code -32602|fixture|^Skipped/,
};
const NO_HEADER_INPUT: Reason = {
  because: "no tool of svc has an input that goes into a header",
  says: /^Not testable: server exposes no tool with x-mcp-header/,
};

/** Never run: they are for servers that offer the extension for skills. */
export const NOT_RUN = ["sep-2640-skills-directory", "sep-2640-skills-enumeration", "sep-2640-skills-manifest"];

const all = (reason: Reason, ...checks: string[]): Record<string, Reason> =>
  Object.fromEntries(checks.map((check) => [check, reason]));

/** Scenarios whose one check has the name of the scenario. */
const whole = (reason: Reason, ...scenarios: string[]): Exceptions =>
  Object.fromEntries(scenarios.map((scenario) => [scenario, all(reason, scenario)]));

const IN_BOTH: Exceptions = {
  ...whole(NO_COMPLETION, "completion-complete"),
  ...whole(
    SUITE_TOOL,
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
  ),
  ...whole(NO_RESOURCES, "resources-list", "resources-read-text", "resources-read-binary", "resources-templates-read"),
  ...whole(
    NO_PROMPTS,
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
  ),
  "json-schema-2020-12": all(SUITE_TOOL, "json-schema-2020-12-tool-found"),
};

const IN_2025: Exceptions = {
  ...IN_BOTH,
  ...whole(NO_LOGGING, "logging-set-level", "tools-call-with-logging"),
  ...whole(SUITE_TOOL, "tools-call-sampling", "tools-call-elicitation"),
  ...whole(NO_RESOURCES, "resources-subscribe", "resources-unsubscribe"),
  "elicitation-sep1034-defaults": all(SUITE_TOOL, "elicitation-sep1034-general"),
  "elicitation-sep1330-enums": all(SUITE_TOOL, "elicitation-sep1330-general"),
  "server-session-lifecycle": all(NO_SESSION, "server-session-lifecycle-skipped"),
  "server-sse-multiple-streams": all(NO_SESSION, "server-sse-multiple-streams-session"),
  "server-sse-polling": all(NO_SESSION, "server-sse-polling-session"),
};

const IN_2026: Exceptions = {
  ...IN_BOTH,
  "server-stateless": {
    ...all(
      SUITE_TOOL,
      "sep-2575-server-rejects-undeclared-capability",
      "sep-2575-missing-capability-http-400",
      "sep-2575-http-server-no-independent-requests-on-stream",
      "sep-2575-server-no-log-without-loglevel",
    ),
    ...all(
      NO_CHANGES,
      "sep-2575-server-sends-prompts-list-changed-on-subscription",
      "sep-2575-server-sends-tools-list-changed-on-subscription",
    ),
  },
  caching: {
    ...all(NO_PROMPTS, "sep-2549-prompts-list-caching-hints"),
    ...all(
      NO_RESOURCES,
      "sep-2549-resources-list-caching-hints",
      "sep-2549-resources-templates-list-caching-hints",
      "sep-2549-resources-read-caching-hints",
    ),
  },
  "sep-2164-resource-not-found": all(NO_RESOURCES, "sep-2164-error-code", "sep-2164-data-uri"),
  "http-custom-header-server-validation": all(
    NO_HEADER_INPUT,
    "sep-2243-server-no-xmcp-tool",
    "sep-2243-server-decode-base64",
    "sep-2243-server-validate-param-match",
    "sep-2243-server-reject-invalid-param-chars",
    "sep-2243-server-reject-param-mismatch",
  ),
  "input-required-result-basic-elicitation": all(SUITE_TOOL, "sep-2322-elicitation-incomplete"),
  "input-required-result-basic-sampling": all(SUITE_TOOL, "sep-2322-sampling-incomplete"),
  "input-required-result-basic-list-roots": all(SUITE_TOOL, "sep-2322-list-roots-incomplete"),
  "input-required-result-request-state": all(SUITE_TOOL, "sep-2322-request-state-incomplete"),
  "input-required-result-multiple-input-requests": all(SUITE_TOOL, "sep-2322-multiple-inputs-incomplete"),
  "input-required-result-multi-round": all(SUITE_TOOL, "sep-2322-multi-round-r1"),
  "input-required-result-missing-input-response": all(SUITE_TOOL, "sep-2322-missing-response-rerequests"),
  "input-required-result-non-tool-request": all(NO_PROMPTS, "sep-2322-non-tool-incomplete"),
  "input-required-result-result-type": all(SUITE_TOOL, "sep-2322-result-type-included"),
  "input-required-result-tampered-state": all(SUITE_TOOL, "sep-2322-reject-tampered-state"),
  "input-required-result-capability-check": all(SUITE_TOOL, "sep-2322-respect-client-capabilities"),
  "input-required-result-ignore-extra-params": all(SUITE_TOOL, "sep-2322-ignore-unexpected-params"),
  "tasks-capability-negotiation": all(
    NO_TASKS,
    "tasks-extension-advertised",
    "sep-2663-tasks-methods-non-declaring",
    "sep-2663-server-rejects-undeclared-client",
    "tasks-per-request-meta-opt-in",
  ),
  "tasks-dispatch-and-envelope": all(
    NO_TASKS,
    "tasks-server-directed-creation-no-hint",
    "sep-2663-legacy-task-param-ignored",
    "tasks-immediate-result-shortcut",
    "tasks-result-type-complete-on-non-task-responses",
    "sep-2663-durable-create-strong-consistency",
    "sep-2663-tasks-get-invalid-task-id-32602",
  ),
  "tasks-lifecycle": all(
    NO_TASKS,
    "tasks-sync-tool-call",
    "sep-2663-result-type-task-on-create",
    "sep-2663-tasks-get-status-working",
    "sep-2663-tasks-get-status-completed",
    "sep-2663-tool-error-uses-completed-status",
    "sep-2663-tasks-get-status-failed",
    "sep-2663-cancel-ack-empty-result",
    "tasks-cancel-terminal-idempotent-ack",
  ),
  "tasks-mrtr-composition": all(NO_TASKS, "sep-2663-mrtr-synchronous-before-task-creation"),
  "tasks-mrtr-input": all(
    NO_TASKS,
    "sep-2663-tasks-get-status-input-required",
    "tasks-mrtr-tasks-update-resumes",
    "tasks-mrtr-partial-fulfillment",
  ),
  "tasks-request-headers": all(
    NO_TASKS,
    "tasks-headers-tolerate-mcp-method-on-tools-call",
    "sep-2663-routing-headers-accepted-on-tasks-get",
    "sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get",
  ),
  "tasks-request-state-removal": all(NO_TASKS, "tasks-request-state-removal-setup"),
  "tasks-required-task-error": all(NO_TASKS, "sep-2663-server-returns-missing-capability-when-required"),
  "tasks-status-notifications": all(NO_TASKS, "tasks-status-notifications"),
  "tasks-wire-fields": all(
    NO_TASKS,
    "tasks-wire-field-renames",
    "tasks-no-early-ttl-expiry",
    "tasks-no-related-task-meta-on-inlined-result",
  ),
};

export const EXCEPTIONS: Record<Revision, Exceptions> = { "2025-11-25": IN_2025, "2026-07-28": IN_2026 };
