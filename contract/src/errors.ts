import { z } from "zod";

interface ErrorEntry {
  status: number;
  /** Exit code of the command-line client. */
  exit: 1 | 3 | 4 | 5 | 6 | 7;
  title: string;
}

/** Every error a caller can meet. A code is never removed or given another meaning. */
export const ERRORS = {
  INVALID_REQUEST: { status: 400, exit: 5, title: "Invalid request" },
  INVALID_SEARCH_CONFIGURATION: { status: 400, exit: 5, title: "Invalid search configuration" },
  INVALID_FILTER: { status: 400, exit: 5, title: "Invalid filter" },
  UNAUTHENTICATED: { status: 401, exit: 3, title: "Authentication required" },
  FORBIDDEN: { status: 403, exit: 3, title: "Not allowed" },
  NOT_FOUND: { status: 404, exit: 4, title: "Not found" },
  DOMAIN_TAKEN: { status: 409, exit: 6, title: "Domain already claimed" },
  LAST_OWNER: { status: 409, exit: 6, title: "An organization needs an owner" },
  SEARCH_NOT_CONFIGURED: { status: 409, exit: 6, title: "No search configuration" },
  SEARCH_CONFIGURATION_STALE: { status: 409, exit: 6, title: "Search configuration no longer fits the database" },
  EXPOSED_SOURCE_LIMIT: { status: 409, exit: 6, title: "Too many exposed data sources" },
  DATABASE_LIMIT: { status: 409, exit: 6, title: "Too many databases" },
  CONFLICT: { status: 409, exit: 6, title: "Conflict" },
  PAYLOAD_TOO_LARGE: { status: 413, exit: 5, title: "Request too large" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, exit: 5, title: "Unsupported media type" },
  RATE_LIMITED: { status: 429, exit: 1, title: "Too many requests" },
  INTERNAL: { status: 500, exit: 1, title: "Internal error" },
  EMBEDDING_FAILED: { status: 502, exit: 1, title: "The embedding provider failed" },
  SOURCE_UNAVAILABLE: { status: 503, exit: 1, title: "The data source cannot be reached" },
  UNAVAILABLE: { status: 503, exit: 1, title: "Temporarily unavailable" },
  TIMEOUT: { status: 504, exit: 7, title: "Timed out" },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** RFC 9457 body. The request id travels in a header only, so equal errors are equal byte for byte. */
export const problemSchema = z.object({
  type: z.string().max(200),
  title: z.string().max(200),
  status: z.int().min(400).max(599),
  detail: z.string().max(2_000),
  code: z.enum(ERROR_CODES),
  problems: z
    .array(z.object({ path: z.string().max(500), message: z.string().max(1_000) }))
    .max(200)
    .optional(),
});

export type Problem = z.infer<typeof problemSchema>;
export type FieldProblem = NonNullable<Problem["problems"]>[number];
