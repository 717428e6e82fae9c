/** Whether a plan carries a day, what it costs, and what can be changed; with the words for it. Pure. */
import { t } from "../config/spoken.ts";
import { isPrivateHost, parseUrl } from "../config/base-url.ts";
import type { Config } from "../config/config.ts";
import { MOST_SHARDS, MOST_LANES, PLAN_LIMITS, messagesATick } from "../config/plan-limits.ts";
import { ALLOWANCES, QUANTITIES, SUBSCRIPTION_MICROS, TICK_CPU, type Quantity } from "./figures.ts";
import { type Day, isLate, mostPerTick } from "./usage.ts";

export interface Held {
  readonly quantity: Quantity;
  readonly used: number;
  readonly allowed: number;
  /** Of what is allowed; over 1: it is not enough. */
  readonly share: number;
}

function heldTo(allowed: number | null, quantity: Quantity, used: number): readonly Held[] {
  return allowed === null ? [] : [{ quantity, used, allowed, share: used / allowed }];
}

export type FreeVerdict = ReturnType<typeof freeVerdict>;

export function freeVerdict(day: Day) {
  const held = QUANTITIES.flatMap((quantity) =>
    heldTo(ALLOWANCES[quantity].free, quantity, day.used[quantity]),
  ).sort((a, b) => b.share - a.share);
  return {
    /** Nothing passes it, and every monitor is on time. */
    holds: !day.late && held.every(({ share }) => share <= 1),
    /** All that the free plan counts, the tightest first. */
    held,
  };
}

/** Millionths of a dollar for a month; charges are for what goes beyond what is included. */
export type MonthlyPrice = ReturnType<typeof monthlyPrice>;
export type Charge = MonthlyPrice["charges"][number];

const DAYS_A_MONTH = 30;
const MILLION = 1_000_000;

/** Beside what the paid plan includes in a month, or limits. In the order of the table of allowances. */
export function paidShares(day: Day): readonly Held[] {
  return QUANTITIES.flatMap((quantity) => {
    const { price, paid } = ALLOWANCES[quantity];
    return heldTo(price?.included ?? paid, quantity, monthOf(quantity, day));
  });
}

/** What is counted a day, of a month; all else as it is. */
function monthOf(quantity: Quantity, { used }: Day): number {
  return used[quantity] * (ALLOWANCES[quantity].of === "day" ? DAYS_A_MONTH : 1);
}

export function monthlyPrice(day: Day) {
  const charges = QUANTITIES.flatMap((quantity) => {
    const { price } = ALLOWANCES[quantity];
    if (price === null) return [];
    const used = monthOf(quantity, day);
    const beyond = Math.max(0, used - price.included);
    const micros = Math.round((beyond / MILLION) * price.microsAMillion);
    return beyond === 0 ? [] : [{ quantity, used, included: price.included, micros }];
  });
  const totalMicros = charges.reduce((sum, { micros }) => sum + micros, SUBSCRIPTION_MICROS);
  return { subscriptionMicros: SUBSCRIPTION_MICROS, charges, totalMicros };
}

function passedWords({ quantity, used, allowed }: Held): string {
  const per = ALLOWANCES[quantity].of === "day" ? t` a day` : "";
  const [first = "", ...rest] = ALLOWANCES[quantity].words;
  const most = grouped(allowed);
  const few = grouped(used);
  const needed = few === most ? t`a little over ${few}` : few;
  return t`${first.toUpperCase()}${rest.join("")}: ${needed} needed${per}, ${most} allowed.`;
}

export function dollars(micros: number): string {
  const figures = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `$${(micros / MILLION).toLocaleString("en-US", figures)}`;
}

