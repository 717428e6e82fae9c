import { expect, test } from "vitest";
import { diagnosis } from "../fixtures/outcome.ts";
import { bug, excused, gateways, lost, play, probedAs, type Scene, taken } from "./tick-play.ts";

const DOWN = diagnosis("upstream_unavailable", "down", { httpStatus: 503 });
const good = () => probedAs();
const two = gateways(2);
const three = gateways(3);

test.each<readonly [string, Scene, number, number]>([
  ["in which nothing was due sends one", { assignments: [] }, 0, 1],
  ["of gateways that are down", { assignments: three, probed: () => probedAs({ diagnosis: DOWN }) }, 3, 1],
  ["that another invocation began", { assignments: two, duplicate: true }, 0, 0],
  ["whose batch the Ledger took at last", { assignments: two, refusals: 2 }, 2, 1],
  ["that reaches no gateway", { assignments: three, probed: lost }, 3, 0],
  ["that reaches one", { assignments: three, probed: (id) => (id === "g1/m0" ? probedAs() : lost()) }, 3, 1],
  ["that reaches none of one host", { assignments: two, hostOf: () => "one.example", probed: lost }, 2, 1],
  ["of one beside one excused", { assignments: [excused("x"), ...gateways(1)], probed: lost }, 2, 1],
  ["whose every probe breaks off", { assignments: two, probed: bug }, 0, 0],
  ["of which one breaks off", { assignments: two, probed: (id) => (id === "g0/m0" ? bug() : good()) }, 1, 1],
])("a tick %s: the heartbeats", async (_what, scene, results, count) => {
  const { beats, recorded } = await play({ ...scene, heartbeat: taken });
  expect([recorded.length, beats.length]).toEqual([results, count]);
});

test("a tick whose results the Ledger has sends one heartbeat, after the last of them", async () => {
  const assignments = [...three, ...gateways(1, true)];
  const takesMs = (id: string) => (id === "h0/m0" ? 7000 : 10);
  const { beats, batches } = await play({ assignments, takesMs, heartbeat: taken });
  expect(beats).toEqual([7010]);
  expect(batches.at(-1)).toMatchObject({ at: 7010, results: [{ monitorId: "h0/m0" }] });
  expect((await play({ assignments: [], heartbeat: taken })).beats).toEqual([0]);
});

test("a tick whose results the Ledger does not take sends none", async () => {
  const gone = new Error("the object is gone");
  const record = () => Promise.reject(gone);
  const expected = { summary: gone, beats: [] };
  expect(await play({ assignments: two, record, heartbeat: taken })).toMatchObject(expected);
});

test("a heartbeat that comes to nothing is warned about once, and fails nothing", async () => {
  const { beats, warnings, summary } = await play({ assignments: two, heartbeat: async () => "HTTP 503" });
  expect(beats).toHaveLength(1);
  expect(warnings).toEqual(["the heartbeat came to nothing: HTTP 503"]);
  expect(summary).toEqual({ duplicate: false, unfinished: false, probed: 2, shards: 1 });
});
