/** How fast the machine is while something is measured: what a bare loop in workerd needs to fetch and parse model lists. */
import { LIST_MS } from "../../src/plan/figures.ts";
import { cpuOf, median } from "./measure.ts";
import { type BenchRuntime, configOf, withGateways, withRuntime } from "./runtime.ts";

export interface Pace {
  /** To be called again and again between what is measured. */
  look(): Promise<void>;
  /** CPU of a list since the last call, in milliseconds. */
  takeListMs(): number;
}

const LISTS = 20;

export function withPace<T>(measure: (pace: Pace) => Promise<T>): Promise<T> {
  return withGateways((origin) =>
    withRuntime({ entry: "invocation-entry.ts", config: configOf(LISTS, "1m", origin) }, (runtime) =>
      measure(paceOf(runtime)),
    ),
  );
}

/** @param runtime of `invocation-entry.ts` */
export function paceOf(runtime: BenchRuntime): Pace {
  const looks: number[] = [];
  return {
    look: async () => {
      const none = await cost(runtime, "/plain/0");
      looks.push(((await cost(runtime, `/plain/${LISTS}`)) - none) / LISTS);
    },
    takeListMs: () => median(looks.splice(0)),
  };
}

/** What takes so long on the machine of the plan's figures takes this long here. */
export function atPaceOf(listMs: number, thereMs: number): number {
  return (thereMs * listMs) / LIST_MS;
}

export function cost(runtime: BenchRuntime, path: string): Promise<number> {
  return cpuOf(runtime.pid, () => runtime.post(path, null));
}
