/** What a receiver's answer means for the message. Pure; a hostile answer is at worst "later". */
import { asObject, type JsonObject, jsonInString } from "../protocol/json.ts";
import { retryAfterSeconds } from "../protocol/retry-after.ts";
import type { Answer, Reception } from "./channel.ts";

/** Statuses that a kind of receiver means for good, beside 410, which is gone wherever it comes from; all others but 2xx may pass. */
export interface Finals {
  readonly refused: readonly number[];
  readonly gone: readonly number[];
}

/** @param askedSeconds what the body asks to wait, where the service tells it there. */
export function reception(
  answer: Answer,
  nowMs: number,
  { refused, gone }: Finals,
  askedSeconds: unknown = null,
): Reception {
  if (answer.status >= 200 && answer.status <= 299) return { type: "delivered" };
  if (answer.status === GONE || gone.includes(answer.status)) return { type: "gone" };
  if (refused.includes(answer.status)) return { type: "refused" };
  const waits = [
    retryAfterSeconds(answer.headers["retry-after"], answer.headers["date"], nowMs),
    secondsOf(askedSeconds),
  ].filter((seconds) => seconds !== null);
  return { type: "later", afterMs: waits.length === 0 ? null : Math.ceil(Math.max(...waits) * 1000) };
}

/** RFC 9110, 15.5.11: the address is gone, likely for ever. No service that is written for means anything else by it. */
const GONE = 410;

/** The answer's body where it is a JSON object; else one without members. */
export function objectOf({ body }: Answer): JsonObject {
  return asObject(jsonInString(body)) ?? {};
}

/** As much as Retry-After may say. */
const MOST_SECONDS = 2_147_483_647;

function secondsOf(value: unknown): number | null {
  return typeof value === "number" && value >= 0 ? Math.min(value, MOST_SECONDS) : null;
}
