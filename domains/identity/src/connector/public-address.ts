import { BlockList, isIPv4, isIPv6 } from "node:net";

/** IANA's special-purpose registries: what does not lead to somebody else's public machine. */
const NOT_PUBLIC_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** Global unicast, out of which come protocols' own ranges, tunnels that hide an IPv4 address, and documentation. */
const PUBLIC_V6 = ["2000::/3"];
const NOT_PUBLIC_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

const notPublicV4 = toList(NOT_PUBLIC_V4, "ipv4");
const publicV6 = toList(PUBLIC_V6, "ipv6");
const notPublicV6 = toList(NOT_PUBLIC_V6, "ipv6");

/** IPv4 is public unless listed; IPv6 only where listed, which leaves out IPv4 in its disguises. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicV4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  return publicV6.check(address, "ipv6") && !notPublicV6.check(address, "ipv6");
}

function toList(ranges: string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits = ""] = range.split("/");
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