/** Few digits: it is a forecast. */
export function grouped(value: number): string {
  const digits = value < 10 && !Number.isInteger(value) ? 1 : 0;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

type Lateness = NonNullable<ReturnType<typeof latenessOf>>;

/** Null: all are on time. */
export function latenessOf(config: Config) {
  if (!isLate(config)) return null;
  const { plan, shards, maxProbesPerTick } = config;
  const { mostMessages, defaultProbesPerTick } = PLAN_LIMITS[plan];
  const duePerTick = mostPerTick(config);
  const lanes = Math.ceil(duePerTick / maxProbesPerTick);
  const mayHaveLanes = lanes <= MOST_LANES && messagesATick({ shards, lanes }) <= mostMessages;
  const larger = Math.ceil(duePerTick / config.lanes);
  // The free plan's default is as many as its CPU has room for.
  const mostALane = plan === "free" ? defaultProbesPerTick : MOST_A_LANE;
  const fixes = [
    t`raise every`,
    larger <= mostALane ? t`set maxProbesPerTick: ${larger}` : null,
    mayHaveLanes ? t`set lanes: ${lanes}` : null,
    !mayHaveLanes && shards < Math.min(MOST_SHARDS, mostMessages) ? t`use more shards` : null,
    plan === "free" ? PAID : null,
  ].filter((fix) => fix !== null);
  // In the shard that is latest: due in a tick on average, and what a tick takes.
  return { duePerTick, takenPerTick: config.lanes * maxProbesPerTick, fixes };
}

const PAID = t`use plan: "paid"`;

export function latenessWords({ shards }: Config, { duePerTick, takenPerTick, fixes }: Lateness): Advice {
  const whose = shards === 1 ? t`each monitor` : t`each of its monitors`;
  const times = rounded(duePerTick / takenPerTick);
  const tick = shards === 1 ? t`a tick` : t`a tick of the fullest shard`;
  return {
    problem: t`On average, ${rounded(duePerTick)} probes are due in ${tick}, but only ${takenPerTick} can run: ${whose} is checked ${times} times less often than configured.`,
    fix: fixes.join(t`; or `),
  };
}

function rounded(value: number): string {
  return (Math.round(value * 100) / 100).toLocaleString("en-US");
}

export function fixOf(quantity: Quantity, { gateways, shards, lanes }: Config): string {
  const { remedies } = ALLOWANCES[quantity];
  const tickMs = ALLOWANCES.tickCpuMs.free;
  const requests = Math.floor((tickMs - TICK_CPU.baseMs) / TICK_CPU.requestMs);
  const fixes = {
    probes: t`set a smaller maxProbesPerTick: ${tickMs} ms are enough for ${requests} requests`,
    monitors: t`use fewer monitors`,
    every: t`raise every`,
    regions: gateways.some((gateway) => gateway.regions.length > 0) ? t`use fewer regions` : null,
    lanes: lanes > 1 ? t`use fewer lanes` : null,
    shards: shards > 1 ? t`use fewer shards` : null,
    views: null,
  };
  const paid = remedies.includes("views") ? t`${PAID} (page views count too)` : PAID;
  return [...remedies.flatMap((remedy) => fixes[remedy] ?? []), paid].join(t`; or `);
}

export function freeAdvice(config: Config, { held }: FreeVerdict): readonly Advice[] {
  if (config.plan !== "free") return [];
  const passed = held.filter(({ share }) => share > 1);
  return passed.map((of) => ({ problem: passedWords(of), fix: fixOf(of.quantity, config) }));
}

/** `docs/scale.md` says why. */
const MOST_MONITORS_A_SHARD = 2_000;
const MOST_A_LANE = 500;

export interface Advice {
  readonly problem: string;
  /** Begins in lower case: it follows "fix:". */
  readonly fix: string;
}

export function adviceFor(config: Config): readonly Advice[] {
  const hidden = unreachable(config);
  return [
    ...(hidden === null ? [] : [{ problem: t`${hidden}; gatepulse start can.`, fix: PUBLIC_ADDRESS }]),
    ...laneAdvice(config),
    ...shardAdvice(config),
  ];
}

const PUBLIC_ADDRESS = t`before you deploy, write an address that is reachable from the internet`;

/** The gateways that a deployed Worker cannot reach; null: it can reach all. */
export function unreachable({ gateways }: Config): string | null {
  const hidden = gateways.filter(({ baseUrl }) => isPrivateHost(parseUrl(baseUrl)?.hostname ?? ""));
  if (hidden.length === 0) return null;
  return t`Cloudflare cannot reach the private address of ${hidden.map(({ id }) => id).join(", ")}`;
}

/** If one invocation has too much to ask within a minute. */
function laneAdvice(config: Config): readonly Advice[] {
  const due = mostPerTick(config);
  const probes = Math.min(config.maxProbesPerTick, due / config.lanes);
  const lanes = Math.min(MOST_LANES, Math.ceil(due / USUAL_A_LANE));
  if (probes <= MOST_A_LANE || lanes <= config.lanes) return [];
  const problem = t`One invocation checks ${rounded(probes)} monitors. With six connections and answers that take 0.7 s, that takes more than a minute.`;
  return [{ problem, fix: t`set lanes: ${lanes} and maxProbesPerTick: ${Math.ceil(due / lanes)}` }];
}

/** That many answers of 2 s take a minute, as many as `maxProbesPerTick` is where it is not written. */
const USUAL_A_LANE = PLAN_LIMITS.paid.defaultProbesPerTick;

/** Monitors count however rarely they are probed. */
export function shardsFor({ gateways }: Pick<Config, "gateways">): number {
  const monitors = gateways.reduce((sum, gateway) => sum + gateway.monitors.length, 0);
  return Math.min(MOST_SHARDS, Math.ceil(monitors / MOST_MONITORS_A_SHARD));
}

function shardAdvice(config: Config): readonly Advice[] {
  const shards = shardsFor(config);
  if (shards <= config.shards) return [];
  const problem = t`With more than ${MOST_MONITORS_A_SHARD} monitors, the ticks of a Ledger become slow.`;
  const isTooMany = shards > PLAN_LIMITS[config.plan].mostMessages;
  return [{ problem, fix: t`set shards: ${shards}${isTooMany ? t` and plan: "paid"` : ""}` }];
}
