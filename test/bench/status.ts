/** What `GET /api/v1/status` costs, beside a bare Worker that streams one KV value; and whether history makes it dearer. */
import { type Histories, makeHistory, type Published } from "./history.ts";
import { type Loaded, loaded, median, shortestOrNull, takeTurns } from "./measure.ts";
import { inDays, type Row, row, timesAtLeast, timesAtMost } from "./row.ts";
import { type Servers, withServers } from "./servers.ts";

const ROUNDS = 7;
/** What is published for a round takes seconds to be served. */
const HISTORY_ROUNDS = 6;
const LOAD_MS = 700;
/** The bytes are the same (`bytes.ts`): what is above 1 is by how much two loads of the same server differ. */
const MOST_GROWTH = 1.1;
const STATUS = "/api/v1/status";

export async function measureStatus(
  monitors: number,
  { byDays, troubled }: Histories,
): Promise<readonly Row[]> {
  const rows = await withServers(monitors, troubled, async (servers) => [
    ...(await besideBare(servers, monitors, troubled)),
    ...(await byHistory(servers, byDays)),
  ]);
  for (const others of [10, 50, 200]) {
    const shown = await makeHistory(others);
    rows.push(...(await withServers(others, shown, (servers) => besideBare(servers, others, shown))));
  }
  return rows;
}

async function besideBare(servers: Servers, monitors: number, shown: Published): Promise<Row[]> {
  const bare = await servers.bare("/whole", shown.bytes.buffer);
  const taken = await takeTurns(ROUNDS, {
    product: () => loaded(servers.pid, servers.product(STATUS), LOAD_MS),
    bare: () => loaded(servers.pid, bare, LOAD_MS),
  });
  const perSecond = (of: readonly Loaded[]) => median(of.map((each) => each.perSecond));
  const what = `GET ${STATUS}, ${monitors} monitors`;
  return [
    row(
      "/s",
      `${what}; floor: a Worker that streams a KV value of the snapshot's size`,
      perSecond(taken.product),
      {
        floor: perSecond(taken.bare),
        limit: timesAtLeast(0.8),
      },
    ),
    row(
      "µs",
      `${what}, CPU of workerd a request; floor: a value of the snapshot's size`,
      micros(taken.product),
      {
        floor: micros(taken.bare),
      },
    ),
  ];
}

async function byHistory(servers: Servers, histories: ReadonlyMap<number, Published>): Promise<Row[]> {
  const contestants = [...histories].map(([days, published]) => {
    const turn = async (): Promise<Loaded> => {
      await servers.publish(published);
      return loaded(servers.pid, servers.product(STATUS), LOAD_MS);
    };
    return [String(days), turn] as const;
  });
  const taken = await takeTurns(HISTORY_ROUNDS, Object.fromEntries(contestants));
  return [...histories.keys()].map((days) => {
    const beside = days === 90 ? "" : "; floor: 90 days";
    const what = `GET ${STATUS}, CPU of workerd a request, ${inDays(days)} of history${beside}`;
    const floor = days === 90 ? null : micros(taken["90"] ?? []);
    return row("µs", what, micros(taken[days] ?? []), {
      floor,
      limit: days > 90 ? timesAtMost(MOST_GROWTH) : null,
    });
  });
}

function micros(taken: readonly Loaded[]): number | null {
  const shortest = shortestOrNull(taken.map(({ cpuMs }) => cpuMs));
  return shortest === null ? null : shortest * 1000;
}
