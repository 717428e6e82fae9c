/** What an exception of `fetch` means, in any runtime. Pure. */
import type { NetworkStage } from "./observation.ts";

/** Messages of Gatepulse and its runtime that stand where a service's words would. Older versions stored the first of two wordings. Pure data. */
export const OWN_MESSAGES = {
  silent: dropped("The stream fell silent without its end mark"),
  lost: dropped("The connection broke (?:off in|during) the stream"),
  lostFor: dropped(String.raw`The connection broke (?:off in|during) the stream \((.*)\)`),
  openEnd: dropped(
    "The end mark came, but (?:the last event has no empty line behind it|no empty line after the last event)",
  ),
  noEnd: dropped("The stream ended without its end mark"),
  endAlone: /^The stream has its end mark\. No text: looked at (.+)\.$/su,
  noStream:
    /^(?:A stream of events was asked for, and the answer is none|The request asked for a stream, but the answer is not one)\.$/u,
  unaskedStream:
    /^(?:A plain answer was asked for, and a stream of events came|The request did not ask for a stream, but the answer is one)\.$/u,
  tooManyEvents:
    /^The stream was not read to its end: it has (?:over 100,000 events, or one that|more than 100,000 events, or one event) is too large\.$/u,
  tooLarge: /^The body was not read to its end: it is too large, or comes in too many pieces\.$/u,
  tooComplex: /^The JSON was not read: it has too many values\b.*\.$/u,
  noText: /^No text: looked at (.+)\.$/su,
  noVector: /^No vector of numbers: looked at (.+)\.$/su,
  noMedia: /^No image, video or address of one: looked at (.+)\.$/su,
  noShape: /^The answer (?:is not of the agreed|does not have the expected) shape\.$/u,
  unmetWhole: /^(?:Not what is expected at the whole answer|Unexpected answer)\.$/u,
  unmet: /^(?:Not what is expected|Unexpected value) at (.+)\.$/su,
  noId: /^The task was accepted, but the answer has no id to query it with\.$/u,
  noState: /^no task state at (.+)$/su,
  unknownState: /^unknown task state: (.*)$/su,
  lastState: /^last known state: (.*)$/su,
  interrupted: /^The probe was interrupted before its answer was recorded\.$/u,
  redirect: /^It redirects to (.+), and redirects are not followed\.$/su,
  // Words of the runtimes that send requests: workerd, undici, Node.
  transport:
    /^(?:Network connection lost\.?|DNS lookup failed|(?:DNS lookup or )?TLS failed|the answer is not HTTP as this client reads it \(.*\)|(?:connect|read|write|getaddrinfo) E[A-Z_]+\b.*|socket hang up|other side closed|terminated|fetch failed)$/su,
  slowAnswer: /^The answer took ([\d.]+ s), longer than ([\d.]+ s)\.$/u,
  slowFirstToken: /^The first token came after ([\d.]+ s), later than ([\d.]+ s)\.$/u,
  slowTokens: /^The speed was ([\d.]+) tokens per second, below ([\d.]+)\.$/u,
  otherModel: /^The answer names another model: (.+) instead of (.+), (\d+) times in a row\.$/su,
  fewerThanBefore: /^Fewer answers are right than before since (.+), p = (\S+)\.$/u,
  fewerThanReference: /^Fewer answers are right than at the reference since (.+), p = (\S+)\.$/u,
  balance: /^The balance is (\S+), below (\S+)\.$/u,
} as const satisfies Readonly<Record<string, RegExp>>;

function dropped(words: string): RegExp {
  return new RegExp(String.raw`^${words}\. Complete events before: (\d+(?: \([\d.]+–[\d.]+ s\))?)\.$`, "su");
}

export type OwnMessage = keyof typeof OWN_MESSAGES;

export type ThrownFailure =
  | { readonly type: "network"; readonly stage: NetworkStage; readonly detail: string | null }
  /** workerd refused to send: this invocation has used up its requests. Not the gateway's fault. */
  | { readonly type: "subrequest_limit" };

