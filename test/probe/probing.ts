/** The probes as tests run them, under a clock that is turned by hand: one exchange, a list, a canary. */
import { readConfig } from "../../src/config/load.ts";
import type { Errand, OpenTask } from "../../src/domain/canary.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import { type CanaryTarget, runCanaryProbe } from "../../src/probe/canary-probe.ts";
import type { Clock } from "../../src/probe/clock.ts";
import { type ExchangeRequest, type Fetch, runExchange } from "../../src/probe/exchange.ts";
import { type ModelsTarget, runModelsProbe } from "../../src/probe/models-probe.ts";
import type { RoundsDeps } from "../../src/probe/rounds.ts";
import { readThrown } from "../../src/protocol/thrown.ts";

export interface HandClock extends Clock {
  /** What the probe waited for, and what time limits were set, in milliseconds, in order. */
  readonly waits: readonly number[];
  readonly limits: readonly number[];
  advance(ms: number): void;
  /** Lets the newest time limit pass. */
  passLimit(): void;
}

/** Waits are over at once and are counted; time limits pass when told to. */
export function handClock(): HandClock {
  let nowMs = 1_000_000;
  const waits: number[] = [];
  const limits: number[] = [];
  let newest = new AbortController();
  return {
    waits,
    limits,
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
    timeoutSignal: (ms) => {
      limits.push(ms);
      newest = new AbortController();
      return newest.signal;
    },
    passLimit: () => newest.abort(new DOMException("The limit has passed.", "TimeoutError")),
    sleep: async (ms) => {
      waits.push(ms);
      nowMs += ms;
    },
  };
}

const HEADERS = { authorization: "Bearer k", accept: "application/json" };

export async function exchange(
  url: string,
  clock = handClock(),
  send: Fetch = fetch,
  over: Partial<ExchangeRequest> = {},
) {
  const request = { kind: "models", method: "GET", url, headers: HEADERS, ...over } as const;
  const seen = await runExchange(request, { fetch: send, clock, readFailure: readThrown });
  if (seen === null) throw new Error("it was not sent");
  return seen;
}

export async function observationAt(url: string) {
  return (await exchange(url)).observation;
}

/** When it comes, and what. */
export type Piece = readonly [afterMs: number, text: string];

export type End = "closes" | "breaks" | "falls silent";

/** An event stream whose pieces come when the clock says so; then it ends, breaks, or is silent until the time limit passes. */
export function piecesAt(clock: HandClock, pieces: readonly Piece[], end: End): Fetch {
  const left = [...pieces];
  let nowMs = 0;
  const read = async (signal: AbortSignal | null | undefined) => {
    const next = left.shift();
    if (next === undefined && end === "falls silent") clock.passLimit();
    signal?.throwIfAborted();
    if (next === undefined && end === "breaks") throw new TypeError("terminated");
    if (next === undefined) return { done: true };
    clock.advance(next[0] - nowMs);
    [nowMs] = next;
    return { done: false, value: new TextEncoder().encode(next[1]) };
  };
  const headers = new Headers({ "content-type": "text/event-stream" });
  return async (_url, { signal }) => {
    const body = { getReader: () => ({ read: () => read(signal), cancel: async () => undefined }) };
    return { status: 200, headers, body };
  };
}

export const KEY = "sk-test-0123456789abcdef";

const TARGET = { apiKey: KEY, secretName: "ACME_API_KEY", expect: [], watched: [], slowerThanMs: null };

export function target(baseUrl: string, over: Partial<ModelsTarget> = {}): ModelsTarget {
  return { ...TARGET, baseUrl, ...over };
}

export function deps(over: Partial<RoundsDeps> = {}): RoundsDeps {
  return { fetch, clock: handClock(), random: () => 0.5, readFailure: readThrown, ...over };
}

/** What came of a probe that was sent. */
export async function probed(wanted: ModelsTarget, given: RoundsDeps = deps()) {
  const found = await runModelsProbe(wanted, given);
  if (found.type !== "probed") throw new Error(found.type);
  return found;
}

export async function outcomeOf(wanted: ModelsTarget, given: RoundsDeps = deps()): Promise<ProbeOutcome> {
  return (await probed(wanted, given)).outcome;
}

export type Written = Readonly<Record<string, unknown>>;

/** A canary as `gatepulse.config.ts` would write it. */
function canaryOf(written: Written): CanaryTarget["monitor"] {
  const gateways = [
    { id: "a", name: "A", baseUrl: "https://a.example", apiKey: "A_KEY", monitors: [written] },
  ];
  const monitor = readConfig({ title: "T", gateways }).gateways[0]?.monitors[0];
  if (!monitor?.canary) throw new Error("no canary");
  return { ...monitor, canary: monitor.canary };
}

export const errand = (task: OpenTask | null = null, attempts = 1, differing = 0): Errand => ({
  monitorId: "a/canary",
  task,
  attempts,
  differing,
});

export async function probeCanary(
  written: Written,
  baseUrl: string,
  over: { errand?: Errand; deps?: Partial<RoundsDeps>; target?: Partial<CanaryTarget> } = {},
) {
  return runCanaryProbe(
    { monitor: canaryOf(written), baseUrl, apiKey: KEY, secretName: "A_KEY", ...over.target },
    over.errand ?? errand(),
    deps(over.deps),
  );
}

/** The outcome and the findings of a canary that was sent. */
export async function askCanary(...args: Parameters<typeof probeCanary>) {
  const found = await probeCanary(...args);
  if (found.type !== "probed") throw new Error(found.type);
  const { outcome, findings } = found;
  if (findings?.type !== "canary") throw new Error("no findings of a canary");
  return { outcome, diagnosis: outcome.diagnosis, findings };
}
