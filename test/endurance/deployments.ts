/** The configurations of the year: every few days another one is deployed. */
import type { ChannelConfig, Config } from "../../src/config/config.ts";
import type { MaintenanceWindow } from "../../src/domain/schedule.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import type { Random } from "../fixtures/random.ts";

/** A monitor from its first day to its removal, whatever it is called meanwhile; the only one of its gateway. */
export interface Watched {
  readonly who: number;
  readonly name: string;
  readonly formerly: readonly string[];
  readonly everyMs: number;
  readonly open: number;
  readonly close: number;
  readonly flapping: number | null;
}

export interface Deployment {
  readonly watched: readonly Watched[];
  readonly removed: readonly Watched[];
  readonly maintenance: readonly MaintenanceWindow[];
  readonly everMade: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The first few are calm, and asked at every tick. */
export const CALM = 3;

export function firstDeployment(monitors: number, random: Random, tickMs: number): Deployment {
  const watched = Array.from({ length: monitors }, (_, who) => fresh(who, random, tickMs));
  return { watched, removed: [], maintenance: [], everMade: monitors };
}

function fresh(who: number, random: Random, tickMs: number): Watched {
  const everyMs = who < CALM ? tickMs : tickMs * random.pick([1, 2, 3, 6]);
  return {
    who,
    name: `g${who}`,
    formerly: [],
    everyMs,
    open: 1 + random.whole(3),
    close: 1 + random.whole(3),
    flapping: who % 10 === 9 ? 4 : null,
  };
}

export function nextDeployment(
  before: Deployment,
  random: Random,
  nowMs: number,
  tickMs: number,
): Deployment {
  const { watched, removed, everMade } = before;
  const maintenance = before.maintenance.filter(({ toMs }) => toMs > nowMs - 72 * HOUR_MS);
  const chosen = random.pick(watched.slice(CALM));
  const others = watched.filter((of) => of !== chosen);
  const change = random.whole(5);
  if (change === 0) {
    const added = [...others, fresh(everMade, random, tickMs)];
    return { watched: added, removed: [...removed, chosen], maintenance, everMade: everMade + 1 };
  }
  if (change === 1) {
    const renamed = {
      ...chosen,
      name: `${chosen.name.split("-", 1)[0]}-${chosen.formerly.length + 1}`,
      formerly: [...chosen.formerly, `${chosen.name}/models`],
    };
    return { watched: [...others, renamed], removed, maintenance, everMade };
  }
  if (change === 2) {
    const other = { ...chosen, everyMs: tickMs * random.pick([1, 2, 3, 6]) };
    return { watched: [...others, other], removed, maintenance, everMade };
  }
  const fromMs = nowMs + (1 + random.whole(24)) * HOUR_MS;
  const window = {
    gateways: change === 3 ? [chosen.name] : watched.slice(-5).map(({ name }) => name),
    fromMs,
    toMs: fromMs + (10 + random.whole(300)) * MINUTE_MS,
    title: "Work",
  };
  return { watched, removed, maintenance: [...maintenance, window], everMade };
}

const CHANNELS: readonly ChannelConfig[] = ["ops", "team"].map((id) => ({
  kind: "webhook",
  id,
  url: `URL_OF_${id}`,
  secret: ["SIGNING"],
  only: { turns: null, owners: null, causes: null, gateways: null, events: null },
}));

export function configOf({ watched, maintenance }: Deployment): Config {
  const gateways = watched.map(({ name, formerly, everyMs, open, close, flapping }) => {
    const rules = { formerly, everyMs, open, close, flapping };
    return gateway(name, {
      monitors: [monitor(name, rules)],
      baseUrl: `https://${name.split("-", 1)[0]}.example`,
    });
  });
  return config(gateways, {
    timeZone: "Europe/Berlin",
    maxProbesPerTick: 500,
    plan: "paid",
    alerts: CHANNELS,
    maintenance: maintenance.filter(({ gateways: of }) =>
      of.every((id) => watched.some(({ name }) => name === id)),
    ),
  });
}
