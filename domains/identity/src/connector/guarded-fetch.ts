import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, fetch, type RequestInit, type Response } from "undici";
import { isPublicAddress } from "./public-address.ts";

interface Address {
  address: string;
  family: number;
}

/** What a test puts in the place of the world; the rest of the guard stays. */
export interface FetchGuard {
  resolve?: (hostname: string) => Promise<Address[]>;
  isAllowed?: (address: string) => boolean;
  /** Certificate authority to trust beside the usual ones. */
  ca?: string;
}

export interface GuardedFetch {
  fetch(url: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 5_000;

/**
 * Fetches what a stranger names. A name is resolved once, and if any of its addresses is not public, nothing is
 * connected to: not even a handshake tells whether something listens there. The connection goes to the address that was
 * checked, so a name that changes its mind meanwhile gains nothing. Redirects are not followed.
 */
export function createGuardedFetch({
  resolve = (hostname) => systemLookup(hostname, { all: true, verbatim: true }),
  isAllowed = isPublicAddress,
  ca,
}: FetchGuard = {}): GuardedFetch {
  const findAllowed = async (hostname: string): Promise<Address[]> => {
    const addresses = await resolve(hostname);
    if (addresses.length > 0 && addresses.every(({ address }) => isAllowed(address))) return addresses;
    throw notPublic(hostname);
  };
  const lookup: LookupFunction = (hostname, options, callback) => {
    const answer = async (): Promise<void> => {
      const found = await findAllowed(hostname).catch((error: unknown) => error as Error);
      if (found instanceof Error) callback(found, []);
      else if (options.all) callback(null, found);
      else callback(null, found[0]?.address ?? "", found[0]?.family ?? 0);
    };
    void answer();
  };
  const connect = buildConnector({ timeout: TIMEOUT_MS, lookup, ...(ca !== undefined && { ca }) });
  const agent = new Agent({
    connections: 4,
    connect: (options, callback) => {
      // An address that is written as numbers is never looked up.
      const host = options.hostname.replace(/^\[|\]$/g, "");
      if (isIP(host) !== 0 && !isAllowed(host)) callback(notPublic(host), null);
      else connect(options, callback);
    },
  });
  return {
    fetch: (url, init = {}) =>
      fetch(url, { ...init, dispatcher: agent, redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) }),
    close: () => agent.destroy(),
  };
}

function notPublic(host: string): Error {
  return new Error(`${host} is not a public address`);
}
