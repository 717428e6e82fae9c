/** Which hosts are this machine or a private network, by their address or reserved name alone. Pure; no look-up. */

/** First octets and the check of the second, from RFC 1918, 1122, 3927 and 6598. */
function isPrivateIpv4(a: number, b: number): boolean {
  if (a === 127 || a === 10) return true;
  if (a === 192) return b === 168;
  if (a === 172) return b >= 16 && b <= 31;
  if (a === 169) return b === 254;
  return a === 100 && b >= 64 && b <= 127;
}

/** Names that never resolve publicly: RFC 6761, 6762, 8375, ICANN's `internal`; names without a dot (SSAC 053). */
const PRIVATE_NAME = /^(?:[^.]+|(?:.+\.)?(?:localhost|local|internal|home\.arpa))$/;

/** `hostname` as the URL parser gives it: lower case, IPv4 in four decimal parts, IPv6 in brackets. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  const ipv4 = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
  if (ipv4 !== null) return isPrivateIpv4(Number(ipv4[1]), Number(ipv4[2]));
  if (host.startsWith("[")) return isPrivateIpv6(host.slice(1, -1));
  return PRIVATE_NAME.test(host);
}

function isPrivateIpv6(address: string): boolean {
  if (address === "::1") return true;
  const mapped = /^::ffff:([0-9a-f]{1,4}):[0-9a-f]{1,4}$/.exec(address);
  if (mapped !== null) {
    const high = Number.parseInt(mapped[1] ?? "", 16);
    return isPrivateIpv4(high >> 8, high & 0xff);
  }
  // Unique local (RFC 4193) and link-local addresses.
  return /^f[cd][0-9a-f]{2}:/.test(address) || /^fe[89ab][0-9a-f]:/.test(address);
}
