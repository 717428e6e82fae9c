import { expect, test } from "vitest";
import { openIncident, resolveIncident, updateIncident } from "../../src/domain/incident.ts";
import { publishedIncidentSchema } from "../../src/history/documents.ts";
import { publishedIncident } from "../../src/ledger/incident-view.ts";
import { config, gateway } from "../fixtures/config.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";

const down = diagnosis("upstream_unavailable", "down", { owner: "upstream" });
const blocked = diagnosis("wrong_url", "blocked", { owner: "caller" });
const subject = { gatewayId: "a", monitorIds: ["a/models"], name: "a/models" };
const opened = { ...openIncident(subject, down, outcome({ diagnosis: down }), 60_000), firstFailedAtMs: 0 };
const incident = resolveIncident(updateIncident(opened, blocked, 120_000), 180_000);

function documentOf(publish: "causes" | "health") {
  const world = { config: config([{ ...gateway("a"), publish }]), client: "gatepulse/0" };
  return publishedIncident(incident, world).incident;
}

test("an incident is published with its first failure, and each entry with how it was and whose turn", () => {
  const { firstFailureAt, timeline } = documentOf("causes");
  expect(firstFailureAt).toBe("1970-01-01T00:00:00.000Z");
  expect(timeline.map(({ health, owner, sent }) => [health, owner, sent])).toEqual([
    ["down", "upstream", true],
    ["blocked", "caller", true],
    [null, null, null],
  ]);
});

test("of a gateway that publishes its health alone, each entry tells that and no more", () => {
  expect(documentOf("health").timeline).toMatchObject([
    { cause: null, text: "", health: "down", owner: null, sent: null },
    { cause: null, text: "", health: "blocked", owner: null, sent: null },
    { cause: null, text: "", health: null, owner: null, sent: null },
  ]);
});

test("a document from before these fields is read as one that does not tell", () => {
  const { firstFailureAt: _first, timeline, ...rest } = documentOf("causes");
  const older = {
    ...rest,
    timeline: timeline.map(({ at, type, cause, text }) => ({ at, type, cause, text })),
  };
  const read = publishedIncidentSchema.parse({ incident: older, reports: [], fullReports: [] }).incident;
  expect(read.firstFailureAt).toBeNull();
  expect(read.timeline[0]).toMatchObject({ type: "opened", health: null, owner: null, sent: null });
});
