/**
 * The Ledger killed at random steps between a change and its delivery: in the middle of a statement's transaction, before
 * and after a commit, while it starts, before a message goes out, after it arrived. Each event arrives at least once, with
 * one id, in order a channel, and again only where a death came between; and what arrives is what the API shows. Real
 * Worker, Ledger, KV and sockets.
 *
 * `TEST_SEED` repeats a run.
 */
import { describe, expect, test } from "vitest";
import type { WebhookBody } from "../../src/alert/channels/webhook.ts";
import type { PublishedIncident } from "../../src/history/documents.ts";
import type { AlertsAnswer } from "../../src/ledger/admin/admin-answers.ts";
import { rounds } from "../extent.ts";
import { admin, alertingHouse, passMinutes, passTick, toldIn } from "./support/alerting.ts";
import { type Chance, chance } from "./support/chance.ts";
import type { Answer, Arrival } from "./support/receiver.ts";
import { incidentsBy } from "./support/incidents-by.ts";
import { incidentsOf, samplesByMonitor, statusOf } from "./support/readings.ts";
import { MINUTE_MS, type World } from "./support/world.ts";

const POINTS = rounds(30, 1000);
/** A tick has 25 to 60 steps, a start of the object 25. */
const MOST_STEPS_APART = 90;
const OPERATORS = ["operator", "upstream", "network"] as const;
const GATEWAYS = ["a", "b", "c", "d"];
const SCENARIOS = ["healthy", "healthy", "envelope_5000", "529", "unauthorized_invalid", "models_empty"];

const house = await alertingHouse();

async function start(): Promise<World> {
  const monitors = [{ kind: "models" as const, expect: ["sim-chat-small"] }];
  const webhooks = {
    all: undefined,
    keys: { owner: ["caller"] },
    operators: { owner: [...OPERATORS] },
    "ends-of-a": { gateway: ["a"], event: ["incident.resolved"] },
  } as const;
  return house.start({}, webhooks, {
    gateways: GATEWAYS.map((id) => ({ id, baseUrl: house.simulator.named(id), apiKey: "KEY", monitors })),
    // Where nothing flaps there are many.
    config: { url: "https://status.example", flapping: false },
  });
}

/** Runs of one to four of the same, so that incidents open, change, and close. */
function playlist(of: Chance, length: number): readonly string[] {
  return Array.from({ length }, () => {
    const scenario = of.pick(SCENARIOS);
    return Array.from({ length: of.pick([1, 2, 2, 3, 4]) }, () => scenario);
  }).flat();
}

const FAILURES: readonly Answer[] = [
  { status: 500 },
  { status: 429, headers: { "retry-after": "3" } },
  { status: 302, headers: { location: "https://elsewhere.example/" } },
  "reset",
];

const CHANNELS = ["all", "keys", "operators", "ends-of-a"];

interface TakenArrival extends Arrival {
  /** The tick in which, or behind which, it came. */
  readonly round: number;
}

/** What was answered 200, by channel: who is answered otherwise has not delivered. */
type Taken = Readonly<Record<string, readonly TakenArrival[]>>;

/** One message in seven fails once. */
function failSometimes(of: Chance, roundNow: () => number): Taken {
  const failed = new Set<string>();
  const taken = CHANNELS.map((channel) => {
    const list: TakenArrival[] = [];
    house.receiver.answer(channel, (arrival) => {
      const message = `${channel} ${arrival.body}`;
      if (!failed.has(message) && of.next() < 0.15) {
        failed.add(message);
        return of.pick(FAILURES);
      }
      list.push({ ...arrival, round: roundNow() });
      return { status: 200 };
    });
    return [channel, list] as const;
  });
  return Object.fromEntries(taken);
}

