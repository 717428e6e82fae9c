/** Connections and requests that a tick may still use: six at once, and as many as the plan allows. */
import { CONNECTIONS_AT_ONCE } from "../config/plan-limits.ts";
import { LATEST_CANARY_MS, LEASE_MS } from "../domain/tick.ts";
import { Permits } from "../domain/permits.ts";
import { MAX_ATTEMPTS, MAX_RETRY_AFTER_SECONDS, REQUEST_TIMEOUT_MS } from "../protocol/retry.ts";
import type { Clock } from "./clock.ts";

/** Every attempt takes its whole timeout, with the longest accepted Retry-After between them. */
export const LONGEST_PROBE_MS =
  MAX_ATTEMPTS * REQUEST_TIMEOUT_MS + (MAX_ATTEMPTS - 1) * MAX_RETRY_AFTER_SECONDS * 1000;

/** A probe that starts later could end after its lease, when another tick owns the gateway. */
const LATEST_START_MS = LEASE_MS - LONGEST_PROBE_MS;
const LATEST_REPEAT_MS = LEASE_MS - REQUEST_TIMEOUT_MS;

/** How many connections are shared by the gateways that hung last time. */
export const HANGING_LANES = 2;

/** A probe asks for leave before each of its requests. */
export interface Leave {
  /** Waits for a connection; false: it is too late to send. After true, call `end`. @param timeoutMs of the request. */
  begin(timeoutMs: number): Promise<boolean>;
  end(): void;
  /** Ask once before each retry. A retry that is allowed counts as a request. */
  mayRepeat(): boolean;
}

/** No limits, for a single probe. */
export const ALWAYS: Leave = { begin: async () => true, end: () => undefined, mayRepeat: () => true };

/** Permits for everything that shares the connections of one invocation or one object. */
export function trafficLanes(): Permits {
  return new Permits(CONNECTIONS_AT_ONCE);
}

export interface TrafficLimits {
  readonly clock: Clock;
  /** How many lists and status pages are asked. Each gets a first attempt before any gets a second. */
  readonly firsts: number;
  /** External requests that the invocation may send. */
  readonly requests: number;
  /** Default: its own connections. */
  readonly lanes?: Permits;
  /** Default: the tick begins now. */
  readonly startWithinMs?: number;
}

export class Traffic {
  readonly #clock: Clock;
  readonly #startedMs: number;
  readonly #lanes: Permits;
  readonly #requests: number;
  #firsts: number;
  #used = 0;

  constructor(limits: TrafficLimits) {
    const { clock, firsts, requests, lanes = trafficLanes(), startWithinMs = LATEST_START_MS } = limits;
    this.#clock = clock;
    this.#lanes = lanes;
    this.#startedMs = clock.now() - (LATEST_START_MS - startWithinMs);
    this.#firsts = firsts;
    this.#requests = requests;
  }

  /** For one probe of a list, or one status page; `asked` is called when its first request is over. */
  leaveFor(asked: () => void): Leave {
    this.#firsts -= 1;
    this.#used += 1;
    return this.#leave((_, begun) => (begun === 0 ? LATEST_START_MS : LATEST_REPEAT_MS), asked);
  }

  /** For one errand: each list gets its first attempt before it. Canaries have leases of their own. */
  leaveForCanary(): Leave {
    return this.#leave((timeoutMs) => Math.max(LEASE_MS - timeoutMs, LATEST_CANARY_MS), null);
  }

  /** A probe must start within this time to end before its lease does; 0: it is too late. */
  get startWithinMs(): number {
    return Math.max(0, this.#startedMs + LATEST_START_MS - this.#clock.now());
  }

  /** @param latestMs since the tick began; `begun`: how many began before. @param asked null: the first is not counted yet. */
  #leave(latestMs: (timeoutMs: number, begun: number) => number, asked: (() => void) | null): Leave {
    let begun = 0;
    return {
      begin: async (timeoutMs) => {
        await this.#lanes.take();
        const isInTime = this.#clock.now() - this.#startedMs < latestMs(timeoutMs, begun);
        // A retry was counted when it was allowed.
        if (isInTime && (asked !== null || begun > 0 || this.#takeRequest())) {
          begun += 1;
          return true;
        }
        this.#lanes.give();
        return false;
      },
      end: () => {
        this.#lanes.give();
        asked?.();
      },
      mayRepeat: () => this.#takeRequest(),
    };
  }

  /** Counts a request that is no list's first attempt. False: there is none left. */
  #takeRequest(): boolean {
    if (this.#used + this.#firsts >= this.#requests) return false;
    this.#used += 1;
    return true;
  }
}
