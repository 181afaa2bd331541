import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const API_TOKEN = "svc_";
const SUPPORT_TOKEN = "svcsup_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const BODY = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A prefix, 190 bits of chance in base62, and a checksum by which scanners and we tell a token from a typo. */
export function makeApiToken(): string {
  return make(API_TOKEN);
}

export function makeSupportToken(): string {
  return make(SUPPORT_TOKEN);
}

/** False for anything that cannot be a token of ours, without asking the database. */
export function isWellFormedApiToken(token: string): boolean {
  return isWellFormed(API_TOKEN, token);
}

export function isWellFormedSupportToken(token: string): boolean {
  return isWellFormed(SUPPORT_TOKEN, token);
}

export function displayPrefixOf(token: string): string {
  return token.slice(0, API_TOKEN.length + 6);
}

function make(prefix: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return prefix + random + checksumOf(random);
}

function isWellFormed(prefix: string, token: string): boolean {
  const body = token.slice(prefix.length);
  if (!token.startsWith(prefix) || !BODY.test(body)) return false;
  return body.slice(-CHECKSUM_LENGTH) === checksumOf(body.slice(0, -CHECKSUM_LENGTH));
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
