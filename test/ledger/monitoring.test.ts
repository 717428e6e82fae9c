/** A monitoring in virtual time: real ticks, with their recorder, against the real rules of the Ledger. */
import { expect, test, describe } from "vitest";
import type { Config, Region } from "../../src/config/config.ts";
import { type MaintenanceWindow, isOverdue } from "../../src/domain/schedule.ts";
import { pauseMonitor } from "../../src/domain/incident-rules.ts";
import { gatewayOf, newMonitor, combineOutcomes } from "../../src/domain/monitor-state.ts";
import type { Probed } from "../../src/domain/probe-outcome.ts";
import { beginTick } from "../../src/ledger/begin/begin-tick.ts";
import { recordBatch } from "../../src/ledger/record/record-batch.ts";
import { DOCUMENTS, EMPTY_STATE, type LedgerState } from "../../src/ledger/state/state.ts";
import { runTick } from "../../src/probe/tick.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { IN_NODE, PlayedClock } from "../fixtures/played-clock.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { begin, record } from "./ticks.ts";
import { NETWORK_UNSEEN } from "../../src/domain/monitoring.ts";
import type { RecordingWorld } from "../../src/ledger/record/draft.ts";

const MINUTE = 60_000;
const LOST = { diagnosis: diagnosis("timeout", "down", { layer: "network", httpStatus: null }) };
const BROKEN = { diagnosis: diagnosis("upstream_unavailable", "down") };
/** Longer than from tick to tick. */
const HANGS_MS = 70_000;
const BUSY = {
  diagnosis: diagnosis("rate_limited", "degraded", {
    retry: { allowed: true, afterSeconds: 3600, hint: null },
  }),
};

/** A monitoring that lives from minute 1 on. */
class Monitoring {
  settings: Config;
  maintenance: readonly MaintenanceWindow[] = [];
  hostOf: (gatewayId: string) => string = (id) => id;
  state: LedgerState = EMPTY_STATE;
  minute = 0;
  readonly told: string[] = [];
  /** The minutes whose tick called the heartbeat. */
  readonly beats: number[] = [];
  readonly #clock = new PlayedClock(IN_NODE);

  constructor(settings: Config) {
    this.settings = settings;
  }

  /**
   * Lanes by gateway, a letter a minute. `U`: it answers. `L`: it is not reached. `H`: the same, known only after 70 s.
   * `E`: it answers that it fails. `R`: it asks for an hour's rest. A gateway without a letter answers. With regions a lane is
   * `a@weur`, and `X` is: the vantage point fails.
   */
  async play(lanes: Readonly<Record<string, string>>): Promise<this> {
    const minutes = Math.max(...Object.values(lanes).map(({ length }) => length));
    for (let n = 0; n < minutes; n += 1) {
      this.minute += 1;
      await this.#tick((lane) => lanes[lane]?.[n] ?? "U");
    }
    return this;
  }

  health(monitorId: string): string | undefined {
    return this.state.monitors[monitorId]?.health;
  }

  /** The health that is seen from each of its regions. */
  regionsOf(monitorId: string): Readonly<Record<string, string>> {
    const regions = Object.entries(this.state.monitors[monitorId]?.regions ?? {});
    return Object.fromEntries(regions.map(([region, { health }]) => [region, health]));
  }

  get open(): readonly (string | null)[] {
    return Object.values(this.state.incidents).map(({ gatewayId }) => gatewayId);
  }

  pause(monitorId: string): void {
    const { monitors } = this.state;
    const paused = pauseMonitor(this.state, monitorId, { untilMs: null, by: null }, this.minute * MINUTE);
    if (paused) this.state = { ...this.state, monitors: { ...monitors, [monitorId]: paused.monitor } };
  }

