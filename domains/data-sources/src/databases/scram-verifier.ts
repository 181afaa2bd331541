import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/** What Postgres uses by itself. Our passwords are 256 random bits: more rounds would protect nothing. */
const ROUNDS = 4_096;

/**
 * What a server keeps of a password (RFC 5802, RFC 7677). Sent in place of the password, which would else stand in the
 * server's log and in pg_stat_statements, as part of the statement that sets it.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, "sha256");
  const keyOf = (name: string): Buffer => createHmac("sha256", salted).update(name).digest();
  const storedKey = createHash("sha256").update(keyOf("Client Key")).digest("base64");
  const serverKey = keyOf("Server Key").toString("base64");
  return `SCRAM-SHA-256$${ROUNDS}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