/** `thrown` may be anything. `url` is the requested address; null: not known. Never throws. */
export function readThrown(thrown: unknown, url: string | null): ThrownFailure {
  const chain = causesOf(thrown);
  const coded = chain.toReversed().find((link) => stageByCode(link) !== null);
  if (coded !== undefined) return network(stageByCode(coded) ?? "unknown", detailOf(coded));
  const message = chain[0]?.message ?? "";
  if (/too many (?:sub|api )requests/i.test(message)) return { type: "subrequest_limit" };
  if (isNameOrTls(thrown)) return readInternalError(url);
  for (const link of chain.toReversed()) {
    const told = stageInWords(link.message.slice(0, 4096));
    if (told !== null) return network(told.stage, detailOf(link));
  }
  return network("unknown", detailOf(chain.at(-1) ?? NOTHING));
}

/** workerd's "internal error": DNS or TLS failed, and it does not say which. */
export function isNameOrTls(thrown: unknown): boolean {
  return /^internal error/i.test(causesOf(thrown)[0]?.message ?? "");
}

interface Link {
  readonly code: string;
  readonly name: string;
  readonly message: string;
}

const NOTHING: Link = { code: "", name: "", message: "" };

const MAX_CHAIN = 6;

/** From the error to its deepest cause. If several addresses failed, the error is an AggregateError. */
function causesOf(thrown: unknown): readonly Link[] {
  if (typeof thrown === "string") return [{ ...NOTHING, message: thrown }];
  const chain: Link[] = [];
  let current: unknown = thrown;
  while (current instanceof Error && chain.length < MAX_CHAIN) {
    const { name, message } = current;
    chain.push({ code: textOf(Reflect.get(current, "code")), name: textOf(name), message: textOf(message) });
    current = current.cause ?? (current instanceof AggregateError ? current.errors[0] : undefined);
  }
  return chain;
}

/** A custom error may have anything as its message. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** By the words of clients, browsers, runtimes and systems, where no code is. The first row that matches counts. */
export function stageInWords(text: string) {
  for (const [stage, pattern] of STAGES) {
    const words = pattern.exec(text)?.[0];
    if (words !== undefined) return { stage, detail: words.slice(0, 300) };
  }
  return null;
}

