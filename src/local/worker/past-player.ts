/** Records the demo's past through the Ledger's own steps. While nothing changes, one tick records all samples since the last one. */
import type { MonitorConfig } from "../../config/config.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/calendar.ts";
import type { ProbeResult } from "../../domain/tick.ts";
import { identify, type Identities } from "../../ledger/begin/apply-config.ts";
import type { LedgerSettings } from "../../ledger/rpc.ts";
import { LedgerService } from "../../ledger/service.ts";
import {
  answerKey,
  FLAPPING,
  isQuiet,
  STORY_MS,
  turnOf,
  type Asked,
  type Past,
  type Turn,
} from "../story/story.ts";

/** The same number on each day but the last, so that all days count the same. */
const SAMPLE_MS = 20 * MINUTE_MS;
/** While changes come fast. None of them counts against uptime. */
const FLAPPING_SAMPLE_MS = 5 * MINUTE_MS;
/** How long each sample after a change has its own tick: incidents need several to open and to end. */
const RESTLESS_MS = 40 * MINUTE_MS;
const QUIET_MS = 6 * HOUR_MS;
/** An hour costs most. On an earlier day without events, all samples are in the same hour. */
const EVERY_HOUR_MS = 15 * DAY_MS;

/** Nothing is published in this time. */
const SILENT = { usualMs: Number.POSITIVE_INFINITY, urgentADay: 0 };

/** @param storage of a Ledger that has recorded nothing. */
export async function playPast(storage: DurableObjectStorage, settings: LedgerSettings, past: Past) {
  const { startMs, tickMs } = past;
  const endMs = (Math.floor(startMs / tickMs) - 1) * tickMs;
  const firstMs = Math.floor((endMs - STORY_MS) / DAY_MS) * DAY_MS;
  const { kv, write } = lateKv(settings.kv);
  const player = await PastPlayer.open(storage, { ...settings, kv }, past);
  for (let dayMs = firstMs; dayMs <= endMs; dayMs += DAY_MS) {
    await player.playDay(instantsOf(dayMs, endMs, past));
  }
  await new LedgerService(storage, { ...settings, kv, now: () => endMs + 1 }).maintain();
  await write();
}

interface Instant {
  readonly atMs: number;
  /** Whether only due monitors are checked, as in the present. */
  readonly isRecent: boolean;
}

/** In the last 24 hours samples are as dense as in the present, so a failure that you watch counts no more than an earlier one. */
function instantsOf(dayMs: number, endMs: number, { startMs, tickMs }: Past): readonly Instant[] {
  const [fromMs, toMs] = [dayMs - startMs, dayMs + DAY_MS - startMs];
  const recentMs = endMs - DAY_MS;
  const sampleMs = fromMs < FLAPPING.toMs && FLAPPING.fromMs < toMs ? FLAPPING_SAMPLE_MS : SAMPLE_MS;
  const isIdle = dayMs < endMs - EVERY_HOUR_MS && isQuiet(fromMs, toMs);
  const stepMs = isIdle ? HOUR_MS / (DAY_MS / sampleMs) : sampleMs;
  const firstMs = dayMs + (isIdle ? 0 : endMs % sampleMs);
  const old = Array.from({ length: DAY_MS / sampleMs }, (_, index) => firstMs + index * stepMs)
    .filter((atMs) => atMs <= recentMs)
    .map((atMs) => ({ atMs, isRecent: false }));
  const presentMs = Math.max(MINUTE_MS, tickMs);
  const recent = Array.from({ length: DAY_MS / presentMs }, (_, index) => endMs - index * presentMs)
    .filter((atMs) => dayMs <= atMs && atMs < dayMs + DAY_MS)
    .map((atMs) => ({ atMs, isRecent: true }));
  return [...old, ...recent.reverse()];
}

/** KV as it would be now. Expired values are not written; the rest is written at once at the end. */
function lateKv(kv: KVNamespace) {
  const written = new Map<string, () => Promise<void>>();
  const earliest = (Date.now() + HOUR_MS) / 1000;
  const put = async (key: string, value: ArrayBuffer, options?: KVNamespacePutOptions): Promise<void> => {
    if ((options?.expiration ?? earliest) < earliest) return;
    written.set(key, () => kv.put(key, value, options));
  };
  return {
    kv: Object.assign(Object.create(kv), { put }) as KVNamespace,
    write: () => Promise.all(Array.from(written.values(), (putNow) => putNow())),
  };
}

class PastPlayer {
  readonly #service: LedgerService;
  readonly #past: Past;
  readonly #monitors: readonly MonitorConfig[];
  #identities: Identities = {};
  #nowMs = 0;
  #stepMs = FLAPPING_SAMPLE_MS;
  /** Since the last tick, by monitor. */
  readonly #waiting = new Map<string, ProbeResult[]>();
  /** When each monitor is checked next, within the last 24 hours. */
  readonly #dueMs = new Map<string, number>();
  /** The answer to each monitor in the last tick. */
  #scene = "";

