/** Token buckets at IP, user and key level (spec 8), with the caller's clock. */
import { json, type Reply } from "./wire.ts";
import { chatError } from "./errors.ts";

export interface Limit {
  /** So many at once, and so many again in each `perSeconds`. */
  readonly requests: number;
  readonly perSeconds: number;
  /** Whether the refusal bears Retry-After. */
  readonly tellsWhen: boolean;
}

export const LEVELS = ["ip", "user", "key"] as const;
export type Level = (typeof LEVELS)[number];
export type Limits = Readonly<Partial<Record<Level, Limit>>>;

/** In whole units, so that nothing is lost to rounding: a millisecond brings `requests` units. */
interface Bucket {
  credit: number;
  filledAtMs: number;
}

const MAX_BUCKETS = 1000;

export class Buckets {
  readonly #buckets = new Map<string, Bucket>();

  /** Whole seconds until the next token, or null when one was taken. */
  take(name: string, limit: Limit, nowMs: number): number | null {
    const cost = limit.perSeconds * 1000;
    const full = cost * limit.requests;
    const bucket = this.#buckets.get(name) ?? { credit: full, filledAtMs: nowMs };
    const elapsedMs = Math.max(0, nowMs - bucket.filledAtMs);
    bucket.credit = Math.min(full, bucket.credit + elapsedMs * limit.requests);
    bucket.filledAtMs = nowMs;
    this.#keep(name, bucket);
    if (bucket.credit < cost) return Math.ceil((cost - bucket.credit) / limit.requests / 1000);
    bucket.credit -= cost;
    return null;
  }

  #keep(name: string, bucket: Bucket): void {
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    const oldest = this.#buckets.keys().next().value;
    if (this.#buckets.size > MAX_BUCKETS && oldest !== undefined) this.#buckets.delete(oldest);
  }
}

/** The first level that is exhausted refuses; null when none is. */
export function refuseOverLimit(
  buckets: Buckets,
  limits: Limits,
  who: Readonly<Record<Level, string>>,
  nowMs: number,
): Reply | null {
  for (const level of LEVELS) {
    const limit = limits[level];
    if (limit === undefined) continue;
    const waitSeconds = buckets.take(`${level} ${who[level]}`, limit, nowMs);
    if (waitSeconds !== null) return overLimit(level, limit.tellsWhen ? waitSeconds : null);
  }
  return null;
}

/** The IP level stands before the proxy and answers in the simpler envelope (spec 2.3). */
export function overLimit(level: Level, retryAfterSeconds: number | null): Reply {
  const headers: Readonly<Record<string, string>> =
    retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) };
  if (level === "ip") return json(429, { code: 429, message: "Too many requests." }, headers);
  const message = level === "user" ? "The user sends too fast." : "The key sends too fast.";
  return chatError(429, "rate_limit_error", "rate_limit_exceeded", message, headers);
}
