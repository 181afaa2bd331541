import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "svc_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** `svc_`, 190 bits of chance in base62, and a checksum by which scanners and we tell a token from a typo. */
export function makeApiToken(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return PREFIX + random + checksumOf(random);
}

/** False for anything that cannot be a token of ours, without asking the database. */
export function isWellFormedApiToken(token: string): boolean {
  if (!SHAPE.test(token)) return false;
  const random = token.slice(PREFIX.length, -CHECKSUM_LENGTH);
  return token.slice(-CHECKSUM_LENGTH) === checksumOf(random);
}

export function displayPrefixOf(token: string): string {
  return token.slice(0, PREFIX.length + 6);
}

function checksumOf(random: string): string {
  let rest = crc32(random);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
