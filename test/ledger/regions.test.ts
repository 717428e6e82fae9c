/** Gateways that are asked from regions: whole ticks in virtual time, against the real rules of the Ledger. */
import { describe, expect, test } from "vitest";
import type { Region } from "../../src/config/config.ts";
import { newMonitor, combineOutcomes } from "../../src/domain/monitor-state.ts";
import { isOverdue } from "../../src/domain/schedule.ts";
import { NETWORK_UNSEEN } from "../../src/domain/monitoring.ts";
import type { RecordingWorld } from "../../src/ledger/record/draft.ts";
import { EMPTY_STATE, type LedgerState } from "../../src/ledger/state/state.ts";
import { config, gateway } from "../fixtures/config.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { LOST, MINUTE, Monitoring } from "./monitoring-play.ts";
import { begin, record } from "./ticks.ts";

function withRegions(id: string, ...regions: readonly Region[]) {
  return gateway(id, { regions });
}

const THREE = ["weur", "apac", "enam"] as const;
const three = () => new Monitoring(config([withRegions("a", ...THREE)]));

describe("what opens an incident", () => {
  const TWO = ["weur", "apac"] as const;

  test.each<
    [what: string, regions: readonly Region[], lanes: Readonly<Record<string, string>>, told: string[]]
  >([
    [
      "two of three open one, and one that gets well ends it",
      THREE,
      { "a@apac": "ULLLLUU", "a@weur": "ULLLLLL" },
      ["3 a opened", "7 a resolved"],
    ],
    [
      "who fails may be another region each time",
      THREE,
      { "a@apac": "ULLU", "a@weur": "ULUL", "a@enam": "UULL" },
      ["3 a opened"],
    ],
    ["of two regions both must fail", TWO, { "a@weur": "ULLLLU", "a@apac": "UUULLU" }, ["5 a opened"]],
    [
      "a vantage point that does not answer is no evidence: the others decide",
      THREE,
      { "a@weur": "UXXXX", "a@apac": "ULLUU", "a@enam": "ULLUU" },
      ["3 a opened", "5 a resolved"],
    ],
  ])("%s", async (_, regions, lanes, told) => {
    expect((await new Monitoring(config([withRegions("a", ...regions)])).play(lanes)).told).toEqual(told);
  });

  test("a failure that one of three regions sees alone opens nothing, however long it lasts", async () => {
    const of = await three().play({ "a@apac": "ULLLLLLLL" });
    expect([of.told, of.health("a/models")]).toEqual([[], "up"]);
    expect(of.regionsOf("a/models")).toEqual({ weur: "up", apac: "down", enam: "up" });
  });

  test("one of three that answers alone decides nothing by a failure, and all by a good answer", async () => {
    const fails = await three().play({ "a@weur": "UXXX", "a@apac": "UXXX", "a@enam": "ULLL" });
    expect(fails.told).toEqual([]);
    expect(fails.state.monitors["a/models"]?.lastProbe?.tickMs).toBe(MINUTE);
    const getsWell = await three().play({ "a@weur": "LLXX", "a@apac": "LLXX", "a@enam": "LLUU" });
    expect(getsWell.told).toEqual(["2 a opened", "4 a resolved"]);
  });
});

describe("networks of one's own", () => {
  const two = (...regions: readonly Region[]) =>
    new Monitoring(config([withRegions("a", ...regions), withRegions("b", ...regions)]));

  test("nobody is reached from any region: the monitoring's own trouble, told as an incident of its own", async () => {
    const lane = "ULLLUU";
    const of = two("weur", "apac");
    await of.play({ "a@weur": lane, "a@apac": lane, "b@weur": lane, "b@apac": lane });
    expect(of.told).toEqual(["3 own opened", "6 own resolved"]);
    expect(of.health("a/models")).toBe("up");
    expect(of.beats).toEqual([1, 5, 6]);
  });

  test("what any region reaches shows that the monitoring has a network, as the Worker's own requests do", async () => {
    const of = new Monitoring(config([gateway("a"), gateway("b"), withRegions("r", "weur", "apac")]));
    await of.play({ a: "ULLL", b: "ULLL", "r@weur": "UUUL", "r@apac": "UUUL" });
    expect(of.told).toEqual(["3 a opened", "3 b opened"]);
    expect(of.health("a/models")).toBe("down");
  });

  test("an incident of vantage points that 0.2.0 opened ends when the monitoring reaches a gateway again", async () => {
    const of = two("weur");
    await of.play({ "a@weur": "LL", "b@weur": "LL" });
    const [own] = Object.values(of.state.incidents);
    if (!own) throw new Error("none is open");
    const stored = { ...own, id: own.id.replace("monitoring", "vantage-points") };
    const ownNetwork = NETWORK_UNSEEN;
    const journal = { ...of.state.journal, ownNetwork };
    of.state = { ...of.state, journal, incidents: { [stored.id]: stored } };
    await of.play({ "a@weur": "UU", "b@weur": "UU" });
    expect(of.told).toEqual(["2 own opened", "4 own resolved"]);
    expect(of.state.incidents).toEqual({});
  });
});

