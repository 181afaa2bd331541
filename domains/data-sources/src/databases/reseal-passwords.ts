import type { Db } from "@svc/platform/db";
import { type Keyring, reseal, sealedWith } from "@svc/platform/secrets";
import type { Logger } from "@svc/platform/telemetry";
import type { DB } from "../db-types.ts";
import { type DatabaseSecrets, listSealedOtherwise, replaceSecrets } from "../queries/database-secrets.ts";
import { secretContext } from "./connect.ts";

const AT_ONCE = 200;

/**
 * After SECRETS_KEYRING got a new first key: wraps every password with it, so that the old key can be dropped. Passwords
 * stay what they are; only who can open them changes.
 */
export async function resealPasswords(db: Db<DB>, keyring: Keyring, log: Logger): Promise<void> {
  let resealed = 0;
  let rows: DatabaseSecrets[];
  do {
    rows = await listSealedOtherwise(db, keyring.activeId, AT_ONCE);
    for (const row of rows) {
      // A key that is not in the keyring any more: nobody but its holder can help, and the others go on.
      const missing = secretsOf(row).find(([, secret]) => !keyring.keys.has(sealedWith(secret)));
      if (missing) {
        log.error(
          { database: row.id, key: sealedWith(missing[1]) },
          "a password is sealed with a key that is not in SECRETS_KEYRING",
        );
        return;
      }
      const renewed = secretsOf(row).map(([name, secret, role]) => [
        name,
        reseal(keyring, secret, secretContext(row.id, role)),
      ]);
      if (await replaceSecrets(db, row, Object.fromEntries(renewed))) resealed += 1;
    }
  } while (rows.length === AT_ONCE);
  if (resealed > 0)
    log.info({ resealed, key: keyring.activeId }, "passwords sealed with the first key of SECRETS_KEYRING");
}

function secretsOf(row: DatabaseSecrets): [name: string, secret: string, role: "owner" | "reader"][] {
  const all = [
    ["owner_secret", row.owner_secret, "owner"],
    ["reader_secret", row.reader_secret, "reader"],
    ["next_owner_secret", row.next_owner_secret, "owner"],
    ["next_reader_secret", row.next_reader_secret, "reader"],
  ] as const;
  return all.flatMap(([name, secret, role]) => (secret === null ? [] : [[name, secret, role]]));
}
