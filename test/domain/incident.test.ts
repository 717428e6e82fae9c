import { expect, test } from "vitest";
import {
  addNote,
  deleteNote,
  endIncident,
  incidentId,
  joinIncident,
  openedAtOf,
  openIncident,
  updateIncident,
  applyChanges,
  type Incident,
  type OpenIncidents,
} from "../../src/domain/incident.ts";
import { CAUSES, OWNERS } from "../../src/protocol/diagnosis.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { DIAGNOSES, MINUTE } from "./alarm-play.ts";

const SUBJECT = { gatewayId: "acme", monitorIds: ["acme/models"], name: "acme/models" };
const DOWN = diagnosis("upstream_unavailable", "down", { owner: "upstream" });
const timedOut = openIncident(SUBJECT, diagnosis("timeout", "down"), null, 0);
const BLOCKED = diagnosis("wrong_url", "blocked", { owner: "caller" });

test("each entry of the timeline tells how it was from then on, and who had to act", () => {
  const opened = openIncident(SUBJECT, DOWN, null, 1);
  const ended = endIncident(updateIncident(opened, BLOCKED, 2, true), "resolved", 3);
  expect(ended.timeline.map(({ type, health, owner, sent }) => [type, health, owner, sent])).toEqual([
    ["opened", "down", "upstream", true],
    ["updated", "blocked", "caller", true],
    ["resolved", null, null, null],
  ]);
  const removed = endIncident(opened, "removed", 4).timeline.at(-1);
  expect(removed).toMatchObject({ type: "removed", health: null, owner: null });
});

test("where there was no key to send, the timeline tells that nothing was sent", () => {
  const unset = diagnosis("authentication", "blocked", { layer: null });
  expect(openIncident(SUBJECT, unset, null, 1).timeline[0]?.sent).toBe(false);
  const slow = diagnosis("slow", "degraded", { ok: true, layer: null });
  expect(openIncident(SUBJECT, slow, null, 1).timeline[0]?.sent).toBe(true);
});

test("of a long timeline, what no message said goes first", () => {
  let incident = timedOut;
  for (let n = 1; n <= 200; n += 1) {
    const matter = n % 2 === 0 ? DOWN : diagnosis("timeout", "down");
    incident = updateIncident(incident, matter, n, n === 2);
  }
  expect(incident.timeline).toHaveLength(40);
  expect(incident.timeline.filter(({ pageOnly }) => pageOnly !== true).map(({ atMs }) => atMs)).toEqual([
    0, 2,
  ]);
  expect(incident).toMatchObject({ cause: "upstream_unavailable", toldAtMs: 2 });
});

test("who was told of a cause or an owner finds it in the timeline, however much came after", () => {
  let incident = timedOut;
  for (const [index, cause] of CAUSES.entries()) {
    const owner = OWNERS[index % OWNERS.length]!;
    incident = updateIncident(incident, diagnosis(cause, "down", { owner }), index + 1, true);
  }
  for (let n = 0; n < 200; n += 1) incident = joinIncident(incident, `a/n${n}`, "fails too", 100 + n);
  expect(incident.timeline).toHaveLength(40);
  expect(new Set(incident.timeline.map(({ cause }) => cause))).toEqual(new Set(CAUSES));
  expect(new Set(incident.timeline.map(({ owner }) => owner))).toEqual(new Set(OWNERS));
  expect(incident.timeline[0]).toMatchObject({ type: "opened", atMs: 0 });
  expect(incident.timeline.at(-1)).toMatchObject({ type: "joined", atMs: 299 });
  const instants = incident.timeline.map(({ atMs }) => atMs);
  expect(instants).toEqual(instants.toSorted((a, b) => a - b));
});

test("an incident's id tells when it opened", () => {
  const id = incidentId("acme/models", Date.parse("2026-11-21T09:12:33.456Z"));
  expect(id).toBe("acme.models-20261121t091233z");
  expect(openedAtOf(id)).toBe(Date.parse("2026-11-21T09:12:33Z"));
  expect(openedAtOf("acme.models-20269921t991233z")).toBeNull();
  expect(openedAtOf("nonsense")).toBeNull();
});

function openOf(name: string): Incident {
  const subject = { gatewayId: "a", monitorIds: [`a/${name}`], name: `a/${name}` };
  return openIncident(subject, DIAGNOSES["D"]!, null, MINUTE);
}

const [first, second, third] = ["one", "two", "three"].map(openOf) as [Incident, Incident, Incident];
const OPEN: OpenIncidents = Object.freeze({ [first.id]: first, [second.id]: second });

test("what changed takes its place, what is new comes last, and what ended is open no more", () => {
  const changed = { ...second, flapping: true };
  const ended = endIncident(first, "resolved", 2 * MINUTE);
  const { incidents, resolved } = applyChanges(OPEN, { incidents: [changed, ended, third] });
  expect(Object.values(incidents)).toEqual([changed, third]);
  expect(resolved).toEqual([ended]);
});

test("a note is kept without the spaces around it", () => {
  expect(addNote(timedOut, { atMs: 7, text: "  The key is being renewed.\n", isPublic: true })).toEqual({
    ...timedOut,
    notes: [{ atMs: 7, text: "The key is being renewed.", isPublic: true }],
  });
});

test("the 21st note is refused", () => {
  let of = timedOut;
  for (let n = 1; n <= 20; n += 1) of = addNote(of, { atMs: n, text: `${n}`, isPublic: true }) ?? of;
  expect(of.notes.map(({ text }) => text)).toHaveLength(20);
  expect(addNote(of, { atMs: 21, text: "21", isPublic: true })).toBeNull();
});

test("two notes of one instant are two, and one of them can be deleted", () => {
  const noted = ["a", "b"].reduce(
    (of, text) => addNote(of, { atMs: 7, text, isPublic: true }) ?? of,
    timedOut,
  );
  expect(noted.notes.map(({ atMs }) => atMs)).toEqual([7, 8]);
  expect(deleteNote(noted, 7)?.notes.map(({ text }) => text)).toEqual(["b"]);
  expect(deleteNote(noted, 9)).toBeNull();
});
