/** What `GET /api/v1/status` costs, beside a bare Worker that streams one KV value; and whether history makes it dearer. */
import { cpuOf } from "./cpu.ts";
import type { Published } from "./history.ts";
import { load } from "./load.ts";
import { inDays, type Quantity, type Row } from "./row.ts";
import { startStatusServers, type StatusServers } from "./status-servers.ts";
import { median, shortestOrNull, takeTurns } from "./turns.ts";

const ROUNDS = 7;
/** What is published for a round takes seconds to be served. */
const HISTORY_ROUNDS = 6;
const LOAD_MS = 700;
/** The bytes are the same (`status-size.ts`): what is above 1 is by how much two loads of the same server differ. */
const MOST_GROWTH = 1.1;

/** One load: requests a second, and the runtime's CPU a request in microseconds. */
interface Measured {
  readonly perSecond: number;
  readonly cpuMicros: number | null;
}

/** @param histories by the number of days; the longest is served to compare with the bare Worker. */
export async function measureStatusSpeed(
  monitors: number,
  histories: ReadonlyMap<number, Published>,
  shown: Published,
): Promise<readonly Row[]> {
  const servers = await startStatusServers(monitors);
  try {
    return [...(await besideBare(servers, monitors, shown)), ...(await byHistory(servers, histories))];
  } finally {
    await servers.stop();
  }
}

/** Of so many monitors alone: beside the bare Worker. */
export async function measureStatusBeside(monitors: number, shown: Published): Promise<readonly Row[]> {
  const servers = await startStatusServers(monitors);
  try {
    return await besideBare(servers, monitors, shown);
  } finally {
    await servers.stop();
  }
}

async function besideBare(servers: StatusServers, monitors: number, shown: Published): Promise<Row[]> {
  await servers.publish(shown);
  const taken = await takeTurns(ROUNDS, {
    product: () => measure(servers, servers.product),
    bare: () => measure(servers, servers.bare),
    bareAnswer: () => measure(servers, servers.bareAnswer),
  });
  const status = `GET /api/v1/status, ${monitors} monitors`;
  return [
    {
      what: `${status}; floor: a Worker that streams a KV value of the snapshot's size`,
      figure: perSecond(taken.product),
      floor: perSecond(taken.bare),
      limit: { bound: "at least", of: "ratio", value: 0.8 },
    },
    {
      what: `${status}; floor: a value of the answer's size`,
      figure: perSecond(taken.product),
      floor: perSecond(taken.bareAnswer),
      limit: null,
    },
    {
      what: `${status}, CPU of workerd a request; floor: a value of the snapshot's size`,
      figure: cpu(taken.product),
      floor: cpu(taken.bare),
      limit: null,
    },
  ];
}

async function byHistory(servers: StatusServers, histories: ReadonlyMap<number, Published>): Promise<Row[]> {
  const contestants = Object.fromEntries(
    [...histories].map(([days, published]) => [
      String(days),
      async () => {
        await servers.publish(published);
        return measure(servers, servers.product);
      },
    ]),
  );
  const taken = await takeTurns(HISTORY_ROUNDS, contestants);
  const ninety = cpu(taken["90"] ?? []);
  return [...histories.keys()].map((days) => ({
    what: `GET /api/v1/status, CPU of workerd a request, ${inDays(days)} of history${days === 90 ? "" : "; floor: 90 days"}`,
    figure: cpu(taken[String(days)] ?? []),
    floor: days === 90 ? null : ninety,
    limit: days > 90 ? { bound: "at most", of: "ratio", value: MOST_GROWTH } : null,
  }));
}

async function measure({ pid }: StatusServers, url: URL): Promise<Measured> {
  const loads: { requests: number; seconds: number }[] = [];
  const cpuMs = await cpuOf(pid, async () => {
    loads.push(await load(url, LOAD_MS));
  });
  const [{ requests, seconds } = { requests: 0, seconds: 1 }] = loads;
  return { perSecond: requests / seconds, cpuMicros: cpuMs === null ? null : (cpuMs * 1000) / requests };
}

function perSecond(taken: readonly Measured[]): Quantity {
  return { value: median(taken.map((measured) => measured.perSecond)), unit: "/s" };
}

function cpu(taken: readonly Measured[]): Quantity | null {
  const value = shortestOrNull(taken.map(({ cpuMicros }) => cpuMicros));
  return value === null ? null : { value, unit: "µs" };
}
