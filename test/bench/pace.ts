/** How fast the machine is while something is measured: what a bare loop in workerd needs to fetch and parse model lists. */
import { fineCpuOf } from "./cpu.ts";
import type { BenchRuntime } from "./runtime.ts";
import { median } from "./turns.ts";

const LISTS = 20;

export class Pace {
  readonly #runtime: BenchRuntime;
  #looks: (number | null)[] = [];

  /** `runtime`: of `invocation-entry.ts`, with 20 gateways or more that answer. */
  constructor(runtime: BenchRuntime) {
    this.#runtime = runtime;
  }

  /** To be called again and again between what is measured. */
  async look(): Promise<void> {
    const [none, all] = [await this.#cost(0), await this.#cost(LISTS)];
    this.#looks.push(none === null || all === null ? null : (all - none) / LISTS);
  }

  /** CPU of a list since the last call, in milliseconds; null: that of another process cannot be told. */
  takeListMs(): number | null {
    const known = this.#looks.filter((look) => look !== null);
    this.#looks = [];
    return known.length === 0 ? null : median(known);
  }

  #cost(lists: number): Promise<number | null> {
    return fineCpuOf(this.#runtime.pid, () => this.#runtime.post(`/plain/${lists}`, null));
  }
}
