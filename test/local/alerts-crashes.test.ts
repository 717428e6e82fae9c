/**
 * The Ledger killed at random steps between a change and its delivery: in the middle of a statement's transaction, before
 * and after a commit, while it starts, before a message goes out, after it arrived. Each event arrives at least once, with
 * one id, in order a channel, and again only where a death came between; and what arrives is what the API shows. Real
 * Worker, Ledger, KV and sockets.
 *
 * `TEST_SEED` repeats a run.
 */
import { describe, expect, test } from "vitest";
import type { AlertsAnswer } from "../../src/ledger/admin/admin-answers.ts";
import { rounds } from "../extent.ts";
import { admin, alertingHouse, passMinutes, passTick } from "./support/alerting.ts";
import {
  ambiguousIds,
  everOwnedBy,
  expectedOf,
  firstArrivals,
  idsOf,
  pairsIn,
  toldOfIncidents,
} from "./support/alert-history.ts";
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
