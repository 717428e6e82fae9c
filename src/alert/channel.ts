/** What a kind of channel does: it makes a message of events, and reads the answer. Pure. */
import type { ChannelConfig } from "../config/config.ts";
import { MINUTE_MS } from "../domain/calendar.ts";
import { oneLine } from "../protocol/error-facts.ts";
import { jsonInString, valueAt } from "../protocol/json.ts";
import { retryAfterSeconds } from "../protocol/retry.ts";
import type { AlertEvent, Speaker } from "./alert-event.ts";
import { type Message, messageOf } from "./story.ts";

export interface Occasion extends Speaker {
  /** Now: for signatures, and for bodies that contain the time of the try. */
  readonly nowMs: number;
  /** The value of a secret by its name, trimmed. `channelProblem` has checked them all. */
  readonly secretOf: (name: string) => string;
}

export interface Letter {
  readonly type: "http";
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A GET sends none. */
  readonly body: string;
  /** Sent in place of `body`. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** The next request, sent once the receiver has accepted this one. */
  readonly next?: Letter;
}

export interface Mail {
  readonly type: "mail";
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** What was looked up shows that nothing is left to send. */
export interface Nothing {
  readonly type: "nothing";
}

export type Rendered = Letter | Mail | Nothing;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** At most its first 4 kB; what was looked up, at most 2 MB. */
  readonly body: string;
}

export type Reception =
  | { readonly type: "delivered" }
  /** Tried again after the usual wait, or after what the receiver asked for if that is longer. */
  | { readonly type: "later"; readonly afterMs: number | null }
  | { readonly type: "refused" }
  /** The channel is gone: Gatepulse sends nothing there until its configuration changes. */
  | { readonly type: "gone" };

export interface ChannelKind<Config extends ChannelConfig> {
  /** Whether one message may contain several events of a gateway; else `events` has exactly one. */
  readonly bundles: boolean;
  /**
   * Present if the receiver forgets alerts that are not repeated. All open incidents are sent again this often, and those that
   * ended for another five minutes; `events` then has all of them.
   */
  readonly resendEveryMs?: number;
  /** Present if a message depends on what the receiver has: a request before it. */
  lookUp?(events: readonly AlertEvent[], channel: Config, occasion: Occasion): Letter;
  /** @param found the answer to `lookUp`. */
  render(
    events: readonly AlertEvent[],
    channel: Config,
    occasion: Occasion,
    found?: Answer,
  ): Rendered | Promise<Rendered>;
  readonly answers?: Answers;
}

/** How many requests a message takes at most: with a look-up and `next`, three. */
export function requestsOf({ lookUp }: Pick<ChannelKind<ChannelConfig>, "lookUp">): number {
  return lookUp === undefined ? 1 : 3;
}

/** What a service's answers mean, but for 2xx and 410, where they differ from the usual. */
export interface Answers {
  /** Statuses that refuse this very message. Default: 400 and 413. */
  readonly refused?: readonly number[];
  /** Statuses that say that the channel is gone. Default: none. */
  readonly gone?: readonly number[];
  /** Words of a 400 that say so too. */
  readonly goneWords?: RegExp;
  /** Words of a 400 that may pass. */
  readonly passingWords?: RegExp;
  /** A JSON pointer to the number in each error of the service. Without it a proxy on the way may have answered. */
  readonly code?: string;
  /** What `refused` is without that number. Default: the same. */
  readonly refusedWithoutCode?: readonly number[];
  /** A JSON pointer to the seconds to wait. */
  readonly wait?: string;
  /** Whether `x-ratelimit-reset` says when the rate is no longer limited, in Unix seconds. */
  readonly resets?: true;
  /** Present if a 2xx may be an error: where its number is (0: none), and which say that the channel is gone or busy for a minute. */
  readonly inside?: {
    readonly at: string;
    readonly gone: readonly number[];
    readonly busy: readonly number[];
  };
}

/** For a service that takes JSON at an address that is a secret. */
export function posted(bodyOf: (message: Message) => unknown) {
  return (events: readonly AlertEvent[], { url }: { readonly url: string }, occasion: Occasion): Letter =>
    jsonLetter(occasion.secretOf(url), bodyOf(messageOf(events, occasion)));
}

/** @param headers in addition to those of every request; names in lower case. */
export function jsonLetter(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Letter {
  return {
    type: "http",
    method: "POST",
    url,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/** `authorization` with the secret as bearer token; empty if the channel names no secret. */
export function bearerHeader(token: string | undefined, { secretOf }: Occasion) {
  return token === undefined ? {} : { authorization: `Bearer ${secretOf(token)}` };
}

/** The result of a message. Answers that `answers` does not name are tried again. */
export function reception(
  { answers = {} }: Pick<ChannelKind<ChannelConfig>, "answers">,
  { status, headers, body }: Answer,
  nowMs: number,
): Reception {
  const { refused = [400, 413], gone = [], goneWords, passingWords, code, wait, resets, inside } = answers;
  const { refusedWithoutCode = refused } = answers;
  const json = jsonInString(body);
  const isOwn = code === undefined || typeof valueAt(json, code) === "number";
  const says = (words: RegExp | undefined): boolean => status === 400 && words?.test(body) === true;
  if (status >= 200 && status <= 299) {
    if (inside === undefined) return { type: "delivered" };
    // Something else has answered, such as a login page.
    if (typeof json !== "object" || json === null) return { type: "later", afterMs: null };
    const error = Number(valueAt(json, inside.at) ?? 0);
    if (error === 0) return { type: "delivered" };
    if (inside.busy.includes(error)) return { type: "later", afterMs: MINUTE_MS };
    return { type: inside.gone.includes(error) ? "gone" : "refused" };
  }
  if (status === GONE || (isOwn && (gone.includes(status) || says(goneWords)))) return { type: "gone" };
  const refuses = isOwn ? refused : refusedWithoutCode;
  if (refuses.includes(status) && !says(passingWords)) return { type: "refused" };
  const waits = [
    retryAfterSeconds(headers["retry-after"], headers["date"], nowMs),
    secondsOf(wait === undefined ? null : valueAt(json, wait)),
    resets && headers["x-ratelimit-remaining"] === "0"
      ? secondsOf(Math.max(0, Number(headers["x-ratelimit-reset"]) - nowMs / 1000))
      : null,
  ].filter((seconds) => seconds !== null);
  return { type: "later", afterMs: waits.length === 0 ? null : Math.ceil(Math.max(...waits) * 1000) };
}

/** RFC 9110, 15.5.11: the address is gone, probably for good. All supported services use it that way. */
const GONE = 410;

/** The longest accepted wait, as for Retry-After. */
const MOST_SECONDS = 2_147_483_647;

function secondsOf(value: unknown): number | null {
  return typeof value === "number" && value >= 0 ? Math.min(value, MOST_SECONDS) : null;
}

/** HMAC-SHA-256 in base64. */
export async function hmacOf(key: BufferSource, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", imported, new TextEncoder().encode(text)));
  return btoa(String.fromCharCode(...bytes));
}

/** Events about the same thing have the same key, so that the last one resolves what the first one opened. */
export function subjectKey({ type, incident, monitor, gateway, shard }: AlertEvent, title: string): string {
  if (incident !== null) return incident.id;
  // A test and a reminder of pauses: there is one at most, as nothing ever resolves them.
  const which = monitor ?? gateway?.id ?? `${shard ? `${shard}:` : ""}${oneLine(title)}`;
  return `${type.split(".", 1)[0]}:${which}`;
}
