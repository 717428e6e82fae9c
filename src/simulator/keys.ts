/** The keys of the simulated service, what is wrong with some, and how often one may ask. Pure; spec 5 and 8. */
import { type ErrorCode, type Reply, chatError, json } from "./wire.ts";

/** Every name says what happens to its key. None opens anything but a simulator. */
export const SIMULATOR_KEYS = {
  good: "sim-key-good",
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

/** Null: admitted. */
const ADMISSIONS: Readonly<Record<string, ErrorCode | null>> = {
  [SIMULATOR_KEYS.good]: null,
  [SIMULATOR_KEYS.revoked]: "api_key_revoked",
  [SIMULATOR_KEYS.emptyBalance]: "insufficient_balance",
  [SIMULATOR_KEYS.spentQuota]: "quota_exceeded",
  [SIMULATOR_KEYS.smallQuota]: null,
  [SIMULATOR_KEYS.wrongGroup]: "model_group_restricted",
  [SIMULATOR_KEYS.oneModel]: null,
};

/** @param anyKey every key but none at all is good, and those that are known to be bad. */
export function refusalOf(key: string | null, anyKey: boolean): ErrorCode | null {
  if (key === null || key === "") return "missing_api_key";
  const known = ADMISSIONS[key];
  return known === undefined && !anyKey ? "invalid_api_key" : (known ?? null);
}

/** All keys are one user's. */
export const LEVELS = ["ip", "user", "key"] as const;

export interface Limit {
  readonly level: (typeof LEVELS)[number];
  /** So many in any `perSeconds`. */
  readonly requests: number;
  readonly perSeconds: number;
  /** Whether the refusal has Retry-After. */
  readonly tellsWhen: boolean;
}

/** The IP level stands before the proxy and answers in the simpler envelope (spec 2.3). */
export const TOO_MANY_FROM_ADDRESS: Reply = json(429, { code: 429, message: "Too many requests." });

/** @param times when requests of the same sender were let through, oldest first; this one is added where it is let through, and those that no longer count go. */
export function refuseOverLimit(times: number[], limit: Limit, nowMs: number): Reply | null {
  const perMs = limit.perSeconds * 1000;
  const oldest = times.at(-limit.requests);
  if (oldest === undefined || oldest + perMs <= nowMs) {
    times.push(nowMs);
    if (times.length > limit.requests) times.shift();
    return null;
  }
  const reply = limit.level === "ip" ? TOO_MANY_FROM_ADDRESS : chatError("rate_limit_exceeded");
  if (!limit.tellsWhen) return reply;
  const retryAfter = String(Math.ceil((oldest + perMs - nowMs) / 1000));
  return { ...reply, headers: { ...reply.headers, "retry-after": retryAfter } };
}
