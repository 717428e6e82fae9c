/**
 * What runs at a vantage point: the very same probe as in the Worker. Nothing is stored. An object shares six connections
 * among all that ask it at once, so that what waits for one has not begun.
 */
import type { Probed } from "../domain/probe-outcome.ts";
import { MAX_ATTEMPTS } from "../protocol/retry-delay.ts";
import type { Clock } from "./clock.ts";
import { Permits } from "./permits.ts";
import { HANGING_LANES, type Leave, Traffic, trafficLanes } from "./traffic.ts";

/** What a vantage point is asked to do. */
export interface VantageErrand {
  readonly monitorId: string;
  /** Its gateway hung last time, as seen from anywhere. */
  readonly hangs: boolean;
  /** What has not begun by then is not begun: who asked may have given up, and another tick own the gateway. */
  readonly startWithinMs: number;
}

export type VantageProbe = (monitorId: string, leave: Leave) => Promise<Probed>;

export class VantagePoint {
  readonly #probe: VantageProbe;
  readonly #clock: Clock;
  readonly #lanes = trafficLanes();
  /** Of all ticks that ask at once: one after the other, they could hold all lanes. */
  readonly #hangingLanes = new Permits(HANGING_LANES);
  readonly #running = new Map<string, Promise<Probed>>();

  constructor(probe: VantageProbe, clock: Clock) {
    this.#probe = probe;
    this.#clock = clock;
  }

  /** Who asks again for what is under way, since it took too long, gets the same answer: no gateway is asked twice at once. */
  async probe(errand: VantageErrand): Promise<Probed> {
    const { monitorId } = errand;
    const running = this.#running.get(monitorId);
    if (running) return running;
    const probing = this.#probe(monitorId, this.#leaveFor(errand));
    this.#running.set(monitorId, probing);
    try {
      return await probing;
    } finally {
      this.#running.delete(monitorId);
    }
  }

  #leaveFor({ hangs, startWithinMs }: VantageErrand): Leave {
    const limits = { clock: this.#clock, lanes: this.#lanes, monitors: 1, requests: MAX_ATTEMPTS };
    const leave = new Traffic({ ...limits, startWithinMs }).leaveFor(() => undefined);
    return hangs ? inFewLanes(leave, this.#hangingLanes) : leave;
  }
}

/** Waits for one of the few before it waits for one of all. */
function inFewLanes(leave: Leave, few: Permits): Leave {
  return {
    begin: async (timeoutMs) => {
      await few.take();
      const mayBegin = await leave.begin(timeoutMs);
      if (!mayBegin) few.give();
      return mayBegin;
    },
    end: () => {
      leave.end();
      few.give();
    },
    mayRepeat: () => leave.mayRepeat(),
  };
}
