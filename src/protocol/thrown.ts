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

export function isOwnMessage(text: string): boolean {
  return Object.values(OWN_MESSAGES).some((own) => own.test(text));
}

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
  const told = chain.toReversed().find((link) => stageOfWords(link.message) !== null);
  if (told !== undefined) return network(stageOfWords(told.message) ?? "unknown", detailOf(told));
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

/** For runtimes that give no code, only words. The first match counts. */
const WORDS: readonly (readonly [RegExp, NetworkStage])[] = [
  [/\bdns error\b|failed to lookup address|net::ERR_NAME_/i, "dns"],
  [/invalid peer certificate|received fatal alert|tls handshake|net::ERR_(?:CERT|SSL)_/i, "tls"],
  [/\b(?:operation|request|connection) timed out\b|net::ERR_(?:CONNECTION_)?TIMED_OUT/i, "timeout"],
  [/network connection lost|gzip|brotli|decompress/i, "connect"],
  [/connection (?:refused|reset|closed|aborted)|tcp connect error|broken pipe/i, "connect"],
  [/net::ERR_(?:CONNECTION|ADDRESS|EMPTY_RESPONSE|INCOMPLETE)/i, "connect"],
];

function stageOfWords(message: string): NetworkStage | null {
  const start = message.slice(0, MAX_WORDS);
  return WORDS.find(([words]) => words.test(start))?.[1] ?? null;
}

const MAX_WORDS = 4096;

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
