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
}

/** What makes databases: a server that all of them share, or an operator that makes a cluster for each. */
export interface DatabaseProvider {
  /** Makes it so, from nothing or from wherever an earlier attempt stopped. A changed password is a rotation. */
  ensure(desired: DesiredDatabase): Promise<DatabaseAddress>;
  /** Removes database, roles and data for good; nothing happens where there is none. */
  drop(names: { database: string; ownerRole: string; readerRole: string }): Promise<void>;
  /** Whether databases can be made right now; throws the reason why not. */
  check(): Promise<void>;
}
