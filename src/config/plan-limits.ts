/** Cloudflare's limits of 2026 for each plan, and how often snapshots are written so that they hold. Pure. */
import { MINUTE_MS } from "../domain/calendar.ts";
import type { Config, Plan } from "./config.ts";
import { MOST_SHARDS } from "./placement.ts";

/** Enough for the monitors that one Ledger carries. */
export const MOST_LANES = 16;

/** Where all lanes are needed: with one shard the invocation of cron is a lane itself. */
export function messagesATick({ shards, lanes }: Pick<Config, "shards" | "lanes">): number {
  return shards * lanes - (shards === 1 ? 1 : 0);
}

export const PLAN_LIMITS = {
  // 50 subrequests and 10 ms of CPU an invocation: 20 probes take some 7 ms (`src/plan/figures.ts`), and 10 of them can retry 3 times.
  // 10,000 operations of a queue a day, and 3 of them a message: 2 messages a minute.
  free: { subrequests: 50, defaultProbesPerTick: 20, maxProbesPerTick: 50, mostMessages: 2 },
  // 10,000 subrequests and 30 s of CPU; with 6 connections at once, 200 answers of 2 s each take about a minute.
  paid: {
    /** Requests that one invocation may send, retries included. */
    subrequests: 10_000,
    /** Probes of a tick unless the configuration says otherwise. */
    defaultProbesPerTick: 200,
    /** More could never be sent in one invocation. */
    maxProbesPerTick: 2_000,
    /** Messages a minute that the queue carries. */
    mostMessages: MOST_LANES * MOST_SHARDS,
  },
} satisfies Readonly<Record<Plan, unknown>>;

/** One invocation of the Ledger has requests for as many, of the 50 of the free plan: it can send to each of them. */
export const MOST_CHANNELS = 40;

/** Whose headers an invocation, or an object, may await at once. */
export const CONNECTIONS_AT_ONCE = 6;

/** How many status pages of providers a tick reads at most. */
export const PAGES_A_TICK = 2;

/** What the probes of one tick may send: the heartbeat is a request of the same invocation. */
export function requestsForProbes({ plan, heartbeat }: Pick<Config, "plan" | "heartbeat">): number {
  return PLAN_LIMITS[plan].subrequests - (heartbeat === null ? 0 : 1);
}

/** With that, a day has 720 writes at most. */
const USUAL_MS = 2 * MINUTE_MS;
const URGENT_A_DAY = 200;

export type PublishingPace = ReturnType<typeof publishingPace>;

/** What readers take for stale is older than two shards' pace by minutes; the queue of the free plan carries no more shards. */
export function publishingPace({ plan, shards }: Pick<Config, "plan" | "shards">) {
  const sharing = plan === "free" ? shards : 1;
  return {
    /** Without news; whole minutes. */
    usualMs: USUAL_MS * sharing,
    /** News are published at once, so often a day. */
    urgentADay: Math.floor(URGENT_A_DAY / sharing),
  };
}
