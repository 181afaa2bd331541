export interface Keyring {
  /** The key that new envelopes are wrapped with. */
  activeId: string;
  keys: ReadonlyMap<string, Buffer>;
}

/**
 * Reads `id:base64,id:base64`. The first key is the active one; the others still open what they sealed,
 * until everything was resealed and they can be dropped.
 */
export function parseKeyring(text: string): Keyring {
  const keys = new Map<string, Buffer>();
  for (const part of text.split(",")) {
    const [id, encoded, ...rest] = part.trim().split(":");
    const key = Buffer.from(encoded ?? "", "base64");
    if (!id || !/^[a-z0-9-]{1,20}$/.test(id) || rest.length > 0 || key.length !== 32) {
      throw new Error("must be id:key pairs, comma-separated, each key 32 bytes in base64");
    }
    if (keys.has(id)) throw new Error(`names the key id ${id} twice`);
    keys.set(id, key);
  }
  const activeId = keys.keys().next().value;
  if (activeId === undefined) throw new Error("holds no key");
  return { activeId, keys };
}
