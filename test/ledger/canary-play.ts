/** Ticks of a gateway `a` with canaries, against the real rules of the Ledger and through its stored documents. */
import type { CanaryConfig, Config, MonitorConfig } from "../../src/config/config.ts";
import type { Errand, Findings, OpenTask } from "../../src/domain/canary.ts";
import type { GenerationFigures } from "../../src/domain/generation.ts";
import { NO_FIGURES } from "../../src/domain/generation.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import type { ProbeResult } from "../../src/domain/tick.ts";
import { beginTick } from "../../src/ledger/begin.ts";
import { type Recorded, recordBatch } from "../../src/ledger/record.ts";
import { DOCUMENTS, EMPTY_STATE, type LedgerState } from "../../src/ledger/state.ts";
import type { Cause, Diagnosis, Health } from "../../src/protocol/diagnosis.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** 2026-11-20T00:00:00Z */
export const START = 1_795_132_800_000;

/** A `chat` canary of the model `m-1`, asked every minute, at the gateway `a`. */
export function canary(over: Partial<CanaryConfig> = {}, of: Partial<MonitorConfig> = {}): MonitorConfig {
  const request = {
    method: "POST",
    path: "/v1/chat/completions",
    headers: { authorization: "Bearer {key}", "content-type": "application/json" },
    body: '{"model":"m-1"}',
  } as const;
  const rules: CanaryConfig = {
    kind: "chat",
    request,
    apiKey: "KEY",
    hasOwnKey: false,
    evidence: "text",
    isStreamed: false,
    pointers: {},
    expect: [],
    isGeneration: true,
    task: null,
    timeoutMs: 30_000,
    retry: false,
    perDay: null,
    prices: null,
    warnBelow: null,
    ...over,
  };
  return monitor("a", { id: "a/chat", kind: "chat", model: "m-1", canary: rules, ...of });
}

/** One whose requests become tasks, with an hour to be done. */
export function video(over: Partial<CanaryConfig> = {}, of: Partial<MonitorConfig> = {}): MonitorConfig {
  const task = { path: "/v1/videos/{id}", deadlineMs: HOUR };
  return canary({ kind: "video", task, ...over }, { id: "a/video", kind: "video", ...of });
}

export function withCanaries(monitors: readonly MonitorConfig[], over: Partial<Config> = {}): Config {
  return config([gateway("a", { monitors })], over);
}

export interface Told {
  readonly outcome?: Partial<ProbeOutcome>;
  readonly figures?: Partial<GenerationFigures>;
  readonly balance?: number | null;
  readonly task?: OpenTask | null;
}

export const failed = (cause: Cause, health: Health, over: Partial<Diagnosis> = {}): Told => ({
  outcome: { diagnosis: diagnosis(cause, health, over), modelCount: null },
});

export const PENDING = diagnosis("task_pending", "unknown", { layer: "task", owner: "nobody" });

export class CanaryPlay {
  settings: Config;
  state: LedgerState = EMPTY_STATE;
  identity = "addr:key";
  run: string | null = null;
  recorded: Recorded | null = null;
  readonly #known = new Set<string>();

  constructor(settings: Config) {
    this.settings = settings;
  }

  /** @param minute of `START`, which is also the clock's unless `nowMs` says otherwise. */
  begin(minute: number, { invocation = `i${minute}`, nowMs = at(minute) } = {}) {
    const began = beginTick(
      this.state,
      { tickMs: at(minute), invocation },
      { ...this.#world(nowMs), identities: { a: this.identity }, run: this.run },
    );
    this.#keep(began.state);
    return began.answer;
  }

  /** The errands of a tick. */
  errands(minute: number, of: { invocation?: string; nowMs?: number } = {}): readonly Errand[] {
    return this.begin(minute, of).canaries.flatMap(({ errands }) => errands);
  }

  /** Results of a tick's canaries, by full ids; each started 10 ms after the tick. */
  record(
    minute: number,
    told: Readonly<Record<string, Told>>,
    { nowMs = at(minute) + 1000, invocation = `i${minute}`, returned = [] as readonly string[] } = {},
  ): Recorded {
    const results = Object.entries(told).map(([id, of]) => resultOf(id, of, at(minute) + 10));
    return this.offer({ minute, results, nowMs, invocation, returned });
  }

  /** A list that was good, or why it was not. */
  list(minute: number, of: Told = {}, findings?: Findings): Recorded {
    const told = outcome({ startedAtMs: at(minute) + 5, ...of.outcome });
    const result = { monitorId: "a/models", outcome: told, ...(findings && { findings }) };
    return this.offer({
      minute,
      results: [result],
      nowMs: at(minute) + 900,
      invocation: `i${minute}`,
      returned: [],
    });
  }

  offer(of: {
    minute: number;
    results: readonly ProbeResult[];
    nowMs: number;
    invocation: string;
    returned: readonly string[];
  }): Recorded {
    const { minute, nowMs, ...batch } = of;
    const recorded = recordBatch(
      this.state,
      { tickMs: at(minute), ownNetworkFailed: false, ...batch },
      { ...this.#world(nowMs), isRecorded: (id, atMs) => this.#known.has(`${id} ${atMs}`) },
    );
    for (const { monitorId, sample } of recorded.samples) this.#known.add(`${monitorId} ${sample.atMs}`);
    this.#keep(recorded.state);
    this.recorded = recorded;
    return recorded;
  }

  canary(id = "a/chat") {
    const found = this.state.canaries[id];
    if (!found) throw new Error(`there is no canary ${id}`);
    return found;
  }

  monitor(id = "a/chat") {
    const found = this.state.monitors[id];
    if (!found) throw new Error(`there is no monitor ${id}`);
    return found;
  }

  /** Requests that are counted for the day of that minute. */
  requests(minute: number, id = "a/chat"): number {
    const day = new Date(at(minute)).toISOString().slice(0, 10);
    return this.canary(id).days.find((of) => of.day === day)?.requests ?? 0;
  }

  /** The minutes from `from` to `to` in which the canary is asked; each request is answered by `answer`. */
  asked(from: number, to: number, answer: (minute: number) => Told, id = "a/chat"): number[] {
    const minutes: number[] = [];
    for (let minute = from; minute <= to; minute += 1) {
      if (!this.errands(minute).some(({ monitorId }) => monitorId === id)) continue;
      minutes.push(minute);
      this.record(minute, { [id]: answer(minute) });
    }
    return minutes;
  }

  #world(nowMs: number) {
    return { config: this.settings, maintenance: [], nowMs, tickIntervalMs: MINUTE };
  }

  #keep({ journal, ...members }: LedgerState): void {
    const read = <Value>(value: Value): unknown => JSON.parse(JSON.stringify(value));
    this.state = {
      journal: DOCUMENTS.journal.parse(read(journal)),
      ...DOCUMENTS.members.parse(read(members)),
    };
  }
}

export const at = (minute: number): number => START + minute * MINUTE;

export function resultOf(monitorId: string, told: Told, startedAtMs: number): ProbeResult {
  const { figures = {}, balance = null, task = null } = told;
  return {
    monitorId,
    outcome: outcome({ startedAtMs, modelCount: null, ...told.outcome }),
    findings: { type: "canary", figures: { ...NO_FIGURES, ...figures }, balance, task },
  };
}
