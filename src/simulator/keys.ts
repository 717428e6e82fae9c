import { type Reply, chatError, json } from "./wire.ts";

/** The keys of the simulated service, whom they belong to, and what is wrong with some. Pure; spec 5. */

/** Every name says what happens to its key. None opens anything but a simulator. */
export const SIMULATOR_KEYS = {
  good: "sim-key-good",
  /** Of the same user as `good`. */
  sibling: "sim-key-good-sibling",
  otherUser: "sim-key-other-user",
  revoked: "sim-key-revoked",
  emptyBalance: "sim-key-empty-balance",
  spentQuota: "sim-key-spent-quota",
  /** May generate 3 times; then its quota is spent. */
  smallQuota: "sim-key-small-quota",
  wrongGroup: "sim-key-wrong-group",
  /** May use no model but the small chat model. */
  oneModel: "sim-key-one-model",
} as const;

export const SMALL_QUOTA = 3;

const USERS: Readonly<Record<string, string>> = {
  [SIMULATOR_KEYS.good]: "alice",
  [SIMULATOR_KEYS.sibling]: "alice",
  [SIMULATOR_KEYS.otherUser]: "bob",
  [SIMULATOR_KEYS.revoked]: "carol",
  [SIMULATOR_KEYS.emptyBalance]: "dave",
  [SIMULATOR_KEYS.spentQuota]: "erin",
  [SIMULATOR_KEYS.smallQuota]: "erin",
  [SIMULATOR_KEYS.wrongGroup]: "frank",
  [SIMULATOR_KEYS.oneModel]: "grace",
};

/** A refusal, in the words of both error styles. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly message: string;
}

export type Admission =
  | { readonly admitted: true; readonly key: string; readonly user: string }
  | { readonly admitted: false; readonly refusal: Refusal };

/** A login token: a JWT, signed by nobody, that the model API refuses (spec 5). */
export function loginToken(): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: "alice", iat: 1_700_000_000 })}.${part("unsigned")}`;
}

/** `anyKey`: every key but none at all is good. */
export function admit(key: string | null, anyKey: boolean): Admission {
  if (key === null || key === "") {
    return refuse(401, "authentication_error", "missing_api_key", "No API key was given.");
  }
  const user = USERS[key];
  if (user === undefined) {
    return anyKey
      ? { admitted: true, key, user: "anybody" }
      : refuse(401, "authentication_error", "invalid_api_key", "The API key is not valid.");
  }
  switch (key) {
    case SIMULATOR_KEYS.revoked:
      return refuse(401, "authentication_error", "api_key_revoked", "The API key was revoked.");
    case SIMULATOR_KEYS.emptyBalance:
      return refuse(402, "insufficient_quota", "insufficient_balance", "The balance is used up.");
    case SIMULATOR_KEYS.spentQuota:
      return refuse(429, "insufficient_quota", "quota_exceeded", "The quota of this key is used up.");
    case SIMULATOR_KEYS.wrongGroup:
      return refuse(403, "permission_error", "model_group_restricted", "The user's group may not do this.");
    default:
      return { admitted: true, key, user };
  }
}

function refuse(status: number, type: string, code: string, message: string): Admission {
  return { admitted: false, refusal: { status, type, code, message } };
}

// Token buckets at IP, user and key level (spec 8), with the caller's clock.

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
