/** CPU of what people look at, where nothing of it is remembered: the overview and the status, beyond an answer that has nothing. */
import { fineCpuOf } from "./cpu.ts";
import { makeHistory } from "./history.ts";
import { type RouteServers, startRouteServers } from "./route-servers.ts";

interface ViewCosts {
  readonly monitors: number;
  readonly nothing: readonly (number | null)[];
  readonly page: readonly (number | null)[];
  readonly status: readonly (number | null)[];
}

const WARM_UP = 20;
const ROUNDS = 40;

/** By turns, so that what the machine does beside hits all of them alike, and what `between` looks at too. */
export async function viewCosts(monitors: number, between: () => Promise<void>): Promise<ViewCosts> {
  const servers = await startRouteServers(monitors, await makeHistory(monitors));
  try {
    const nothing: (number | null)[] = [];
    const page: (number | null)[] = [];
    const status: (number | null)[] = [];
    // Another query is another address: what it answers is written anew.
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      await between();
      nothing.push(await cost(servers, `/nothing-here?${round}`));
      page.push(await cost(servers, `/?${round}`));
      status.push(await cost(servers, `/api/v1/status?${round}`));
    }
    const warm = (costs: readonly (number | null)[]) => costs.slice(WARM_UP);
    return { monitors, nothing: warm(nothing), page: warm(page), status: warm(status) };
  } finally {
    await servers.stop();
  }
}

function cost(servers: RouteServers, path: string): Promise<number | null> {
  return fineCpuOf(servers.pid, async () => (await fetch(servers.product(path))).arrayBuffer());
}
