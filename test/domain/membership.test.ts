import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { AlarmPlay, DIAGNOSES, MINUTE, play, played, told } from "./alarm-play.ts";

const DOWN = { diagnosis: DIAGNOSES["D"]! };
const UNREACHED = { diagnosis: DIAGNOSES["L"]! };

const incidentsOf = ({ members }: AlarmPlay) => Object.values(members.incidents);

test("a removed monitor leaves an incident that others are in, and the last of them ends it", () => {
  const { final } = play({ m: "LL", n: "LL", o: "LL" });
  const [, n, o] = final.configured;
  expect(final.configure([n!, o!], 3 * MINUTE)).toEqual([]);
  expect(final.isNews).toBe(true);
  const [incident] = incidentsOf(final);
  expect(incident && incident.memberIds).toEqual(["a/n", "a/o"]);
  const left = { type: "left", text: "a/m is no longer monitored." };
  expect(incident?.timeline.at(-1)).toMatchObject(left);
  expect(final.configure([], 4 * MINUTE).map(told)).toEqual(["4 o resolved (removed)"]);
  expect([final.members.monitors, final.members.incidents]).toEqual([{}, {}]);
  const ended = final.happenings.at(-1);
  expect(ended).toMatchObject({ diagnosis: null, incident: { resolvedAtMs: 4 * MINUTE } });
  expect(ended && "incident" in ended && ended.incident.timeline.at(-1)?.type).toBe("removed");
});

test("a configuration that says the same changes nothing", () => {
  const { final } = play({ m: "DD" });
  const before = final.members;
  expect(final.configure(final.configured, 3 * MINUTE)).toEqual([]);
  expect(final.isNews).toBe(false);
  expect(final.members).toEqual(before);
});

test("the monitoring's own incident has no monitor to lose", () => {
  const { final } = play({ m: "DD" });
  final.edit((incident) => ({ ...incident, gatewayId: null }));
  expect(final.configure([], 3 * MINUTE)).toEqual([]);
  expect(Object.keys(final.members.incidents)).toHaveLength(1);
});

test("a renamed monitor keeps its counters and its incident, under the id that this was opened with", () => {
  const { final } = play({ m: "DD" });
  expect(final.configure([played("a/new", { formerly: ["a/other", "a/m"] })], 3 * MINUTE)).toEqual([]);
  expect(final.isNews).toBe(true);
  expect(final.members).toMatchObject({
    monitors: { "a/new": { failedInARow: 2, incidentId: "a.m-19700101t000200z" } },
    incidents: {
      "a.m-19700101t000200z": { monitorIds: ["a/new"], memberIds: ["a/new"], resolvedAtMs: null },
    },
  });
  expect(Object.keys(final.members.monitors)).toEqual(["a/new"]);
  final.probe("a/new", 4 * MINUTE, {});
  expect(final.probe("a/new", 5 * MINUTE, {}).map(told)).toEqual(["5 new resolved"]);
});

// `new<n,m`: renamed from n or m; then each with its failures in a row, and the monitor that its incident was opened with.
test.each<[title: string, m: string, n: string, renamed: string, left: string, ...events: string[]]>([
  ["a former id that is another monitor's now is not taken from it", "DD", "", "new<m m<", "m 2 m, new 0 -"],
  ["of two monitors that name one former id the first takes it", "DD", "", "x<m y<m", "x 2 m, y 0 -"],
  ["what one has under its present id it keeps", "DD", "U.", "n<m", "n 0 -", "3 m resolved (removed)"],
  ["of two former ones one is carried on", "DD", "AA", "new<n,m", "new 2 n", "3 m resolved (removed)"],
])("%s", (_, m, n, renamed, left, ...events) => {
  const { final } = play(n === "" ? { m } : { m, n });
  const monitors = renamed.split(" ").map((word) => {
    const [name, ids = ""] = word.split("<");
    const formerly = ids.split(",").map((id) => `a/${id}`);
    return played(`a/${name}`, ids === "" ? {} : { formerly });
  });
  expect(final.configure(monitors, 3 * MINUTE).map(told)).toEqual(events);
  const states = Object.entries(final.members.monitors).map(([id, { failedInARow, incidentId }]) => {
    return `${id.slice(2)} ${failedInARow} ${incidentId?.[2] ?? "-"}`;
  });
  expect(states.toSorted().join(", ")).toBe(left);
});

test("with its monitors an incident moves to the gateway's new id", () => {
  const { final } = play({ m: "LL", n: "LL" });
  const moved = ["m", "n"].map((name) => played(`b/${name}`, { formerly: [`a/${name}`] }));
  expect(final.configure(moved, 3 * MINUTE)).toEqual([]);
  expect(incidentsOf(final)).toMatchObject([{ gatewayId: "b", memberIds: ["b/m", "b/n"] }]);
});