test("Retry-After of one region holds the gateway for all, though it is up", async () => {
  const of = await three().play({ "a@apac": "URUU" });
  expect(of.health("a/models")).toBe("up");
  expect(of.state.monitors["a/models"]?.lastProbe?.tickMs).toBe(2 * MINUTE);
  const heldUntilMs = of.state.journal.gateways["a"]?.heldUntilMs ?? 0;
  expect(heldUntilMs).toBe(2 * MINUTE + 100 + 3_600_000);
  // Nor is what was seen called too old meanwhile.
  const isOld = (nowMs: number): boolean => {
    const known = of.state.monitors["a/models"] ?? newMonitor(0);
    return isOverdue(known, heldUntilMs, { everyMs: MINUTE, tickIntervalMs: MINUTE, nowMs });
  };
  expect([isOld(40 * MINUTE), isOld(80 * MINUTE)]).toEqual([false, true]);
});

describe("a configuration that changes", () => {
  test("a region that leaves is forgotten, the others stay as they were", async () => {
    const of = await three().play({ "a@apac": "LLL" });
    of.settings = config([withRegions("a", "weur", "enam")]);
    await of.play({ a: "U" });
    expect(of.regionsOf("a/models")).toEqual({ weur: "up", enam: "up" });
    expect(of.state.monitors["a/models"]?.regions["weur"]?.sinceMs).toBe(MINUTE);
  });

  test("a gateway that loses its regions goes on with its incident, and the Worker ends it", async () => {
    const of = await three().play({ "a@apac": "LL", "a@enam": "LL" });
    of.settings = config([gateway("a")]);
    await of.play({ a: "UU" });
    expect(of.told).toEqual(["2 a opened", "4 a resolved"]);
    expect(of.regionsOf("a/models")).toEqual({});
  });

  test("one that gets regions goes on with its incident, which they end", async () => {
    const of = await new Monitoring(config([gateway("a")])).play({ a: "LLL" });
    of.settings = config([withRegions("a", ...THREE)]);
    await of.play({ "a@weur": "UU", "a@apac": "LL", "a@enam": "UU" });
    expect(of.told).toEqual(["2 a opened", "5 a resolved"]);
  });
});

describe("a batch with what regions saw", () => {
  const world = { config: config([withRegions("a", ...THREE)]) };
  const begun = begin(EMPTY_STATE, MINUTE, world);
  const regions = THREE.map((region, index) => {
    const times = { startedAtMs: MINUTE + 10 * index, latencyMs: 100 * (index + 1) };
    return { region, outcome: outcome({ ...times, ...(region === "apac" && LOST) }) };
  });
  const offer = (of: LedgerState, seen = regions, tickMs = MINUTE, over: Partial<RecordingWorld> = {}) => {
    const results = [{ monitorId: "a/models", outcome: combineOutcomes(seen) ?? outcome(), regions: seen }];
    return record(of, tickMs, {}, { ...world, nowMs: tickMs + 900, ...over }, { results });
  };

  test("that lacks most of the regions decides nothing by a failure", () => {
    const lost = regions.filter(({ region }) => region === "apac");
    expect(offer(begun.state, lost).state.monitors["a/models"]).toMatchObject({ health: "unknown" });
  });

  test("is kept as a series for the monitor and one for each region", () => {
    const { samples } = offer(begun.state);
    expect(
      samples.map(({ monitorId, sample: of }) => [monitorId, of.health, of.cause, of.latencyMs, of.atMs]),
    ).toEqual([
      ["a/models", "up", "ok", 100, 60_000],
      ["a/models@weur", "up", "ok", 100, 60_000],
      ["a/models@apac", "down", "timeout", 200, 60_010],
      ["a/models@enam", "up", "ok", 300, 60_020],
    ]);
  });

  test("an address that answered from a region within the day, and looks wrong there now, is the operator's", () => {
    const first = offer(begun.state);
    const second = begin(first.state, 2 * MINUTE, world);
    const diagnosed = { startedAtMs: 2 * MINUTE, diagnosis: diagnosis("wrong_url", "blocked") };
    const wrong = THREE.map((region) => ({ region, outcome: outcome(diagnosed) }));
    const { state } = offer(second.state, wrong, 2 * MINUTE);
    const healths = Object.entries(state.monitors["a/models"]?.regions ?? {});
    // It never answered from apac: there it may have been wrong all along.
    expect(healths.map(([region, { health }]) => [region, health])).toEqual([
      ["weur", "down"],
      ["apac", "blocked"],
      ["enam", "down"],
    ]);
    expect(state.monitors["a/models"]).toMatchObject({ health: "down", diagnosis: { owner: "operator" } });
  });
});
