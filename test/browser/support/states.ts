/** The states in which readers meet the site, brought about by simulated gateways, ticks and an administrator, at fixed instants. */
import type { Region } from "../../../src/config/config.ts";
import type { ConfigInput, GatewayInput } from "../../../src/config/define-config.ts";
import { SIMULATOR_KEYS } from "../../../src/simulator/api.ts";
import type { Simulator } from "../../../src/simulator/simulator.ts";
import { NOW_MS } from "../pages.ts";
import { HOUR_MS, MINUTE_MS, startWorld, type World, type WorldOptions } from "../../local/support/world.ts";

/** Its colors have just enough contrast. */
const THEME = {
  name: "Acme",
  logo: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>')}`,
  accent: { light: "#6e6e6e", dark: "#8b8b8b" },
  links: [{ name: "Help", url: "https://acme.example/help" }],
} as const;

export const ADMIN_TOKEN = "an-administrators-token-of-tests";
const DAY_MS = 24 * HOUR_MS;

export interface State {
  readonly config: Omit<ConfigInput, "gateways" | "maintenance">;
  /** By the milliseconds from now. */
  readonly maintenance?: readonly { from: number; to: number; title: string; gateways?: readonly string[] }[];
  /** A gateway's address is that of its id in the simulator. */
  readonly gateways: readonly GatewayState[];
  /** From how many days ago it was watched; default 0: for the last minutes alone. */
  readonly days?: number;
  /** Between the checks of the last day; default 20. */
  readonly minutes?: number;
  /** How much longer than in truth a probe shows; default 20. */
  readonly speed?: number;
  /** Done at the end. */
  readonly after?: (world: World, simulator: Simulator) => Promise<void>;
}

export interface GatewayState extends Omit<GatewayInput, "baseUrl" | "apiKey"> {
  /** Scenarios of the simulator on the last minutes; before that it was healthy. Default: healthy. */
  readonly plays?: readonly string[];
  /** What it played so many milliseconds ago, where it was not healthy all the time. */
  readonly played?: (agoMs: number) => string;
  /** What it plays to regions that see another gateway; default: the same to all. */
  readonly playsFrom?: Readonly<Partial<Record<Region, string>>>;
  readonly apiKey?: string;
}

const SIX_MINUTES = 6;

/** A probe takes milliseconds here. Its time limit shrinks alike. */
const SPEED = 20;

const models = (...ids: readonly string[]) => ids.map((id) => ({ kind: "models" as const, id }));

const HOSTILE = {
  markup: `<script>alert(1)</script><b title="x">"bold" & 'bald'`,
  rightToLeft: "بوابة النماذج الرئيسية \u202eevil",
  turning: "Good \u202e网关",
  chinese: "华东一区大模型网关（主用）　余额与配额监测",
  long: "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
};

const NOTES = [
  "We have told the operator.\nThey look into it.",
  "The video channel is being configured anew.",
];

const REGIONS = ["weur", "enam", "apac"] as const;

export const STATES = {
  good: {
    config: { title: "Model gateways" },
    gateways: [
      { id: "acme", name: "Acme", showEndpoint: true, monitors: models("eu", "us") },
      { id: "brook", name: "Brook" },
      { id: "cedar", name: "Cedar", played: yesterdaysTrouble },
    ],
    days: 12,
  },
  troubled: {
    config: {
      title: "Model gateways",
      timeZone: "Asia/Shanghai",
      notice: "A trial: the gateways are simulated.",
      flapping: 4,
    },
    maintenance: [
      { gateways: ["elm"], from: -HOUR_MS, to: HOUR_MS, title: "New database" },
      { from: DAY_MS, to: DAY_MS + HOUR_MS, title: "Move to another house" },
    ],
    gateways: [
      { id: "acme", name: "Acme", showEndpoint: true, monitors: models("eu", "us") },
      { id: "brook", name: "Brook", plays: ["video_config_500"] },
      { id: "cedar", name: "Cedar", apiKey: "REVOKED" },
      { id: "delta", name: "Delta", monitors: [{ kind: "models", open: 1, close: 1 }], plays: flips() },
      { id: "elm", name: "Elm", plays: ["envelope_5000"] },
      { id: "fir", name: "Fir" },
      { id: "grove", name: "Grove", publish: "health", plays: ["envelope_5000"] },
      { id: "hazel", name: "Hazel", plays: ["529"] },
    ],
    days: 12,
    after: async (world) => {
      await order(world, "gateways/fir/monitors/models/pause");
      const incident = await incidentOf(world, "brook");
      await order(world, `incidents/${incident}/acknowledge`);
      for (const text of NOTES) await order(world, `incidents/${incident}/notes`, { text });
      await world.publish();
    },
  },
  regions: {
    config: { title: "Model gateways" },
    gateways: [
      { id: "acme", name: "Acme", regions: REGIONS, playsFrom: { apac: "close_before_headers" } },
      {
        id: "brook",
        name: "Brook",
        group: "Production",
        regions: [...REGIONS, "oc"],
        playsFrom: { weur: "envelope_5000", apac: "envelope_5000", oc: "504" },
      },
      { id: "cedar", name: "Cedar", group: "Staging" },
    ],
  },
  stale: {
    config: { title: "Model gateways", theme: THEME },
    gateways: [
      { id: "acme", name: "Acme" },
      { id: "brook", name: "Brook", plays: ["video_config_500"] },
    ],
    after: async (world) => world.setClock((await world.nowMs()) + HOUR_MS),
  },
  empty: { config: { title: "Model gateways" }, gateways: [] },
  hostile: {
    config: { title: HOSTILE.markup, notice: "x".repeat(200) },
    maintenance: [
      { from: DAY_MS, to: 2 * DAY_MS, title: HOSTILE.chinese },
      { gateways: ["rtl"], from: DAY_MS, to: 2 * DAY_MS, title: HOSTILE.turning },
    ],
    gateways: [
      { id: "markup", name: HOSTILE.markup, plays: ["message_html"] },
      { id: "rtl", name: HOSTILE.rightToLeft, plays: ["message_controls"] },
      { id: "cjk", name: HOSTILE.chinese, plays: ["message_emoji"] },
      { id: "z".repeat(40), name: HOSTILE.long, plays: ["message_long"] },
      { id: "id", name: "x".repeat(80), plays: ["request_id_long"] },
    ],
  },
} as const satisfies Readonly<Record<string, State>>;

