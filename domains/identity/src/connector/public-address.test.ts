import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./public-address.ts";

describe("an address that anyone may have us connect to", () => {
  it.each(["93.184.216.34", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::200e"])(
    "%s is public",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.0.3"],
    ["loopback", "::1"],
    ["unspecified", "0.0.0.0"],
    ["unspecified", "::"],
    ["private", "10.1.2.3"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["carrier's own", "100.64.0.1"],
    ["link-local, where clouds keep credentials", "169.254.169.254"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["unique local", "fd00:ec2::254"],
    ["multicast", "224.0.0.1"],
    ["multicast", "ff02::1"],
    ["broadcast", "255.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["documentation", "203.0.113.7"],
    ["documentation", "2001:db8::1"],
    ["benchmarks", "198.18.0.1"],
    ["IPv4 in IPv6", "::ffff:127.0.0.1"],
    ["IPv4 in IPv6", "::ffff:8.8.8.8"],
    ["IPv4 in IPv6", "::127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["6to4 of a private one", "2002:7f00:1::"],
    ["Teredo", "2001:0:4136:e378::"],
    ["not an address", "localhost"],
    ["not an address", ""],
  ])("%s is not: %s", (_kind, address) => expect(isPublicAddress(address)).toBe(false));
});
