/** What `GET /api/v1/status` costs, beside a bare Worker that streams one KV value; and whether history makes it dearer. */
import { type Histories, makeHistory, type Published } from "./history.ts";
import { type Loaded, loaded, summaryOf, takeTurns } from "./measure.ts";
import { type Row, row, timesAtLeast, timesAtMost } from "./row.ts";
import { besideBare, type Servers, withServers } from "./servers.ts";

const ROUNDS = 7;
/** What is published for a round takes seconds to be served. */
const HISTORY_ROUNDS = 6;
const LOAD_MS = 700;
/** The bytes are the same (`bytes.ts`): what is above 1 is by how much two loads of the same server differ. */
const MOST_GROWTH = 1.1;
const STATUS = "/api/v1/status";

export async function measureStatus(
  monitors: number,
  { aged, troubled }: Histories,
): Promise<readonly Row[]> {
  const rows = await withServers(monitors, troubled, async (servers) => [
    ...(await speedRows(servers, monitors, troubled)),
    await historyRow(servers, aged, troubled),
  ]);
  for (const others of [10, 50, 200]) {
    const shown = await makeHistory(others);
    rows.push(...(await withServers(others, shown, (servers) => speedRows(servers, others, shown))));
  }
  return rows;
}

async function speedRows(servers: Servers, monitors: number, shown: Published): Promise<Row[]> {
  const whole = await servers.bare("/whole", shown.bytes.buffer);
  const { product, bare } = await besideBare(servers, STATUS, whole, { rounds: ROUNDS, loadMs: LOAD_MS });
  const what = `GET ${STATUS}, ${monitors} monitors`;
  const floor = "a Worker that streams a KV value of the snapshot's size";
  return [
    row("/s", `${what}; floor: ${floor}`, product.perSecond, {
      floor: bare.perSecond,
      limit: timesAtLeast(0.8),
    }),
    row("µs", `${what}, CPU of workerd a request; floor: ${floor}`, product.cpuMs * 1000, {
      floor: bare.cpuMs * 1000,
    }),
  ];
}

/** Of 730 days, beside 90. */
async function historyRow(servers: Servers, aged: Published, troubled: Published): Promise<Row> {
  const turnOf = (published: Published) => async (): Promise<Loaded> => {
    await servers.publish(published);
    return loaded(servers.pid, servers.product(STATUS), LOAD_MS);
  };
  const taken = await takeTurns(HISTORY_ROUNDS, { aged: turnOf(aged), troubled: turnOf(troubled) });
  const micros = (loads: readonly Loaded[]) => summaryOf(loads).cpuMs * 1000;
  const what = `GET ${STATUS}, CPU of workerd a request, 730 days of history; floor: 90 days`;
  return row("µs", what, micros(taken.aged), {
    floor: micros(taken.troubled),
    limit: timesAtMost(MOST_GROWTH),
  });
}