/** Until nothing is owed any more and all is well; returns the minute. */
async function drain(world: World, fromMinute: number): Promise<number> {
  for (const id of GATEWAYS) house.simulator.play(id, "healthy");
  for (let minute = fromMinute; minute < fromMinute + 200; minute += 20) {
    await passMinutes(world, minute, 20);
    const { channels, undelivered } = await admin<AlertsAnswer>(world, "GET alerts");
    expect([undelivered, channels.map(({ lost }) => lost).filter(Boolean)]).toEqual([[], []]);
    const { incidents, summary } = await statusOf(world);
    const isOver = incidents.length === 0 && summary.up === GATEWAYS.length;
    if (isOver && channels.every(({ waiting }) => waiting === null)) return minute + 20;
  }
  throw new Error("it never comes to an end");
}

describe(`the Ledger killed at ${POINTS} random points`, () => {
  test(
    "every event arrives, with one id, in order a channel, and as the API shows it",
    async () => {
      const of = chance("crash points");
      const world = await start();
      for (const id of GATEWAYS) house.simulator.play(id, ...playlist(of, 400));
      let round = 0;
      const taken = failSometimes(of, () => round);
      await passMinutes(world, 0, 1);
      await world.dieAfter(
        Array.from({ length: POINTS }, () => 1 + Math.floor(of.next() * MOST_STEPS_APART)),
      );
      let [minute, lostTicks, toCome] = [1, 0, POINTS];
      const deadly: number[] = [];
      for (; toCome > 0; minute += 1) {
        round += 1;
        // Now and then ticks stop, or the platform puts the object to sleep.
        if (of.next() < 0.04) minute += 4;
        if (of.next() < 0.1) await world.evictLedger().catch(() => undefined);
        await passTick(world, minute * MINUTE_MS).catch(() => (lostTicks += 1));
        const left = (await world.deaths()).toCome;
        if (left < toCome) deadly.push(round);
        toCome = left;
      }
      round += 1;
      await drain(world, minute);
      const { places } = await world.deaths();
      const at = (channel: string) => taken[channel] ?? [];
      const told = firstArrivals(at("all"));
      const again = at("all").length - told.length;
      console.log(
        `${places.length} crashes in ${minute} minutes, ${lostTicks} ticks lost, ${told.length} events, ` +
          `of which ${again} came again; seed ${of.seed}`,
      );
      expect(places).toHaveLength(POINTS);
      const published = await incidentsOf(world);
      const samples = await samplesByMonitor(world);
      for (const id of GATEWAYS) {
        const own = published.filter(({ incident }) => incident.gateway === id);
        const spans = own.map(({ incident: { openedAt, resolvedAt } }) => [openedAt, resolvedAt]);
        expect([id, ...spans]).toEqual([id, ...incidentsBy(samples.get(`${id}/models`) ?? [])]);
      }
      const shown = published.map((each) => [each.incident.id, expectedOf(each)] as const);
      expect(toldOfIncidents(told)).toEqual(Object.fromEntries(shown));
      for (const [what, pairs] of Object.entries(pairsIn(told)))
        expect([what, pairs]).toEqual([what, expect.stringMatching(/^(\+-)+$/)]);

      const wanted = {
        keys: told.filter((each) => everOwnedBy(each, ["caller"])),
        operators: told.filter((each) => everOwnedBy(each, OPERATORS)),
        "ends-of-a": told.filter(({ type, data }) => type === "incident.resolved" && data.gateway === "a"),
      };
      for (const [channel, events] of Object.entries(wanted)) {
        const first = firstArrivals(at(channel));
        expect([channel, ...idsOf(first)]).toEqual([channel, ...idsOf(events)]);
      }
      expect(ambiguousIds(["all", ...Object.keys(wanted)].flatMap(at))).toEqual([]);
      // Else the deaths were harmless: a message that arrived and was not noted must come again.
      expect(again).toBeGreaterThan(0);
      // What could be noted never does.
      for (const channel of ["all", ...Object.keys(wanted)])
        expect([channel, ...needlessIn(at(channel), deadly)]).toEqual([channel]);
    },
    POINTS * 1000 + 60_000,
  );
});

