/** What counts as the monitoring's own network, and what as gateways that fail. */
import { expect, test } from "vitest";
import type { MaintenanceWindow } from "../../src/domain/schedule.ts";
import { EMPTY_STATE } from "../../src/ledger/state/state.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { LOST, MINUTE, Monitoring } from "./monitoring-play.ts";
import { begin, record } from "./ticks.ts";

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
