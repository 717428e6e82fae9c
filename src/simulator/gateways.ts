/** The gateways that one simulator plays at once: which scenario each follows, and what each remembers. */
import { Buckets } from "./keys.ts";
import type { Route } from "./routes.ts";
import { Tasks } from "./tasks.ts";

export interface Gateway {
  readonly name: string;
  /** Scenario names: one a request, the last one for all that follow. */
  readonly playlist: readonly [string, ...(readonly string[])];
  readonly tasks: Tasks;
  readonly buckets: Buckets;
  /** Generations paid for, by key. */
  readonly spent: Map<string, number>;
  /** Requests so far, since it began to play what it plays. */
  count: number;
  /** The same, by route. */
  readonly countByRoute: Map<Route, number>;
}

const MAX_GATEWAYS = 1000;

export class Gateways {
  readonly #gateways = new Map<string, Gateway>();

  /** The gateway of that name; a new one begins to play `scenario`. */
  open(name: string, scenario: string): Gateway {
    const known = this.#gateways.get(name);
    return known ?? this.assign(name, [scenario]);
  }

  /** Begins anew: tasks, counters and buckets are forgotten. */
  assign(name: string, playlist: Gateway["playlist"]): Gateway {
    return this.#put({
      name,
      playlist,
      tasks: new Tasks(),
      buckets: new Buckets(),
      spent: new Map(),
      count: 0,
      countByRoute: new Map(),
    });
  }

  /** Another scenario from now on; tasks, buckets and quotas live on, the count begins at 0. */
  change(name: string, playlist: Gateway["playlist"]): Gateway {
    const known = this.#gateways.get(name);
    return known === undefined
      ? this.assign(name, playlist)
      : this.#put({ ...known, playlist, count: 0, countByRoute: new Map() });
  }

  clear(): void {
    this.#gateways.clear();
  }

  #put(gateway: Gateway): Gateway {
    this.#gateways.set(gateway.name, gateway);
    const oldest = this.#gateways.keys().next().value;
    if (this.#gateways.size > MAX_GATEWAYS && oldest !== undefined) this.#gateways.delete(oldest);
    return gateway;
  }
}
