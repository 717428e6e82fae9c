/** What a kind of channel does: it makes a message of events, and reads the answer. Pure. */
import type { ChannelConfig } from "../config/config.ts";
import { asObject, jsonInString, type JsonObject } from "../protocol/json.ts";
import { retryAfterSeconds } from "../protocol/retry.ts";
import type { AlertEvent, Speaker } from "./alert-event.ts";

export interface Occasion extends Speaker {
  /** Now: for signatures, and for bodies that contain the time of the try. */
  readonly nowMs: number;
  /** The value of a secret by its name, trimmed. `channelProblem` has checked them all. */
  readonly secretOf: (name: string) => string;
}

/** One HTTP request, ready to be sent. */
export interface Letter {
  readonly type: "http";
  readonly method: "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A message for the platform's own mail. */
export interface Mail {
  readonly type: "mail";
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

export type Rendered = Letter | Mail;

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most its first 4 kB. */
  readonly body: string;
}

export type Reception =
  | { readonly type: "delivered" }
  /** Tried again after the usual wait, or after what the receiver asked for if that is longer. */
  | { readonly type: "later"; readonly afterMs: number | null }
  /** The receiver will never accept this message. */
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
  render(events: readonly AlertEvent[], channel: Config, occasion: Occasion): Rendered | Promise<Rendered>;
  /** What the service's answers mean, where they differ from the usual. */
  meaning?(answer: Answer): Meaning;
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
export function bearerHeader(
  token: string | undefined,
  { secretOf }: Occasion,
): Readonly<Record<string, string>> {
  return token === undefined ? {} : { authorization: `Bearer ${secretOf(token)}` };
}

/** What an answer means, unless it is 2xx or 410. */
export interface Meaning {
  /** Statuses that refuse this very message. Default: 400 and 413. */
  readonly refused?: readonly number[];
  /** Statuses that say that the channel is gone. Default: none. */
  readonly gone?: readonly number[];
  /** How long the body asks to wait, for services that say so in the body. */
  readonly askedSeconds?: unknown;
}

/** The result of a message. Answers that `meaning` does not name are tried again. */
export function reception(
  kind: Pick<ChannelKind<ChannelConfig>, "meaning">,
  answer: Answer,
  nowMs: number,
): Reception {
  const { refused = [400, 413], gone = [], askedSeconds } = kind.meaning?.(answer) ?? {};
  if (answer.status >= 200 && answer.status <= 299) return { type: "delivered" };
  if (answer.status === GONE || gone.includes(answer.status)) return { type: "gone" };
  if (refused.includes(answer.status)) return { type: "refused" };
  const waits = [
    retryAfterSeconds(answer.headers["retry-after"], answer.headers["date"], nowMs),
    secondsOf(askedSeconds),
  ].filter((seconds) => seconds !== null);
  return { type: "later", afterMs: waits.length === 0 ? null : Math.ceil(Math.max(...waits) * 1000) };
}

/** RFC 9110, 15.5.11: the address is gone, probably for good. All supported services use it that way. */
const GONE = 410;

/** The answer's body if it is a JSON object; else an empty object. */
export function objectOf({ body }: Answer): JsonObject {
  return asObject(jsonInString(body)) ?? {};
}

/** The longest accepted wait, as for Retry-After. */
const MOST_SECONDS = 2_147_483_647;

function secondsOf(value: unknown): number | null {
  return typeof value === "number" && value >= 0 ? Math.min(value, MOST_SECONDS) : null;
}