/** Rounds in which an event came again, though the object had lived since it came before. */
function needlessIn(arrivals: readonly TakenArrival[], deadly: readonly number[]): readonly string[] {
  const before = new Map<unknown, number>();
  return arrivals.flatMap(({ headers, round }) => {
    const id = headers["webhook-id"];
    const since = before.get(id);
    before.set(id, round);
    const isNeedless = since !== undefined && !deadly.some((at) => since <= at && at <= round);
    return isNeedless ? [`${String(id)} in round ${since}, and again in ${round}`] : [];
  });
}

/** Each event once, in the order of first arrivals. */
function firstArrivals(arrivals: readonly Arrival[]): readonly WebhookBody[] {
  const byId = new Map<string, WebhookBody>();
  for (const arrival of arrivals) {
    const told = toldIn(arrival);
    if (!byId.has(told.data.eventId)) byId.set(told.data.eventId, told);
  }
  return [...byId.values()];
}

function idsOf(told: readonly WebhookBody[]): readonly string[] {
  return told.map(({ data }) => data.eventId);
}

/** Ids under which different things were told, or whose header says another id. Must be empty. */
function ambiguousIds(arrivals: readonly Arrival[]): readonly string[] {
  const bodies = new Map<string, string>();
  return arrivals.flatMap((arrival) => {
    const id = toldIn(arrival).data.eventId;
    const before = bodies.get(id) ?? arrival.body;
    bodies.set(id, before);
    return before === arrival.body && arrival.headers["webhook-id"] === id ? [] : [id];
  });
}

/** `<type> <instant>` of all that should have been told of an incident, by its timeline. */
function expectedOf({ incident }: PublishedIncident): readonly string[] {
  const types: Readonly<Record<string, string>> = {
    opened: "incident.opened",
    updated: "incident.updated",
    flapping: "incident.updated",
    resolved: "incident.resolved",
    removed: "incident.resolved",
    paused: "incident.resolved",
  };
  return incident.timeline.flatMap(({ type, at }) => (types[type] ? [`${types[type]} ${at}`] : []));
}

/** By incident, `<type> <instant>` of what was told, in order. */
function toldOfIncidents(told: readonly WebhookBody[]): Readonly<Record<string, readonly string[]>> {
  const byIncident: Record<string, string[]> = {};
  for (const { type, timestamp, data } of told) {
    if (data.incident) (byIncident[data.incident.id] ??= []).push(`${type} ${timestamp}`);
  }
  return byIncident;
}

/** Who ever had to act; what has no incident concerns everybody, but for models, which are the operator's. */
function everOwnedBy({ data }: WebhookBody, owners: readonly string[]): boolean {
  const { incident, models } = data;
  if (models !== null) return owners.includes("operator");
  if (incident === null) return true;
  return [incident, ...incident.timeline].some(({ owner }) => owner !== null && owners.includes(owner));
}

/**
 * What must be paired, by monitor (`-`: the monitoring's own), each as letters in the order in which it was told: `+` and
 * `-` for an opening and its end, for a silence and its end, and for models that vanish and return.
 */
function pairsIn(told: readonly WebhookBody[]): Readonly<Record<string, string>> {
  const pairs: Record<string, string> = {};
  const note = (of: string, letter: string): void => {
    pairs[of] = (pairs[of] ?? "") + letter;
  };
  for (const { type, data } of told) {
    const [what = "", how = ""] = type.split(".");
    const subject = data.monitor ?? "-";
    if (what === "monitoring") note("silence", how === "stalled" ? "+" : "-");
    if (what === "models") note(`models of ${subject}`, data.models?.missing.length === 0 ? "-" : "+");
    if (what === "incident" && how !== "updated")
      note(`incidents of ${subject}`, how === "opened" ? "+" : "-");
  }
  return pairs;
}