  static async open(
    storage: DurableObjectStorage,
    settings: LedgerSettings,
    past: Past,
  ): Promise<PastPlayer> {
    const player = new PastPlayer(storage, settings, past);
    player.#identities = await identify(settings.config, player.#service.memory.salt(), (name) =>
      settings.secret(name),
    );
    return player;
  }

  private constructor(storage: DurableObjectStorage, settings: LedgerSettings, past: Past) {
    const stepMs = (): number => this.#stepMs;
    this.#past = past;
    this.#monitors = settings.config.gateways.flatMap(({ monitors }) => monitors);
    this.#service = new LedgerService(storage, {
      ...settings,
      pace: SILENT,
      now: () => this.#nowMs,
      // It rarely stays the same from tick to tick.
      get tickIntervalMs() {
        return stepMs();
      },
    });
  }

  async playDay(instants: readonly Instant[]): Promise<void> {
    let changedMs = Number.NEGATIVE_INFINITY;
    for (const [index, { atMs, isRecent }] of instants.entries()) {
      const scene = this.#sample(atMs, isRecent);
      if (scene !== this.#scene) [this.#scene, changedMs] = [scene, atMs];
      const isDue = atMs - changedMs <= RESTLESS_MS || atMs - this.#nowMs >= QUIET_MS;
      if (isDue || index === instants.length - 1) this.#tick(atMs);
    }
    await this.#service.maintain();
  }

  /** Checks all monitors, or the due ones. Returns the answer to each. */
  #sample(atMs: number, isRecent: boolean): string {
    const { startMs, tickMs } = this.#past;
    return this.#monitors
      .map(({ id, gatewayId, everyMs, canary }) => {
        const asked = canary === null ? "list" : "chat";
        const turn = turnOf(gatewayId, asked, atMs - startMs, tickMs);
        if (isRecent && atMs < (this.#dueMs.get(id) ?? 0)) return turn.scenario;
        const waiting = this.#waiting.get(id) ?? [];
        this.#waiting.set(id, [this.#resultOf(id, asked, turn, atMs), ...waiting]);
        this.#dueMs.set(id, atMs + Math.max(everyMs, this.#decidedMs(id)));
        return turn.scenario;
      })
      .join();
  }

  /** The time from its last check to the next, as the last tick decided: longer after failures. */
  #decidedMs(monitorId: string): number {
    const { nextDueMs = 0, lastProbe } = this.#service.memory.state.monitors[monitorId] ?? {};
    return nextDueMs - (lastProbe?.atMs ?? nextDueMs);
  }

  #resultOf(monitorId: string, asked: Asked, { scenario, delayMs }: Turn, atMs: number): ProbeResult {
    const answer = this.#past.answers[answerKey(asked, scenario)];
    if (answer === undefined) throw new Error(`nothing is known of ${asked} ${scenario}`);
    const { outcome, findings } = answer;
    const attempts = outcome.attempts.map((attempt) => ({ ...attempt, durationMs: delayMs }));
    const waitedMs = attempts.reduce((sum, attempt) => sum + attempt.waitedMs, 0);
    const durationMs = waitedMs + delayMs * attempts.length;
    const timed = { ...outcome, startedAtMs: atMs, durationMs, latencyMs: delayMs, attempts, waitedMs };
    if (findings?.type !== "canary") return { monitorId, outcome: timed, ...(findings && { findings }) };
    const { figures } = findings;
    const firstTokenMs = figures.firstTokenMs === null ? null : delayMs;
    return { monitorId, outcome: timed, findings: { ...findings, figures: { ...figures, firstTokenMs } } };
  }

  #tick(tickMs: number): void {
    const request = { tickMs, invocation: `past-${tickMs}` };
    const stepMs = Math.min(this.#past.tickMs, FLAPPING_SAMPLE_MS);
    this.#stepMs = Math.max(stepMs, tickMs - this.#nowMs);
    this.#nowMs = tickMs + 1;
    const { assignments, canaries } = this.#service.order(request, this.#identities);
    this.#stepMs = stepMs;
    const asked = [
      ...canaries.flatMap(({ errands }) => errands.map(({ monitorId }) => monitorId)),
      ...assignments.flatMap(({ monitorIds }) => monitorIds),
    ];
    const results = asked.flatMap((id) => this.#waiting.get(id) ?? []);
    this.#service.store({ ...request, results, returned: [], ownNetworkFailed: false });
    this.#waiting.clear();
    const { monitors } = this.#service.memory.state;
    for (const [id, { nextDueMs }] of Object.entries(monitors)) this.#dueMs.set(id, nextDueMs);
  }
}