  async #tick(letterOf: (gatewayId: string) => string): Promise<void> {
    const tickMs = this.minute * MINUTE;
    const clock = this.#clock;
    await clock.run(clock.sleep(tickMs - clock.nowMs));
    const identities = Object.fromEntries(this.settings.gateways.map(({ id }) => [id, `${id}:key`]));
    const { settings, maintenance } = this;
    const world = () => ({ config: settings, maintenance, nowMs: clock.nowMs, tickIntervalMs: MINUTE });
    const work = runTick(
      { tickMs, invocation: `i${tickMs}` },
      {
        clock,
        hostOf: this.hostOf,
        startLanes: async () => undefined,
        requestLimit: 50,
        warn: () => undefined,
        heartbeat: async () => {
          this.beats.push(this.minute);
          return null;
        },
        ledger: {
          begin: async (request) => {
            const began = beginTick(this.state, request, { ...world(), identities, run: null });
            this.#keep(began);
            return { ...began.answer, shards: 1 };
          },
          record: async (batch) =>
            this.#keep(recordBatch(this.state, batch, { ...world(), isRecorded: () => false })),
        },
        canary: async () => ({ type: "not_sent_by_platform" }),
        probe: (monitorId) => this.#probe(letterOf(gatewayOf(monitorId))),
        readPage: async () => null,
        vantage: {
          regionsOf: (gatewayId) => settings.gateways.find(({ id }) => id === gatewayId)?.regions ?? [],
          probe: (region, { monitorId }) => this.#probe(letterOf(`${gatewayOf(monitorId)}@${region}`)),
        },
      },
    );
    // It may go on while the next one runs.
    const minuteEnds = clock.sleep(MINUTE - 1);
    await clock.run(Promise.race([work.then(() => minuteEnds), minuteEnds]));
  }

  async #probe(letter: string): Promise<Probed> {
    const startedAtMs = this.#clock.nowMs;
    if (letter === "X") throw new Error("the object was reset");
    await this.#clock.sleep(letter === "H" ? HANGS_MS : 100);
    return {
      type: "probed",
      outcome: outcome({ startedAtMs, ...{ L: LOST, H: LOST, E: BROKEN, R: BUSY }[letter] }),
    };
  }

  #keep({ state, happenings }: Pick<ReturnType<typeof beginTick>, "state" | "happenings">): void {
    const journal = DOCUMENTS.journal().parse(JSON.parse(JSON.stringify(state.journal)));
    this.state = { ...state, journal };
    for (const happening of happenings) {
      if (!("incident" in happening)) continue;
      const { type, reason, incident } = happening;
      const why = reason === null ? "" : ` (${reason})`;
      this.told.push(`${this.minute} ${incident.gatewayId ?? "own"} ${type.slice("incident.".length)}${why}`);
    }
  }
}

const two = () => new Monitoring(config([gateway("a"), gateway("b")]));
const windowOf = (id: string, from: number, to: number): MaintenanceWindow => ({
  gateways: [id],
  fromMs: from * MINUTE,
  toMs: to * MINUTE,
  title: "Move",
});

test.each<[what: string, lanes: Readonly<Record<string, string>>, told: string[], beats: number[]]>([
  [
    "two gateways that are not reached at once are the monitoring's trouble, and no heartbeat goes out",
    { a: "ULLLUU", b: "ULLLUU" },
    ["3 own opened", "6 own resolved"],
    [1, 5, 6],
  ],
  [
    "a gateway that was down while another answered is no second one",
    { a: "ULLLUU", b: "UUULLL" },
    ["3 a opened", "5 b opened", "6 a resolved"],
    [1, 2, 3, 4, 5, 6],
  ],
  [
    "one that failed first in the tick that reached the other last is: the network may have died in between",
    { a: "ULLL", b: "UULL" },
    ["4 own opened"],
    [1, 2],
  ],
  [
    "beside one that fails by itself two more that fail at once are the monitoring's trouble",
    { a: "ULLLLLLL", b: "UUULLUU", c: "UUULLUU" },
    ["3 a opened", "5 own opened", "7 own resolved"],
    [1, 2, 3, 6, 7, 8],
  ],
  [
    "who is reached after an outage of the monitoring's network counts as a witness of the next one",
    { a: "ULLUULL", b: "ULLUULL" },
    ["3 own opened", "5 own resolved", "7 own opened"],
    [1, 4, 5],
  ],
])("%s", async (_, lanes, told, beats) => {
  const of = await new Monitoring(config(Object.keys(lanes).map((id) => gateway(id)))).play(lanes);
  expect([of.told, of.beats]).toEqual([told, beats]);
});

test("a gateway that is worked on is no second one: the other is down, and the heartbeat goes on", async () => {
  const of = two();
  of.maintenance = [windowOf("b", 2, 100)];
  await of.play({ a: "ULLL", b: "ULLL" });
  expect(of.told).toEqual(["3 a opened"]);
  expect(of.health("a/models")).toBe("down");
  expect(of.beats).toEqual([1, 2, 3, 4]);
});

test("a window that is planned while the tick runs counts as well", () => {
  const world = { config: two().settings };
  const { state } = begin(EMPTY_STATE, MINUTE, world);
  const after = (maintenance: readonly MaintenanceWindow[]) =>
    record(
      state,
      MINUTE,
      { "a/models": LOST, "b/models": LOST },
      { ...world, maintenance },
      { ownNetworkFailed: true },
    ).state.monitors["a/models"]?.health;
  expect([after([]), after([windowOf("b", 1, 2)])]).toEqual(["unknown", "down"]);
});

test("nor is one before anything was told of it, if it failed in the tick before one that reached another", async () => {
  const slow = gateway("a", { monitors: [monitor("a", { open: 5 })] });
  const of = await new Monitoring(config([slow, gateway("b")])).play({ a: "ULLLL", b: "UUULL" });
  expect(of.told).toEqual(["5 b opened"]);
});

test("one that failed alone because it alone was asked is", async () => {
  const seldom = gateway("b", { monitors: [monitor("b", { everyMs: 5 * MINUTE })] });
  const lane = "UUULLLLLL";
  const of = await new Monitoring(config([gateway("a"), seldom])).play({ a: lane, b: lane });
  expect(of.told).toEqual(["5 a opened", "9 own opened"]);
  expect([of.health("a/models"), of.health("b/models")]).toEqual(["unknown", "unknown"]);
});

