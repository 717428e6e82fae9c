/** What was probed and accepted, and what follows from it, by the simplest code there is. Shares nothing with the product. */
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import type { Watched } from "./deployments.ts";

export interface Noted {
  readonly atMs: number;
  readonly health: string;
  readonly cause: string;
  readonly latencyMs: number | null;
  readonly attempts: number;
  readonly waitedMs: number;
  readonly httpStatus: number | null;
  readonly inMaintenance: boolean;
}

export interface PlainRollup {
  readonly fromMs: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly p99: number } | null;
  readonly attempts: number;
  readonly cause: string | null;
}

/** Of a monitor without flapping: what had to be sent about each incident, once. */
export interface PlainIncident {
  readonly who: number;
  /** The monitor's gateway when it began. */
  readonly name: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
}

interface Rules {
  failures: number;
  goods: number;
  lastUpMs: number | null;
  openedAtMs: number | null;
  openedAs: string;
  isPaused: boolean;
}

const NOTHING_SEEN: Rules = {
  failures: 0,
  goods: 0,
  lastUpMs: null,
  openedAtMs: null,
  openedAs: "",
  isPaused: false,
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** What suddenly looks wrong of an address that answered well within a day is the operator's. */
const MOVED = new Set<string>(["wrong_url", "not_found", "malformed_request"]);

export class PlainLog {
  /** By monitor, as far as they are to be compared yet. */
  readonly samples = new Map<number, Noted[]>();
  readonly incidents: PlainIncident[] = [];
  readonly #rules = new Map<number, Rules>();

  /** @param moves false: it came too late to say anything of now. */
  take(watched: Watched, outcome: ProbeOutcome, inMaintenance: boolean, moves: boolean): void {
    const { who } = watched;
    const rules = this.#rulesOf(who);
    const { diagnosis, startedAtMs: atMs } = outcome;
    const wasUp = rules.lastUpMs !== null && atMs - rules.lastUpMs <= DAY_MS;
    const health = wasUp && MOVED.has(diagnosis.cause) ? "down" : diagnosis.health;
    const list = this.samples.get(who) ?? [];
    this.samples.set(who, list);
    // Whatever came again came again soon.
    if (!list.slice(-200).some((other) => other.atMs === atMs)) {
      list.push({
        atMs,
        health,
        cause: diagnosis.cause,
        latencyMs: outcome.latencyMs,
        attempts: outcome.attempts.length,
        waitedMs: outcome.waitedMs,
        httpStatus: diagnosis.httpStatus,
        inMaintenance,
      });
    }
    if (moves && !rules.isPaused) this.#move(watched, rules, { atMs, health, inMaintenance });
  }

  pause(who: number, atMs: number): void {
    const rules = this.#rulesOf(who);
    rules.isPaused = true;
    this.#close(who, rules, atMs);
    [rules.failures, rules.goods] = [0, 0];
  }

  resume(who: number): void {
    this.#rulesOf(who).isPaused = false;
  }

  remove(who: number, atMs: number): void {
    this.#close(who, this.#rulesOf(who), atMs);
    this.#rules.delete(who);
  }

  /** Those that are open. */
  open(): readonly PlainIncident[] {
    return [...this.#rules].flatMap(([who, { openedAtMs, openedAs: name }]) =>
      openedAtMs === null ? [] : [{ who, name, openedAtMs, closedAtMs: null }],
    );
  }

  forgetBefore(atMs: number): void {
    for (const [who, list] of this.samples) {
      const kept = list.filter((sample) => sample.atMs >= atMs);
      if (kept.length === 0) this.samples.delete(who);
      else this.samples.set(who, kept);
    }
  }

  #rulesOf(who: number): Rules {
    const known = this.#rules.get(who);
    if (known) return known;
    const fresh: Rules = { ...NOTHING_SEEN };
    this.#rules.set(who, fresh);
    return fresh;
  }

  #move(
    { who, name, open, close, flapping }: Watched,
    rules: Rules,
    { atMs, health, inMaintenance }: Pick<Noted, "atMs" | "health" | "inMaintenance">,
  ): void {
    if (health === "unknown") return;
    if (health === "up") {
      [rules.failures, rules.goods, rules.lastUpMs] = [0, rules.goods + 1, atMs];
    } else if (inMaintenance) {
      [rules.failures, rules.goods] = [0, 0];
    } else {
      [rules.failures, rules.goods] = [rules.failures + 1, 0];
    }
    if (flapping !== null) return;
    if (rules.openedAtMs === null && rules.failures >= open) {
      [rules.openedAtMs, rules.openedAs] = [atMs, name];
    }
    if (rules.openedAtMs !== null && rules.goods >= close) this.#close(who, rules, atMs);
  }

  #close(who: number, rules: Rules, atMs: number): void {
    if (rules.openedAtMs === null) return;
    this.incidents.push({ who, name: rules.openedAs, openedAtMs: rules.openedAtMs, closedAtMs: atMs });
    rules.openedAtMs = null;
  }
}

export function hourOf({ atMs }: Noted): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}

const berlin = new Intl.DateTimeFormat("en-CA", {
  timeZone: "Europe/Berlin",
  dateStyle: "short",
});
const knownDays = new Map<number, string>();

/** The day in Berlin, by its name. */
export function dayOf({ atMs }: Pick<Noted, "atMs">): string {
  const quarter = Math.floor(atMs / 900_000);
  const known = knownDays.get(quarter);
  if (known !== undefined) return known;
  const day = berlin.format(atMs);
  knownDays.set(quarter, day);
  return day;
}

/** When the day began in Berlin: the clocks there are one hour or two ahead. */
export function dayStart(day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  for (const ahead of [2, 1]) {
    const atMs = midnight - ahead * HOUR_MS;
    if (berlin.format(atMs) === day && berlin.format(atMs - 1) !== day) return atMs;
  }
  throw new Error(`no midnight of ${day}`);
}

const WORST_FIRST = ["down", "blocked", "degraded", "unknown", "up"];
const SUCCESSES = new Set<string>(["ok", "slow", "model_missing", "balance_low", "model_substituted"]);

export function plainRollup(fromMs: number, unordered: readonly Noted[]): PlainRollup {
  const samples = unordered.toSorted((a, b) => a.atMs - b.atMs);
  const counts: Record<string, number> = {
    up: 0,
    degraded: 0,
    down: 0,
    blocked: 0,
    unknown: 0,
    maintenance: 0,
  };
  for (const { health, inMaintenance } of samples) {
    const name = inMaintenance ? "maintenance" : health;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  const latencies = samples
    .filter(({ cause, latencyMs }) => SUCCESSES.has(cause) && latencyMs !== null)
    .map(({ latencyMs }) => latencyMs ?? 0)
    .toSorted((a, b) => a - b);
  const rank = (percent: number): number => latencies[Math.ceil((percent / 100) * latencies.length) - 1] ?? 0;
  return {
    fromMs,
    counts,
    latencyMs: latencies.length === 0 ? null : { p50: rank(50), p95: rank(95), p99: rank(99) },
    attempts: samples.reduce((sum, { attempts }) => sum + attempts, 0),
    cause: leadingCause(samples.filter(({ inMaintenance }) => !inMaintenance)),
  };
}

function leadingCause(samples: readonly Noted[]): string | null {
  const worst = WORST_FIRST.find((health) => samples.some((sample) => sample.health === health));
  const causes = samples.filter(({ health }) => health === worst).map(({ cause }) => cause);
  const often = (cause: string): number => causes.filter((other) => other === cause).length;
  const [leading] = [...new Set(causes)].toSorted((a, b) => often(b) - often(a));
  return leading ?? null;
}
