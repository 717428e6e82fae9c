/** What clients print when no whole answer came, and where the exchange broke. Pure. */
import type { NetworkStage } from "../../protocol/observation.ts";

export interface Breakage {
  readonly stage: NetworkStage;
  /** The client's own words; not redacted. */
  readonly detail: string;
}

/** By the numbers of curl's exit codes; null where it is none of the network: the answer is whole, or nothing was sent. */
export function stageOfCurl(code: number): NetworkStage | null {
  if (code === 5 || code === 6) return "dns";
  if (code === 28) return "timeout";
  if (TLS.has(code)) return "tls";
  if (BROKEN.has(code)) return "connect";
  return code === 1 || code === 2 || code === 3 || code === 4 ? "unknown" : null;
}

const TLS = new Set([35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98]);
const BROKEN = new Set([7, 8, 16, 18, 45, 52, 55, 56, 92, 95, 96, 97]);

/** By the words of `net::ERR_…`, Firefox's `NS_ERROR_…`, Node's codes, or a sentence. */
export function stageOfWords(words: string): NetworkStage {
  const text = words.slice(0, 1000);
  return STAGES.find(([pattern]) => pattern.test(text))?.[1] ?? "unknown";
}

const STAGES: readonly (readonly [RegExp, NetworkStage])[] = [
  [
    /NAME_NOT_RESOLVED|NAME_RESOLUTION|ERR_DNS|UNKNOWN_HOST|UNKNOWN_PROXY_HOST|ENOTFOUND|EAI_|resolv(?:e|ing|ution)|getaddrinfo|nodename/i,
    "dns",
  ],
  [/ERR_CERT|ERR_SSL|BAD_SSL|SEC_ERROR|SSL_ERROR|certificate|\b(?:SSL|TLS)\b/i, "tls"],
  [/TIMED?_?OUT|NET_TIMEOUT|timed out|timeout/i, "timeout"],
  [
    /REFUSED|UNREACHABLE|ERR_(?:CONNECTION|TUNNEL|PROXY|SOCKS|EMPTY|HTTP2|QUIC|INCOMPLETE|CONTENT_LENGTH|ADDRESS|INVALID)|NET_RESET|NET_INTERRUPT|ECONN|EPIPE|socket hang up|refused|unreachable|reset by peer|connection (?:aborted|closed|reset)|broken pipe|failed to connect|couldn't connect|empty reply|recv failure|send failure|transfer closed|not closed cleanly/i,
    "connect",
  ],
];
