/** CPU of a probe of 200 gateways that answer at once, beside a loop in the same workerd that fetches and parses. */
import { cpuOf, middleRound, takeTurns } from "./measure.ts";
import { type Row, row, timesAtMost } from "./row.ts";
import { configOf, withGateways, withRuntime } from "./runtime.ts";

const GATEWAYS = 200;
/** Many short ones: the pace of a machine that others use changes within seconds. */
const ROUNDS = 75;
const TICKS_A_ROUND = 2;
/** Half of the floor is for the time limit, the headers and a body that is read piece by piece; the rest is for the judgment. */
const MOST = timesAtMost(2);

export function measureProbing(): Promise<readonly Row[]> {
  return withGateways((origin) => {
    const worker = { entry: "invocation-entry.ts", config: configOf(GATEWAYS, "1m", origin) };
    return withRuntime(worker, async (runtime) => {
      const microsOf = (path: string) => async () => {
        const cpuMs = await cpuOf(runtime.pid, async () => {
          for (let tick = 0; tick < TICKS_A_ROUND; tick += 1) await runtime.post(path, null);
        });
        return (cpuMs * 1000) / (GATEWAYS * TICKS_A_ROUND);
      };
      const taken = await takeTurns(ROUNDS, {
        floor: microsOf(`/plain/${GATEWAYS}`),
        probes: microsOf(`/tick/${GATEWAYS}`),
      });
      const { figure, floor } = middleRound(taken.probes, taken.floor);
      const what = `CPU of a probe, ${GATEWAYS} gateways that answer at once; floor: fetch and JSON.parse`;
      return [row("µs", what, figure, { floor, limit: MOST })];
    });
  });
}