test("what is withheld from a gateway makes it none that was reached", async () => {
  const three = config([gateway("a"), gateway("b"), gateway("c")]);
  const of = await new Monitoring(three).play({ a: "ULL", b: "UUU", c: "UUU" });
  const since = () => ["a", "b"].map((id) => of.state.journal.gateways[id]?.unreachedSinceMs);
  expect(since()).toEqual([2 * MINUTE, null]);
  await of.play({ a: "L", b: "L", c: "L" });
  expect(since()).toEqual([2 * MINUTE, 4 * MINUTE]);
  await of.play({ a: "U", b: "U", c: "U" });
  expect(since()).toEqual([null, null]);
});

test("two that die together are told as theirs as soon as a third answers, however seldom that is asked", async () => {
  const seldom = gateway("c", { monitors: [monitor("c", { everyMs: 15 * MINUTE })] });
  const of = new Monitoring(config([gateway("a"), gateway("b"), seldom]));
  await of.play({ a: `U${"L".repeat(29)}`, b: `U${"L".repeat(29)}` });
  expect(of.told).toEqual(["3 own opened", "12 a opened", "12 b opened", "26 own resolved"]);
  expect([of.health("a/models"), of.health("b/models")]).toEqual(["down", "down"]);
  expect(of.beats).toEqual([1, ...Array.from({ length: 20 }, (_, n) => 11 + n)]);
});

test("at another address it fails by itself no more", async () => {
  const of = await two().play({ a: "ULL", b: "UUU" });
  expect(of.state.journal.gateways["a"]?.unreachedSinceMs).toBe(2 * MINUTE);
  const identities = { a: "elsewhere:key", b: "b:other-key" };
  const moved = begin(of.state, 4 * MINUTE, { config: of.settings, identities });
  expect(moved.state.journal.gateways["a"]?.unreachedSinceMs).toBeNull();
  expect(moved.answer.assignments.map(({ excused }) => excused)).toEqual([false, false]);
});

test.each<[how: string, change: (of: Monitoring) => void]>([
  ["is removed", (of) => (of.settings = config([gateway("a")]))],
  ["is paused", (of) => of.pause("b/models")],
  ["is worked on", (of) => (of.maintenance = [windowOf("b", 4, 1000)])],
])(
  "where one of two %s meanwhile, the incident ends unseen, and the other is told as down",
  async (_, change) => {
    const of = await two().play({ a: "ULL", b: "ULL" });
    expect(of.told).toEqual(["3 own opened"]);
    change(of);
    await of.play({ a: "LL", b: "HH" });
    expect(of.told.slice(1)).toEqual(["4 own resolved (removed)", "5 a opened"]);
    expect(of.open).toEqual(["a"]);
  },
);

test("a first failed tick, of which nothing was told, is forgotten alike", async () => {
  const of = await two().play({ a: "UL", b: "UL" });
  of.settings = config([gateway("a")]);
  await of.play({ a: "LL" });
  expect(of.told).toEqual(["4 a opened"]);
});

test("a standstill ends nothing: the next tick sees by itself", async () => {
  const of = await two().play({ a: "ULL", b: "ULL" });
  of.minute += 600;
  await of.play({ a: "LUU", b: "LUU" });
  expect(of.told).toEqual(["3 own opened", "606 own resolved"]);
});

test("nor do ticks that begin while gateways are still being asked", async () => {
  const of = await two().play({ a: "ULL", b: "ULL" });
  const world = { config: of.settings, identities: { a: "a:key", b: "b:key" } };
  let { state } = of;
  for (let minute = 4; minute <= 8; minute += 1) state = begin(state, minute * MINUTE, world).state;
  expect(Object.values(state.incidents).map(({ gatewayId }) => gatewayId)).toEqual([null]);
});

test("while the monitoring is cut off nobody is reminded of a gateway", async () => {
  const reminding = gateway("a", { monitors: [monitor("a", { remindEveryMs: 5 * MINUTE })] });
  const of = new Monitoring(config([reminding, gateway("b"), gateway("c")]));
  await of.play({ a: `ULL${"L".repeat(20)}`, b: `UUU${"L".repeat(20)}`, c: `UUU${"L".repeat(20)}` });
  expect(of.told).toEqual(["3 a opened", "5 own opened"]);
  await of.play({ a: "LL" });
  expect(of.told.slice(2)).toEqual(["24 a updated (reminder)", "25 own resolved"]);
});

test("a row of failures is full in the end, however long the gateway asks to be left alone between them", async () => {
  const of = await new Monitoring(config([gateway("a")])).play({ a: "R".repeat(62) });
  expect(of.told).toEqual(["62 a opened"]);
  expect(Object.values(of.state.incidents)).toMatchObject([{ firstFailedAtMs: MINUTE }]);
});

// Gateways that are asked from regions.

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
  const twoFrom = (...regions: readonly Region[]) =>
    new Monitoring(config([withRegions("a", ...regions), withRegions("b", ...regions)]));

  test("nobody is reached from any region: the monitoring's own trouble, told as an incident of its own", async () => {
    const lane = "ULLLUU";
    const of = twoFrom("weur", "apac");
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
    const of = twoFrom("weur");
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
