import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Keyring } from "./keyring.ts";

/*
 * An envelope is `v1.<key id>.<wrapped data key>.<payload>`, base64url. Each payload has a data key of its
 * own, so changing the master key rewraps 32 bytes and never touches the payload. AES-256-GCM with a random
 * 96-bit nonce is safe here because no data key ever encrypts twice, and a master key wraps far fewer than
 * the 2^32 keys that NIST SP 800-38D allows. `context` is authenticated, not stored: an envelope moved to
 * another row does not open.
 */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function seal(keyring: Keyring, plaintext: string, context: string): string {
  const dataKey = randomBytes(32);
  return join(
    keyring.activeId,
    wrapWithActive(keyring, dataKey, context),
    encrypt(dataKey, Buffer.from(plaintext), context),
  );
}

export function open(keyring: Keyring, envelope: string, context: string): string {
  const { keyId, wrapped, payload } = parse(envelope);
  return decrypt(decrypt(masterKey(keyring, keyId), wrapped, context), payload, context).toString();
}

/** The same secret under the active master key; the envelope itself when it already is. */
export function reseal(keyring: Keyring, envelope: string, context: string): string {
  const { keyId, wrapped, payload } = parse(envelope);
  if (keyId === keyring.activeId) return envelope;
  const dataKey = decrypt(masterKey(keyring, keyId), wrapped, context);
  return join(keyring.activeId, wrapWithActive(keyring, dataKey, context), payload);
}

/** Id of the master key an envelope needs, to find what is still to be resealed. */
export function sealedWith(envelope: string): string {
  return parse(envelope).keyId;
}

function wrapWithActive(keyring: Keyring, dataKey: Buffer, context: string): Buffer {
  return encrypt(masterKey(keyring, keyring.activeId), dataKey, context);
}

function masterKey(keyring: Keyring, id: string): Buffer {
  const key = keyring.keys.get(id);
  if (!key) throw new Error(`the master key ${id} is not in the keyring: add it back until all secrets are resealed`);
  return key;
}

function encrypt(key: Buffer, plaintext: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, sealed: Buffer, context: string): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

function join(keyId: string, wrapped: Buffer, payload: Buffer): string {
  return ["v1", keyId, wrapped.toString("base64url"), payload.toString("base64url")].join(".");
}

function parse(envelope: string): { keyId: string; wrapped: Buffer; payload: Buffer } {
  const [, keyId = "", ...encoded] = envelope.split(".");
  const [wrapped = Buffer.alloc(0), payload = Buffer.alloc(0)] = encoded.map((part) => Buffer.from(part, "base64url"));
  // Decoding skips what it does not know; written again, only an envelope that nobody touched is the same.
  if (!keyId || wrapped.length === 0 || payload.length === 0 || join(keyId, wrapped, payload) !== envelope) {
    throw new Error("not a sealed secret");
  }
  return { keyId, wrapped, payload };
}
