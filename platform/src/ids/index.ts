import type { Id, IdPrefix } from "@svc/contract";
import { TypeID, typeid } from "typeid-js";

/** A new identifier, ordered by time. */
export function newId<P extends IdPrefix>(prefix: P): Id<P> {
  return typeid(prefix).toString() as Id<P>;
}

/** Tables hold the bare UUID: 16 bytes, and range partitions by day follow from its time. */
export function uuidOf(id: Id<IdPrefix>): string {
  return TypeID.fromString(id).toUUID();
}

export function idFromUuid<P extends IdPrefix>(prefix: P, uuid: string): Id<P> {
  return TypeID.fromUUID(prefix, uuid).toString() as Id<P>;
}

/** When the identifier was made, from the first 48 bits of its UUIDv7. */
export function timeOf(id: Id<IdPrefix>): Date {
  return timeOfUuid(uuidOf(id));
}

export function timeOfUuid(uuid: string): Date {
  return new Date(Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16));
}
