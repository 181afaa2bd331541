/** Where a database can be reached. */
export interface DatabaseAddress {
  host: string;
  port: number;
  tls: boolean;
}

/** A role of a database, with the password it is to have. */
interface RoleCredentials {
  role: string;
  password: string;
}

/** How a database is to be, whatever it is like now. */
export interface DesiredDatabase {
  /** Its name on the server, unlike any other there. */
  database: string;
  /** Makes tables and fills them. */
  owner: RoleCredentials;
  /** Answers questions: reads what it was granted, column by column, and writes nothing. */
  reader: RoleCredentials;
  /** False while a deleted database waits for its end: the data is there, and nobody gets in. */
  open: boolean;
  /** True where the passwords are new: who came in with the old ones has to come in again. */
  endSessions: boolean;
}

/** What makes databases: a server that all of them share, or an operator that makes a cluster for each. */
export interface DatabaseProvider {
  /**
   * Makes it so, from nothing or from wherever an earlier attempt stopped. Throws DatabaseNotReadyYet where others go
   * on with it and there is nothing to do but to look again.
   */
  ensure(desired: DesiredDatabase): Promise<DatabaseAddress>;
  /** Removes database, roles and data for good; nothing happens where there is none. */
  drop(names: { database: string; ownerRole: string; readerRole: string }): Promise<void>;
  /** Shuts what a role of one database could enter beside its own; the names of what it may not shut. */
  closeToStrangers(): Promise<string[]>;
  /** Whether databases can be made right now; throws the reason why not. */
  check(): Promise<void>;
}

/** It is on its way. No failure: it is looked at again after a while, as often as it takes. */
export class DatabaseNotReadyYet extends Error {
  override name = "DatabaseNotReadyYet";
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super("the database is not ready yet");
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