export type StateName = keyof typeof STATES;

/** From there another gateway of the simulator is reached. */
function placesOf(
  gateways: readonly GatewayState[],
  simulator: Simulator,
): NonNullable<WorldOptions["fromRegions"]> {
  const places: Record<string, (readonly [string, string])[]> = {};
  for (const { id, playsFrom = {} } of gateways) {
    for (const region of Object.keys(playsFrom)) {
      places[region] = [...(places[region] ?? []), [simulator.named(id), simulator.named(`${id}-${region}`)]];
    }
  }
  return places;
}

/** A world in that state; the caller stops it. */
export async function bringAbout(state: State, simulator: Simulator, nowMs = NOW_MS): Promise<World> {
  const { config, gateways, maintenance = [], days = 0, speed = SPEED } = state;
  const at = (fromNowMs: number): string => new Date(nowMs + fromNowMs).toISOString();
  const world = await startWorld({
    startMs: nowMs - days * DAY_MS - SIX_MINUTES * MINUTE_MS,
    speed,
    config: {
      ...config,
      maintenance: maintenance.map(({ from, to, ...window }) =>
        Object.assign(window, { from: at(from), to: at(to) }),
      ),
    },
    secrets: { KEY: SIMULATOR_KEYS.good, REVOKED: SIMULATOR_KEYS.revoked, ADMIN_TOKEN },
    fromRegions: placesOf(gateways, simulator),
    gateways: gateways.map(
      ({ id, name, group, apiKey = "KEY", showEndpoint, publish, monitors, regions }) => {
        const baseUrl = simulator.named(id);
        return { id, name, group, baseUrl, apiKey, showEndpoint, publish, monitors, regions };
      },
    ),
  });
  try {
    await live(world, state, simulator, nowMs);
    return world;
  } catch (error) {
    await world.stop();
    throw error;
  }
}

/** Days of health, a last day looked at closely, and minutes in which what is wrong goes wrong. */
async function live(world: World, state: State, simulator: Simulator, nowMs: number): Promise<void> {
  const { gateways, minutes = 20, after } = state;
  const lastMs = nowMs - SIX_MINUTES * MINUTE_MS;
  const stepAt = (tickMs: number): number => (lastMs - tickMs > DAY_MS ? DAY_MS / 2 : minutes * MINUTE_MS);
  for (let tickMs = world.startMs; tickMs < lastMs; tickMs += stepAt(tickMs)) {
    for (const { id, played } of gateways) simulator.play(id, played?.(nowMs - tickMs) ?? "healthy");
    await world.tick(tickMs);
  }
  for (const { id, played, plays = [played?.(0) ?? "healthy"] } of gateways) simulator.play(id, ...plays);
  for (const { id, playsFrom = {} } of gateways) {
    for (const [region, scenario] of Object.entries(playsFrom)) simulator.play(`${id}-${region}`, scenario);
  }
  for (let tickMs = lastMs; tickMs <= nowMs; tickMs += MINUTE_MS) await world.tick(tickMs);
  await world.setClock(nowMs);
  await world.stand();
  await world.publish();
  await after?.(world, simulator);
}

function yesterdaysTrouble(agoMs: number): string {
  return agoMs > 20 * HOUR_MS && agoMs < 22 * HOUR_MS ? "envelope_5000" : "healthy";
}

function flips(): string[] {
  return Array.from({ length: 20 }, () => ["envelope_5000", "healthy"]).flat();
}

/** Of an administrator. */
async function order(world: World, path: string, body: unknown = {}): Promise<void> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const { status, text } = await world.post(`/api/v1/admin/${path}`, body, headers);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
}

async function incidentOf(world: World, gateway: string): Promise<string> {
  const { json } = await world.get("/api/v1/incidents");
  const found = json.incidents.find((incident: { gateway: string }) => incident.gateway === gateway);
  if (found === undefined) throw new Error(`${gateway} has no incident`);
  return found.id;
}
