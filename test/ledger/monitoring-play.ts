/** A monitoring in virtual time: real ticks, with their recorder, against the real rules of the Ledger. */
import type { Config } from "../../src/config/config.ts";
import type { MaintenanceWindow } from "../../src/domain/schedule.ts";
import { pauseMonitor } from "../../src/domain/incident-rules.ts";
import { gatewayOf } from "../../src/domain/monitor-state.ts";
import type { Probed } from "../../src/domain/probe-outcome.ts";
import { beginTick } from "../../src/ledger/begin/begin-tick.ts";
import { recordBatch } from "../../src/ledger/record/record-batch.ts";
import { DOCUMENTS, EMPTY_STATE, type LedgerState } from "../../src/ledger/state/state.ts";
import { runTick } from "../../src/probe/tick.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { IN_NODE, PlayedClock } from "../fixtures/played-clock.ts";

export const MINUTE = 60_000;
export const LOST = { diagnosis: diagnosis("timeout", "down", { layer: "network", httpStatus: null }) };
const BROKEN = { diagnosis: diagnosis("upstream_unavailable", "down") };
/** Longer than from tick to tick. */
const HANGS_MS = 70_000;
const BUSY = {
  diagnosis: diagnosis("rate_limited", "degraded", {
    retry: { allowed: true, afterSeconds: 3600, hint: null },
  }),
};

/** A monitoring that lives from minute 1 on. */
export class Monitoring {
  settings: Config;
  maintenance: readonly MaintenanceWindow[] = [];
  hostOf: (gatewayId: string) => string = (id) => id;
  state: LedgerState = EMPTY_STATE;
  minute = 0;
  readonly told: string[] = [];
  /** The minutes whose tick called the heartbeat. */
  readonly beats: number[] = [];
  readonly #clock = new PlayedClock(IN_NODE);

  constructor(settings: Config) {
    this.settings = settings;
  }

  /**
   * Lanes by gateway, a letter a minute. `U`: it answers. `L`: it is not reached. `H`: the same, known only after 70 s.
   * `E`: it answers that it fails. `R`: it asks for an hour's rest. A gateway without a letter answers. With regions a lane is
   * `a@weur`, and `X` is: the vantage point fails.
   */
  async play(lanes: Readonly<Record<string, string>>): Promise<this> {
    const minutes = Math.max(...Object.values(lanes).map(({ length }) => length));
    for (let n = 0; n < minutes; n += 1) {
      this.minute += 1;
      await this.#tick((lane) => lanes[lane]?.[n] ?? "U");
    }
    return this;
  }

  health(monitorId: string): string | undefined {
    return this.state.monitors[monitorId]?.health;
  }

  /** The health that is seen from each of its regions. */
  regionsOf(monitorId: string): Readonly<Record<string, string>> {
    const regions = Object.entries(this.state.monitors[monitorId]?.regions ?? {});
    return Object.fromEntries(regions.map(([region, { health }]) => [region, health]));
  }

  get open(): readonly (string | null)[] {
    return Object.values(this.state.incidents).map(({ gatewayId }) => gatewayId);
  }

  pause(monitorId: string): void {
    const { monitors } = this.state;
    const paused = pauseMonitor(this.state, monitorId, { untilMs: null, by: null }, this.minute * MINUTE);
    if (paused) this.state = { ...this.state, monitors: { ...monitors, [monitorId]: paused.monitor } };
  }

  async #tick(letterOf: (gatewayId: string) => string): Promise<void> {
    const tickMs = this.minute * MINUTE;
    const clock = this.#clock;
    await clock.run(clock.sleep(tickMs - clock.nowMs));
    const identities = Object.fromEntries(this.settings.gateways.map(({ id }) => [id, `${id}:key`]));
    const { settings, maintenance } = this;
    const world = () => ({ config: settings, maintenance, nowMs: clock.nowMs, tickIntervalMs: MINUTE });
    const work = runTick(
      { tickMs, invocation: `i${tickMs}` },
      {
        clock,
        hostOf: this.hostOf,
        startLanes: async () => undefined,
        requestLimit: 50,
        warn: () => undefined,
        heartbeat: async () => {
          this.beats.push(this.minute);
          return null;
        },
        ledger: {
          begin: async (request) => {
            const began = beginTick(this.state, request, { ...world(), identities, run: null });
            this.#keep(began);
            return { ...began.answer, shards: 1 };
          },
          record: async (batch) =>
            this.#keep(recordBatch(this.state, batch, { ...world(), isRecorded: () => false })),
        },
        canary: async () => ({ type: "not_sent_by_platform" }),
        probe: (monitorId) => this.#probe(letterOf(gatewayOf(monitorId))),
        readPage: async () => null,
        vantage: {
          regionsOf: (gatewayId) => settings.gateways.find(({ id }) => id === gatewayId)?.regions ?? [],
          probe: (region, { monitorId }) => this.#probe(letterOf(`${gatewayOf(monitorId)}@${region}`)),
        },
      },
    );
    // It may go on while the next one runs.
    const minuteEnds = clock.sleep(MINUTE - 1);
    await clock.run(Promise.race([work.then(() => minuteEnds), minuteEnds]));
  }

  async #probe(letter: string): Promise<Probed> {
    const startedAtMs = this.#clock.nowMs;
    if (letter === "X") throw new Error("the object was reset");
    await this.#clock.sleep(letter === "H" ? HANGS_MS : 100);
    return {
      type: "probed",
      outcome: outcome({ startedAtMs, ...{ L: LOST, H: LOST, E: BROKEN, R: BUSY }[letter] }),
    };
  }

  #keep({ state, happenings }: Pick<ReturnType<typeof beginTick>, "state" | "happenings">): void {
    const journal = DOCUMENTS.journal().parse(JSON.parse(JSON.stringify(state.journal)));
    this.state = { ...state, journal };
    for (const happening of happenings) {
      if (!("incident" in happening)) continue;
      const { type, reason, incident } = happening;
      const why = reason === null ? "" : ` (${reason})`;
      this.told.push(`${this.minute} ${incident.gatewayId ?? "own"} ${type.slice("incident.".length)}${why}`);
    }
  }
}
