/** The gateways that one simulator plays at once: which scenario each follows, and what each remembers. */
import type { Route } from "./routes.ts";
import { Tasks } from "./tasks.ts";

export interface Gateway {
  readonly name: string;
  /** Scenario names: one a request, the last one for all that follow. */
  readonly playlist: readonly [string, ...(readonly string[])];
  readonly tasks: Tasks;
  /** When requests were let through, by sender; only where a limit is played. */
  readonly letThrough: Map<string, number[]>;
  /** Generations asked for with the key of a small quota. */
  spent: number;
  /** Requests so far, since it began to play what it plays. */
  count: number;
  /** The same, by route. */
  readonly countByRoute: Map<Route, number>;
}

export class Gateways {
  readonly #gateways = new Map<string, Gateway>();

  /** The gateway of that name; a new one begins to play `scenario`. */
  open(name: string, scenario: string): Gateway {
    return this.#gateways.get(name) ?? this.change(name, [scenario]);
  }

  /** Another scenario from now on; tasks, limits and quotas live on, the count begins at 0. */
  change(name: string, playlist: Gateway["playlist"]): Gateway {
    const memory = this.#gateways.get(name) ?? { tasks: new Tasks(), letThrough: new Map(), spent: 0 };
    const gateway = { ...memory, name, playlist, count: 0, countByRoute: new Map() };
    this.#gateways.set(name, gateway);
    return gateway;
  }

  clear(): void {
    this.#gateways.clear();
  }
}
