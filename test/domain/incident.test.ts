import { expect, test } from "vitest";
import {
  membersOf,
  openIncident,
  endIncident,
  resolveIncident,
  updateIncident,
} from "../../src/domain/incident.ts";
import { newMonitor } from "../../src/domain/monitor-state.ts";
import { incidentSchema } from "../../src/history/records.ts";
import { DOCUMENTS } from "../../src/ledger/state.ts";
import { diagnosis } from "../fixtures/outcome.ts";

const SUBJECT = { gatewayId: "acme", monitorIds: ["acme/models"], name: "acme/models" };
const DOWN = diagnosis("upstream_unavailable", "down", { owner: "upstream" });
const BLOCKED = diagnosis("wrong_url", "blocked", { owner: "caller" });

test("each entry of the timeline tells how it was from then on, and who had to act", () => {
  const opened = openIncident(SUBJECT, DOWN, null, 1);
  const ended = resolveIncident(updateIncident(opened, BLOCKED, 2), 3);
  expect(ended.timeline.map(({ type, health, owner, sent }) => [type, health, owner, sent])).toEqual([
    ["opened", "down", "upstream", true],
    ["updated", "blocked", "caller", true],
    ["resolved", null, null, null],
  ]);
  expect(endIncident(opened, "removed", 4).timeline.at(-1)).toMatchObject({
    type: "removed",
    health: null,
    owner: null,
  });
});

test("where there was no key to send, the timeline tells that nothing was sent", () => {
  const unset = diagnosis("authentication", "blocked", { layer: null });
  expect(openIncident(SUBJECT, unset, null, 1).timeline[0]?.sent).toBe(false);
  const slow = diagnosis("slow", "degraded", { ok: true, layer: null });
  expect(openIncident(SUBJECT, slow, null, 1).timeline[0]?.sent).toBe(true);
});

test("records from before alerts are read as of incidents and monitors that none concern", () => {
  const {
    memberIds: _members,
    unreached: _unreached,
    flapping: _flapping,
    ...rest
  } = openIncident(SUBJECT, DOWN, null, 1);
  const { toldAtMs: _told, acknowledgedAtMs: _acknowledged, ...incident } = rest;
  const read = incidentSchema.parse(incident);
  expect(read).toEqual({
    ...incident,
    memberIds: null,
    unreached: false,
    flapping: false,
    toldAtMs: null,
    acknowledgedAtMs: null,
  });
  expect(membersOf(read)).toEqual(["acme/models"]);
  const { failingSinceMs: _since, swings: _swings, flapping: _flaps, ...more } = newMonitor(7);
  const { models: _models, pausedAtMs: _paused, ...monitor } = more;
  const { monitors } = DOCUMENTS.members.parse({ monitors: { "acme/models": monitor }, incidents: {} });
  expect(monitors).toEqual({ "acme/models": newMonitor(7) });
});

test("a record from before these fields is read as one that does not tell", () => {
  const { firstFailedAtMs: _first, ...incident } = openIncident(SUBJECT, DOWN, null, 1);
  const timeline = incident.timeline.map(({ atMs, type, cause, text }) => ({ atMs, type, cause, text }));
  const read = incidentSchema.parse({ ...incident, timeline });
  expect(read.firstFailedAtMs).toBeNull();
  expect(read.timeline).toEqual([
    {
      atMs: 1,
      type: "opened",
      cause: "upstream_unavailable",
      text: DOWN.advice,
      health: null,
      owner: null,
      sent: null,
    },
  ]);
});
