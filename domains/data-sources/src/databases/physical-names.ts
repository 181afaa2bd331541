import { idFromUuid } from "@svc/platform/ids";

export interface PhysicalNames {
  database: string;
  ownerRole: string;
  readerRole: string;
}

/** Names on the server come from the id alone: no name that a person chose can collide with or imitate another. */
export function physicalNamesOf(databaseUuid: string): PhysicalNames {
  const database = idFromUuid("ds", databaseUuid).replace(/^ds_/, "svc_");
  return { database, ownerRole: `${database}_owner`, readerRole: `${database}_reader` };
}
