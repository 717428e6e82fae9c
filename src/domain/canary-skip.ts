/**
 * Whether a canary that is due is better not asked: what the gateway's list shows already, a model that is not in it, a
 * budget that is used up. Pure.
 */
import type { Cause } from "../protocol/diagnosis.ts";
import type { SkipReason } from "./canary.ts";
import { DAY_MS } from "./calendar.ts";

/** Of a canary's configuration, as far as it is decided by. */
export interface CanaryRules {
  readonly isGeneration: boolean;
  /** It sends the key with which the list is asked for: what that is refused, it is refused too. */
  readonly sharesKey: boolean;
  readonly retry: boolean;
  readonly perDay: number | null;
}

/** What is known when it is decided. */
export interface CanarySight {
  /** That of the gateway's list, where that is fresh and fails; else null. */
  readonly listCause: Cause | null;
  /** A fresh list lacks the canary's model. */
  readonly isUnlisted: boolean;
  /** When its own request was last sent; null: never, or that is forgotten. */
  readonly askedAtMs: number | null;
  /** Requests that may leave today; null: as many as there are. */
  readonly left: number | null;
  readonly nowMs: number;
}

/** Whoever asks such a gateway is not answered, whatever is asked. */
const GATEWAY_CAUSES: ReadonlySet<Cause> = new Set([
  "dns_failure",
  "connection_failed",
  "tls_failure",
  "timeout",
  "network_error",
  "edge_blocked",
  "rate_limited",
  "upstream_unavailable",
]);

/** Whoever asks with the same key is refused. */
const KEY_CAUSES: ReadonlySet<Cause> = new Set(["authentication", "insufficient_balance", "quota_exceeded"]);

/** A list may be wrong: so often it is asked all the same. */
const UNLISTED_EVERY_MS = DAY_MS;

/** Null: it is asked. */
export function skipOf(
  rules: CanaryRules,
  sight: CanarySight,
): { readonly reason: SkipReason; readonly cause: Cause | null } | null {
  const { listCause, left } = sight;
  if (listCause !== null && failsToo(rules, listCause)) return { reason: "gateway", cause: listCause };
  if (rules.isGeneration && sight.isUnlisted && !mayAskUnlisted(sight)) {
    return { reason: "unlisted", cause: null };
  }
  return left !== null && left < 1 ? { reason: "cap", cause: null } : null;
}

/** Requests that it may send now, repetitions included. */
export function attemptsOf({ retry }: Pick<CanaryRules, "retry">, left: number | null): number {
  return retry ? Math.min(MOST_ATTEMPTS, left ?? MOST_ATTEMPTS) : 1;
}

const MOST_ATTEMPTS = 4;

function failsToo({ sharesKey }: CanaryRules, cause: Cause): boolean {
  return GATEWAY_CAUSES.has(cause) || (sharesKey && KEY_CAUSES.has(cause));
}

/** That it was asked in the future, a clock told that ran ahead. */
function mayAskUnlisted({ askedAtMs, nowMs }: CanarySight): boolean {
  return askedAtMs === null || askedAtMs > nowMs || nowMs - askedAtMs >= UNLISTED_EVERY_MS;
}
