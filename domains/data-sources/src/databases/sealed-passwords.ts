import { randomBytes } from "node:crypto";
import { type Keyring, seal } from "@svc/platform/secrets";
import { secretContext } from "./connect.ts";

/** New passwords for a database's roles. Nobody sees them until someone asks how to connect. */
export function makeSealedPasswords(keyring: Keyring, databaseUuid: string): { owner: string; reader: string } {
  const make = (role: "owner" | "reader"): string =>
    seal(keyring, randomBytes(32).toString("base64url"), secretContext(databaseUuid, role));
  return { owner: make("owner"), reader: make("reader") };
}
