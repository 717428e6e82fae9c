/** What clients print when no whole answer came, and where the exchange broke. Pure. */
import type { NetworkStage } from "../protocol/observation.ts";

export interface Breakage {
  readonly stage: NetworkStage;
  /** The client's or its transport's own words, not redacted; null: there are none. */
  readonly detail: string | null;
}

/** By the numbers of curl's exit codes; null if the network did not fail: the answer is whole, or nothing was sent. */
export function stageOfCurl(code: number): NetworkStage | null {
  if (code === 5 || code === 6) return "dns";
  if (code === 28) return "timeout";
  if (TLS.has(code)) return "tls";
  if (BROKEN.has(code)) return "connect";
  return code === 1 || code === 2 || code === 3 || code === 4 ? "unknown" : null;
}

const TLS = new Set([35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98]);
const BROKEN = new Set([7, 8, 16, 18, 45, 52, 55, 56, 92, 95, 96, 97]);

// Where an exchange broke, by the words that clients, browsers, their transports and systems have for it.

/** `isTimeout`: the client itself said that the time was up. */
export function readBrokenExchange(text: string, isTimeout: boolean): Breakage {
  const row = isTimeout ? undefined : STAGES.find(([, pattern]) => pattern.test(text));
  const [stage, pattern] = row ?? [isTimeout ? "timeout" : "unknown", null];
  return { stage, detail: pattern?.exec(text)?.[0].slice(0, 300) ?? null };
}

/** The transport's message alone shows that no answer came. */
export function namesBrokenExchange(text: string): boolean {
  return (
    /(?:^|[\s:"'])(?:Connection error\.|Request timed out\b|fetch failed\b|(?:TypeError: )?terminated\s*$)/m.test(
      text,
    ) ||
    OF_SOCKET.test(text) ||
    OF_BROWSER.test(text)
  );
}

/** `Error: connect ECONNREFUSED 127.0.0.1:3000`: Node, where no client is around it. */
const OF_SOCKET = /^(?:[^\n"'{]{0,80}\w?Error: )?(?:connect|read|write|getaddrinfo) E[A-Z_]{4,20}\b/m;

/** Chromium, Firefox and Safari show a page's script only this. Chromium's console has the reason. */
const OF_BROWSER =
  /^(?:[^\n"'{]{0,80}TypeError: )?(?:Failed to fetch|Load failed|NetworkError when attempting to fetch resource\.)[ \t]*$|\bnet::ERR_(?!ABORTED\b|FAILED\b)[A-Z]/m;

const STAGES: readonly (readonly [NetworkStage, RegExp])[] = [
  [
    "tls",
    /CERTIFICATE_VERIFY_FAILED[^\n]{0,200}|\[SSL[:\]][^\n]{0,200}|SSLCertVerificationError|SSLEOFError|WRONG_VERSION_NUMBER|\b(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?)|CERT_HAS_EXPIRED|HOSTNAME_MISMATCH|EPROTO|ERR_TLS_\w{1,60}|ERR_SSL_\w{1,60}|ERR_OSSL_\w{1,60})\b|\b(?:net::)?[A-Z_]{0,40}(?:ERR_(?:CERT|SSL)|BAD_SSL|SEC_ERROR|SSL_ERROR)\w{0,60}|before secure TLS connection[^\n]{0,60}|certificate verify failed[^\n]{0,200}|self[- ]signed certificate[^\n]{0,60}/,
  ],
  [
    "dns",
    /\[Errno -\d+\] [^\n'")]{1,100}|\[Errno 8\] nodename[^\n'")]{0,100}|\[Errno 11001\] getaddrinfo failed|Name or service not known|Temporary failure in name resolution|NameResolutionError|Failed to resolve '[^'\n]{1,200}'|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)[^\n]{0,200}|\b(?:ENOTFOUND|EAI_[A-Z]{2,20})\b|\b(?:net::)?[A-Z_]{0,40}(?:NAME_NOT_RESOLVED|NAME_RESOLUTION|ERR_DNS|UNKNOWN_(?:PROXY_)?HOST)\w{0,60}/,
  ],
  [
    "timeout",
    /\[Errno (?:110|60)\] [^\n'")]{1,100}|\bETIMEDOUT\b|\bUND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT\b|\b(?:Connect|Read|Write|Pool)Timeout(?:Error)?\b|\bConnection timed out\b|\bread operation timed out\b|\b(?:net::)?[A-Z_]{0,40}(?:TIMED_OUT|NET_TIMEOUT)\b/,
  ],
  [
    "connect",
    /\[Errno \d+\] [^\n'")]{1,100}|\[WinError \d+\] [^\n]{1,200}|All connection attempts failed|Connection (?:refused|reset by peer|aborted)|Server disconnected[^\n]{0,100}|peer closed connection[^\n]{0,100}|Remote end closed connection[^\n]{0,60}|(?:connect|read|write) E[A-Z]{4,20}[^\n]{0,100}|\b(?:ECONN[A-Z]{3,10}|EPIPE|E(?:HOST|NET)UNREACH|UND_ERR_SOCKET|HPE_[A-Z_]{2,40})\b|other side closed|does not match the HTTP\/1\.1 protocol[^\n]{0,100}|\b(?:RemoteProtocolError|LocalProtocolError|ReadError|WriteError)\b|socket hang up|\b(?:net::)?[A-Z_]{0,40}(?:REFUSED|UNREACHABLE|ERR_(?:CONNECTION|TUNNEL|PROXY|SOCKS|EMPTY|HTTP2|QUIC|INCOMPLETE|CONTENT_LENGTH|ADDRESS|INVALID)|NET_RESET|NET_INTERRUPT)\w{0,60}/,
  ],
];
