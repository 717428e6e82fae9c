/** Ticks as the tests play them. */
import type { Assignment, Batch } from "../../src/domain/tick.ts";
import type { CanaryAssignment, Errand } from "../../src/domain/canary.ts";
import type { Probed, ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import type { VantagePort } from "../../src/probe/vantage-point.ts";
import { runTick, type TickPorts } from "../../src/probe/tick.ts";
import type { Leave } from "../../src/probe/traffic.ts";
import { NO_REGIONS } from "../fixtures/no-regions.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { IN_NODE, PlayedClock } from "../fixtures/played-clock.ts";

export const gateway = (gatewayId: string, hangs = false, monitors = 1, suspect = false): Assignment => ({
  gatewayId,
  hangs,
  suspect,
  excused: false,
  monitorIds: Array.from({ length: monitors }, (_, n) => `${gatewayId}/m${n}`),
});

export interface Scene {
  /** Default: a minute. */
  tickMs?: number;
  assignments: readonly Assignment[];
  canaries?: readonly CanaryAssignment[];
  /** The time limit of a canary's request; default 60 s. */
  canaryLimitMs?: number;
  /** What becomes of an errand after it was sent; default: a good probe. */
  canaried?: (errand: Errand, leave: Leave) => Probed;
  /** How long the probe of a monitor takes; default 10 ms. */
  takesMs?: (monitorId: string) => number;
  /** How many requests it sends, half a minute apart; default 1. */
  attempts?: (monitorId: string) => number;
  probed?: (monitorId: string, leave: Leave) => Probed;
  record?: (batch: Batch) => Promise<void>;
  /** The Ledger takes nothing so many times; default 0. */
  refusals?: number;
  duplicate?: boolean;
  /** Further lanes that the Ledger wants. */
  lanes?: number;
  requestLimit?: number;
  hostOf?: (gatewayId: string) => string;
  pages?: readonly string[];
  readPage?: (page: string, leave: Leave, clock: PlayedClock) => ReturnType<TickPorts["readPage"]>;
  /** Default: no gateway has regions. */
  vantage?: (clock: PlayedClock) => VantagePort;
  /** Its result; default: there is none. */
  heartbeat?: () => Promise<string | null>;
}

export const probedAs = (over: Partial<ProbeOutcome> = {}): Probed => ({
  type: "probed",
  outcome: outcome(over),
});
const UNREACHED = diagnosis("dns_failure", "down", { layer: "network", httpStatus: null });
export const lost = (): Probed => probedAs({ diagnosis: UNREACHED });
export const notSent: Probed = { type: "not_sent_by_platform" };
export const bug = (): never => {
  throw new TypeError("a bug");
};
/** A heartbeat that is taken. */
export const taken = async (): Promise<null> => null;
export const excused = (id: string): Assignment => ({ ...gateway(id), excused: true });

/** A tick in virtual time, whose probes only wait. */
export async function play(scene: Scene) {
  const clock = new PlayedClock(IN_NODE, 60_000);
  const log: { at: number; monitorId: string; event: "start" | "end" }[] = [];
  const batches: (Batch & { at: number })[] = [];
  const warnings: string[] = [];
  const beats: number[] = [];
  const started: number[] = [];
  const { heartbeat, refusals = 0 } = scene;
  let offers = 0;
  const exchange = async (monitorId: string) => {
    log.push({ at: clock.nowMs, monitorId, event: "start" });
    await clock.sleep(scene.takesMs?.(monitorId) ?? 10);
    log.push({ at: clock.nowMs, monitorId, event: "end" });
  };
  const ports: TickPorts = {
    clock: {
      now: () => clock.now(),
      sleep: (ms) => clock.sleep(ms),
      timeoutSignal: (ms) => {
        const limit = new AbortController();
        void clock.sleep(ms).then(() => limit.abort());
        return limit.signal;
      },
    },
    vantage: scene.vantage?.(clock) ?? NO_REGIONS,
    readPage: async (page, leave) => scene.readPage?.(page, leave, clock) ?? null,
    hostOf: scene.hostOf ?? ((id) => `${id}.example`),
    startLanes: async (count) => {
      started.push(count);
    },
    requestLimit: scene.requestLimit ?? 50,
    heartbeat: heartbeat
      ? () => {
          beats.push(clock.nowMs - 60_000);
          return heartbeat();
        }
      : null,
    warn: (what) => warnings.push(what),
    ledger: {
      begin: async () => ({
        duplicate: scene.duplicate ?? false,
        unfinished: false,
        assignments: scene.assignments,
        canaries: scene.canaries ?? [],
        ...(scene.pages && { pages: scene.pages }),
        lanes: scene.lanes ?? 0,
        shards: 1,
      }),
      record: async (batch) => {
        offers += 1;
        if (offers <= refusals) throw new Error("the object was reset");
        await scene.record?.(batch);
        batches.push({ ...batch, at: clock.nowMs - 60_000 });
      },
    },
    probe: async (monitorId, leave) => {
      for (let attempt = 0; attempt < (scene.attempts?.(monitorId) ?? 1); attempt += 1) {
        if (attempt > 0) await clock.sleep(30_000);
        if (!(await leave.begin(30_000))) return { type: "not_sent_by_platform" };
        await exchange(monitorId);
        leave.end();
      }
      return scene.probed?.(monitorId, leave) ?? probedAs();
    },
    canary: async (errand, leave) => {
      if (!(await leave.begin(scene.canaryLimitMs ?? 60_000))) return { type: "not_sent_by_platform" };
      await exchange(errand.monitorId);
      leave.end();
      return scene.canaried?.(errand, leave) ?? probedAs();
    },
  };
  const running = clock.run(runTick({ tickMs: scene.tickMs ?? 60_000, invocation: "i" }, ports));
  const summary = await running.catch((error: unknown) => error);
  const recorded = batches.flatMap(({ results }) => results.map((r) => r.monitorId));
  const returned = batches.flatMap((batch) => batch.returned);
  return { summary, log, batches, warnings, beats, started, recorded, returned };
}

export const gateways = (count: number, hangs = false) =>
  Array.from({ length: count }, (_, n) => gateway(`${hangs ? "h" : "g"}${n}`, hangs));

export function mostAtOnce(
  log: Awaited<ReturnType<typeof play>>["log"],
  of: (monitorId: string) => boolean,
): number {
  let now = 0;
  let most = 0;
  for (const { monitorId, event } of log) {
    if (!of(monitorId)) continue;
    now += event === "start" ? 1 : -1;
    most = Math.max(most, now);
  }
  return most;
}
