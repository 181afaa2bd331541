import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import type { IdentityContext, Origin } from "../context.ts";
import type { DB } from "../db-types.ts";
import { joinByDomain, joinByInvitation } from "./join-organizations.ts";
import {
  findHolderOfAddress,
  findPersonOfAccount,
  insertAccount,
  type KnownPerson,
  lockAccount,
  updateName,
  updateVouchedAddress,
} from "./person-queries.ts";
import { insertPerson } from "../queries/people.ts";
import type { Account } from "./read-account.ts";
import { SignInRefused } from "./refusal.ts";
import type { Person } from "./start-session.ts";

/** Who an account at a provider belongs to, here; and into which organizations it lets them. */
export async function findOrCreatePerson({ db }: IdentityContext, account: Account, origin: Origin): Promise<Person> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, account);
    const known = await findPersonOfAccount(tx, account);
    const { person, isNew } = known
      ? await refreshPerson(tx, known, account)
      : { person: await welcomePerson(tx, account), isNew: true };
    if (account.isVouched) {
      await joinByInvitation(tx, person, account.address, origin);
      // Once: who was removed from the organization must not be back after signing in again.
      if (isNew) await joinByDomain(tx, person, account.address, origin);
    }
    return person;
  });
}

/** Somebody whose account was never seen here. An address alone never makes them somebody who has been. */
async function welcomePerson(tx: Db<DB>, account: Account): Promise<Person> {
  const userId = (await findNamedPerson(tx, account)) ?? (await insertOrClaim(tx, account));
  await insertAccount(tx, userId, account);
  if (account.name) await updateName(tx, userId, account.name);
  return { userId, email: account.address };
}

/** Whom an operator has named by this address, and who has never signed in. */
async function findNamedPerson(tx: Db<DB>, account: Account): Promise<Id<"usr"> | undefined> {
  if (!account.isVouched) return undefined;
  const holder = await findHolderOfAddress(tx, account.address);
  if (holder?.hasSignedIn) {
    throw new SignInRefused("account-exists", "the address belongs to somebody who signs in with another account");
  }
  return holder?.userId;
}

async function insertOrClaim(tx: Db<DB>, account: Account): Promise<Id<"usr">> {
  const inserted = await insertPerson(tx, account);
  // An operator may have named the same person a moment ago: the insert has waited for it and now sees it.
  const userId = inserted ?? (await findNamedPerson(tx, account));
  if (!userId) throw new Error("an address is neither free nor held");
  return userId;
}

/** `isNew` when the address is vouched for the first time, as at a first sign-in. */
async function refreshPerson(
  tx: Db<DB>,
  known: KnownPerson,
  account: Account,
): Promise<{ person: Person; isNew: boolean }> {
  if (account.name) await updateName(tx, known.userId, account.name);
  const isSame = known.isVouched && known.email.toLowerCase() === account.address.toLowerCase();
  if (!account.isVouched || isSame || (await findHolderOfAddress(tx, account.address))) {
    return { person: { userId: known.userId, email: known.email }, isNew: false };
  }
  await updateVouchedAddress(tx, known.userId, account.address);
  return { person: { userId: known.userId, email: account.address }, isNew: !known.isVouched };
}
