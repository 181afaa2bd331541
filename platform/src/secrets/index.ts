export { parseKeyring, type Keyring } from "./keyring.ts";
export { open, reseal, seal, sealedWith } from "./envelope.ts";
export { keyedDigest } from "./keyed-digest.ts";