const STAGES: readonly (readonly [NetworkStage, RegExp])[] = [
  [
    "tls",
    /CERTIFICATE_VERIFY_FAILED[^\n]{0,200}|\[SSL[:\]][^\n]{0,200}|SSLCertVerificationError|SSLEOFError|WRONG_VERSION_NUMBER|\b(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?)|CERT_HAS_EXPIRED|HOSTNAME_MISMATCH|EPROTO|ERR_TLS_\w{1,60}|ERR_SSL_\w{1,60}|ERR_OSSL_\w{1,60})\b|\b(?:net::)?[A-Z_]{0,40}(?:ERR_(?:CERT|SSL)|BAD_SSL|SEC_ERROR|SSL_ERROR)\w{0,60}|before secure TLS connection[^\n]{0,60}|certificate verify failed[^\n]{0,200}|self[- ]signed certificate[^\n]{0,60}|invalid peer certificate[^\n]{0,100}|received fatal alert[^\n]{0,60}|tls handshake[^\n]{0,60}/,
  ],
  [
    "dns",
    /\[Errno -\d+\] [^\n'")]{1,100}|\[Errno 8\] nodename[^\n'")]{0,100}|\[Errno 11001\] getaddrinfo failed|Name or service not known|Temporary failure in name resolution|NameResolutionError|Failed to resolve '[^'\n]{1,200}'|\bdns error\b[^\n]{0,200}|failed to lookup address[^\n]{0,100}|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)[^\n]{0,200}|\b(?:ENOTFOUND|EAI_[A-Z]{2,20})\b|\b(?:net::)?[A-Z_]{0,40}(?:NAME_NOT_RESOLVED|NAME_RESOLUTION|ERR_DNS|UNKNOWN_(?:PROXY_)?HOST)\w{0,60}/,
  ],
  [
    "timeout",
    /\[Errno (?:110|60)\] [^\n'")]{1,100}|\bETIMEDOUT\b|\bUND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT\b|\b(?:Connect|Read|Write|Pool)Timeout(?:Error)?\b|\b(?:[Oo]peration|[Rr]equest|[Cc]onnection) timed out\b|\b(?:net::)?[A-Z_]{0,40}(?:TIMED_OUT|NET_TIMEOUT)\b/,
  ],
  [
    "connect",
    /\[Errno \d+\] [^\n'")]{1,100}|\[WinError \d+\] [^\n]{1,200}|All connection attempts failed|[Cc]onnection (?:refused|reset(?: by peer)?|closed|aborted|lost)|tcp connect error[^\n]{0,100}|[Bb]roken pipe|(?:compressed stream|[Dd]ecompress)[^\n]{0,60}|Server disconnected[^\n]{0,100}|peer closed connection[^\n]{0,100}|Remote end closed connection[^\n]{0,60}|(?:connect|read|write) E[A-Z]{4,20}[^\n]{0,100}|\b(?:ECONN[A-Z]{3,10}|EPIPE|E(?:HOST|NET)UNREACH|UND_ERR_SOCKET|HPE_[A-Z_]{2,40})\b|other side closed|does not match the HTTP\/1\.1 protocol[^\n]{0,100}|\b(?:RemoteProtocolError|LocalProtocolError|ReadError|WriteError)\b|socket hang up|\b(?:net::)?[A-Z_]{0,40}(?:REFUSED|UNREACHABLE|ERR_(?:CONNECTION|TUNNEL|PROXY|SOCKS|EMPTY|HTTP2|QUIC|INCOMPLETE|CONTENT_LENGTH|ADDRESS|INVALID)|NET_RESET|NET_INTERRUPT)\w{0,60}/,
  ],
];

/** Drops the reference after the words: it differs each time, so every failure would look new. */
function readInternalError(url: string | null): ThrownFailure {
  if (url !== null && /^http:/i.test(url)) return network("dns", "DNS lookup failed");
  if (url !== null && /^https:\/\/(?:\[|[\d.]+(?:[:/?#]|$))/i.test(url)) return network("tls", "TLS failed");
  return network("unknown", "DNS lookup or TLS failed");
}

/** OpenSSL's messages begin with a memory address, so the code says more. Other HTTP parsers may be less strict. */
function detailOf({ code, message }: Link): string | null {
  const parsed = /^Parse Error: (.+)$/.exec(message)?.[1];
  if (parsed !== undefined) return `the answer is not HTTP as this client reads it (${parsed.slice(0, 200)})`;
  if (message === "" || /SSL routines/.test(message)) return code === "" ? null : code;
  return message.slice(0, 300);
}

function network(stage: NetworkStage, detail: string | null): ThrownFailure {
  return { type: "network", stage, detail };
}

const DNS = /^(?:ENOTFOUND|EAI_[A-Z]+|ENODATA|ESERVFAIL|EREFUSED|EBADNAME)$/;
const TIMEOUT = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;
const TLS =
  /^(?:CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_)/;
const CONNECT =
  /^(?:ECONN[A-Z]+|EPIPE|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|HPE_[A-Z_]+|Z_[A-Z_]+|ERR__ERROR_[A-Z_]+|ERR_STREAM_PREMATURE_CLOSE|UND_ERR_(?:SOCKET|HEADERS_OVERFLOW|RES_[A-Z_]+|RESPONSE[A-Z_]*)|Connection(?:Refused|Closed|Reset))$/;

/** By the codes of Node and Bun. workerd has none. */
function stageByCode({ code, name, message }: Link): NetworkStage | null {
  // A reset during the TLS handshake has the code of a reset and the words of a TLS failure.
  if (TLS.test(code) || /before secure TLS connection/i.test(message)) return "tls";
  if (DNS.test(code)) return "dns";
  if (TIMEOUT.test(code) || name === "TimeoutError") return "timeout";
  if (CONNECT.test(code) || name === "HTTPParserError") return "connect";
  return null;
}