test("who moves to another gateway alone leaves the incident of the first, and opens one there if it goes on", () => {
  const { final } = play({ m: "LL", n: "LL" });
  final.configure([played("a/m"), played("b/n", { formerly: ["a/n"] })], 3 * MINUTE);
  expect(incidentsOf(final)).toMatchObject([{ gatewayId: "a", memberIds: ["a/m"] }]);
  expect(final.members.monitors["b/n"]).toMatchObject({ failedInARow: 2, incidentId: null });
  expect(final.probe("b/n", 4 * MINUTE, UNREACHED).map(told)).toEqual(["4 n opened L"]);
});

test("with its only monitor paused an incident ends as paused", () => {
  const { final } = play({ m: "DD" });
  expect(final.pause("a/m", 3 * MINUTE).map(told)).toEqual(["3 m resolved (paused)"]);
  expect(final.isNews).toBe(true);
  expect(final.members.incidents).toEqual({});
  expect(final.members.monitors["a/m"]).toMatchObject({
    health: "unknown",
    lastVerdict: "down",
    sinceMs: 3 * MINUTE,
    diagnosis: null,
    failedInARow: 0,
    failingSinceMs: null,
    incidentId: null,
    pausedAtMs: 3 * MINUTE,
  });
  expect(final.happenings.at(-1)).toMatchObject({
    incident: { timeline: [{ type: "opened" }, { type: "paused" }] },
  });
});

test("a paused monitor leaves an incident that others are in", () => {
  const { final } = play({ m: "LL", n: "LL" });
  expect(final.pause("a/m", 3 * MINUTE)).toEqual([]);
  const timeline = [{ type: "opened" }, { type: "joined" }, { type: "left", text: "a/m was paused." }];
  expect(incidentsOf(final)).toMatchObject([{ memberIds: ["a/n"], timeline }]);
});

test("a result that was on its way when the monitor was paused moves nothing", () => {
  const { final } = play({ m: "D" });
  final.pause("a/m", 2 * MINUTE);
  const before = final.members;
  expect(final.probe("a/m", 2 * MINUTE + 1, DOWN)).toEqual([]);
  expect(final.members).toEqual(before);
});

test("resumed, a monitor is due at once and counts anew", () => {
  const { final } = play({ m: "DD" });
  final.pause("a/m", 3 * MINUTE);
  final.resume("a/m");
  expect(final.members.monitors["a/m"]).toMatchObject({ pausedAtMs: null, nextDueMs: 0, health: "unknown" });
  expect(final.probe("a/m", 4 * MINUTE, DOWN)).toEqual([]);
  expect(final.probe("a/m", 5 * MINUTE, DOWN).map(told)).toEqual(["5 m opened D"]);
});

const NAMES = ["a/m", "a/n", "b/m"];
const threshold = fc.constantFrom(1, 1, 2, 3);
const anyTurn = fc.record({
  what: fc.constantFrom(..."DDALLLLNTSUUUUU?mm".split(""), "pause", "resume", "remove", "add"),
  id: fc.constantFrom(...NAMES),
  minutes: fc.constantFrom(1, 1, 1, 5, 40),
});

test("in any sequence a monitor is in at most one open incident and knows which, and each incident opens and ends once", () => {
  const rules = fc.record({ open: threshold, close: threshold, flapping: fc.constantFrom(null, 1, 2, 3) });
  fc.assert(
    fc.property(rules, fc.array(anyTurn, { maxLength: 80, size: "max" }), (of, turns) => {
      const alarm = new AlarmPlay(NAMES.map((id) => played(id, of)));
      let atMs = 0;
      let inMaintenance = false;
      for (const { what, id, minutes } of turns) {
        atMs += minutes * MINUTE;
        const others = alarm.configured.filter((monitor) => monitor.id !== id);
        if (what === "add") alarm.configure([...others, played(id, of)], atMs);
        else if (what === "remove") alarm.configure(others, atMs);
        else if (what === "m") inMaintenance = !inMaintenance;
        else if (others.length === alarm.configured.length) continue;
        else if (what === "pause") alarm.pause(id, atMs);
        else if (what === "resume") alarm.resume(id);
        else alarm.probe(id, atMs, { diagnosis: DIAGNOSES[what]! }, inMaintenance);
        const { monitors, incidents } = alarm.members;
        const byName = (a: string, b: string): number => a.localeCompare(b);
        const inside = Object.values(incidents).flatMap((one) =>
          one.memberIds.map((who) => `${who} ${one.id}`),
        );
        const known = Object.entries(monitors).flatMap(([who, { incidentId }]) =>
          incidentId === null ? [] : `${who} ${incidentId}`,
        );
        expect(inside.toSorted(byName)).toEqual(known.toSorted(byName));
        expect(Object.values(incidents).every(({ memberIds }) => memberIds.length > 0)).toBe(true);
      }
      const happenings = alarm.happenings.flatMap((one) => ("incident" in one ? one : []));
      for (const life of Map.groupBy(happenings, ({ incident }) => incident.id).values()) {
        expect(life.map(({ type }) => type.at("incident.".length)).join("")).toMatch(/^ou*r?$/u);
      }
    }),
    { numRuns: rounds(30, 300) },
  );
});
