/**
 * What runs at a vantage point: the very same probe as in the Worker. Nothing is stored. An object shares six connections
 * among all that ask it at once, so that what waits for one has not begun.
 */
import type { Probed } from "../domain/probe-outcome.ts";
import { MAX_ATTEMPTS } from "../protocol/retry-delay.ts";
import type { Clock } from "./clock.ts";
import { type Leave, Traffic, trafficLanes } from "./traffic.ts";

export type VantageProbe = (monitorId: string, leave: Leave) => Promise<Probed>;

export class VantagePoint {
  readonly #probe: VantageProbe;
  readonly #clock: Clock;
  readonly #lanes = trafficLanes();
  readonly #running = new Map<string, Promise<Probed>>();

  constructor(probe: VantageProbe, clock: Clock) {
    this.#probe = probe;
    this.#clock = clock;
  }

  /** Who asks again for what is under way, since it took too long, gets the same answer: no gateway is asked twice at once. */
  async probe(monitorId: string): Promise<Probed> {
    const running = this.#running.get(monitorId);
    if (running) return running;
    const limits = { clock: this.#clock, lanes: this.#lanes, monitors: 1, requests: MAX_ATTEMPTS };
    const leave = new Traffic(limits).leaveFor(() => undefined);
    const probing = this.#probe(monitorId, leave);
    this.#running.set(monitorId, probing);
    try {
      return await probing;
    } finally {
      this.#running.delete(monitorId);
    }
  }
}
