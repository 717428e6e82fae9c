import { expect, test } from "vitest";
import {
  firstFailureMs,
  openIncident,
  removeIncident,
  resolveIncident,
  updateIncident,
} from "../../src/domain/incident.ts";
import { type MonitorState, newMonitor } from "../../src/domain/monitor-state.ts";
import { incidentSchema } from "../../src/history/records.ts";
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
  expect(removeIncident(opened, 4).timeline.at(-1)).toMatchObject({
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

const state = (more: Partial<MonitorState>): MonitorState => ({ ...newMonitor(0), sinceMs: 70, ...more });

test.each([
  ["the first failure is itself", state({ failedInARow: 0, health: "up" }), 100],
  ["the second knows the first", state({ failedInARow: 1, health: "down" }), 70],
  ["with another health too", state({ failedInARow: 1, health: "blocked" }), 70],
  ["after a probe without a verdict it is not known", state({ failedInARow: 1, health: "unknown" }), null],
  ["of several it is not known", state({ failedInARow: 2, health: "down" }), null],
])("of failures in a row, %s", (_, before, expected) => {
  expect(firstFailureMs(before, 100)).toBe(expected);
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
