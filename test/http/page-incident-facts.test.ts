import { expect, test } from "vitest";
import type { IncidentDocument, StatusDocument } from "../../src/history/documents.ts";
import { textOf } from "./html.ts";
import {
  endEntry,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  useWorld,
  statusDocument,
  timelineEntry,
} from "./published-status.ts";

const world = useWorld();

async function show(
  path: string,
  incident: IncidentDocument,
  status: Partial<StatusDocument> = {},
  nowMs = NOW_MS,
): Promise<string> {
  const incidents = incident.resolvedAt === null ? [incident] : [];
  await world.publish(statusDocument({ incidents, ...status }), {
    incidents: [{ incident, reports: [], fullReports: [] }],
  });
  return world.text(path, nowMs);
}

const CUT = { cause: "connection_failed", health: "down", owner: "operator" } as const;

test.each([
  ["2026-11-20T07:40:00.000Z", "1 h 50 min, counted from the first failed check", "07:40:00"],
  ["2026-11-20T08:00:00.000Z", "1 h 30 min", "08:00:00"],
  [null, "1 h 30 min", "08:00:00"],
])("of an incident whose first failure was at %j it is told that it lasted %s", async (at, length, start) => {
  const resolvedAt = "2026-11-20T09:30:00.000Z";
  const timeline = [timelineEntry(), endEntry({ at: resolvedAt })];
  const over = incidentDocument({ resolvedAt, firstFailureAt: at, timeline });
  const page = textOf(await show(`/incidents/${over.id}`, over));
  const list = textOf(await show("/", over));
  expect(page).toContain(`Resolved 2026-11-20 09:30:00 UTC (after ${length}) Gateway`);
  expect(list).toContain(`2026-11-20 ${start} UTC to 2026-11-20 09:30:00 UTC (${length}). Last round`);
});

test.each([
  [null, 0, "2026-11-20 11:59:00 UTC (1 min), not resolved yet"],
  [null, -1, "2026-11-20 11:59:00 UTC, not resolved yet"],
  [null, 119_999, "2026-11-20 11:59:00 UTC (2 min), not resolved yet"],
  [
    "2026-11-20T11:57:00.000Z",
    0,
    "2026-11-20 11:59:00 UTC (3 min, counted from the first failed check), not resolved yet",
  ],
  [null, 3_600_000, "2026-11-20 11:59:00 UTC, open when the checks stopped"],
])(
  "an open one that first failed at %j has lasted so many whole minutes %i ms later",
  async (at, laterMs, told) => {
    const open = incidentDocument({ openedAt: "2026-11-20T11:59:00.000Z", firstFailureAt: at });
    const page = await show(`/incidents/${open.id}`, open, {}, NOW_MS + laterMs);
    expect(textOf(page)).toContain(`Opened ${told} Gateway`);
  },
);

test("where no gateway can be reached, the banner says that the monitoring is cut off, and nobody else must act", async () => {
  const failing = { cause: "connection_failed", health: "unknown", owner: "network" } as const;
  const of = { gateway: null, monitors: [], report: null, timeline: [timelineEntry(failing)] };
  const own = incidentDocument({ ...failing, ...of });
  const gatewaysWith = (status: "unknown" | "up") => [
    gatewayDocument({ monitors: [monitorDocument({ status: "unknown" })], status: "unknown" }),
    gatewayDocument({ id: "beta", monitors: [monitorDocument({ id: "beta/models", status })], status }),
  ];
  const none = { up: 0, degraded: 0, down: 0, blocked: 0 };
  const cut = { gateways: gatewaysWith("unknown"), summary: { ...none, unknown: 2 } };
  const list = textOf(await show("/", own, cut));
  expect(list).toContain("Status The monitoring itself can reach no gateway 2 without fresh evidence.");
  expect(list).toContain("Whose turn: whoever runs the monitoring. Opened");
  const page = textOf(await show(`/incidents/${own.id}`, own, cut));
  expect(page).toContain("Whose turn whoever runs the monitoring What to do");
  expect(page).toContain("Whose turn then: whoever runs the monitoring. Top up.");
  // One is reached again.
  const some = { gateways: gatewaysWith("up"), summary: { ...none, up: 1, unknown: 1 } };
  expect(textOf(await show("/", own, some))).toContain("Status Not all is known yet");
});

test("an open incident bears the name of the one monitor that is left in it, and not that of the gateway", async () => {
  const shared = { ...CUT, monitors: ["acme/chat", "acme/models"], timeline: [timelineEntry(CUT)] };
  const left = incidentDocument({ ...shared, members: ["acme/models"] });
  for (const path of [`/incidents/${left.id}`, "/"]) {
    const text = textOf(await show(path, left));
    expect(text).toContain("Acme · models: The connection failed");
    expect(text).not.toContain("cannot be reached");
  }
  const all = incidentDocument(shared);
  expect(textOf(await show("/", all))).toContain("Acme cannot be reached: The connection failed");
});

test("a monitor whose last check was good, in an incident that goes on, says so and links to it", async () => {
  const cards = async (more: Partial<IncidentDocument>) => {
    const incident = incidentDocument({ ...CUT, ...more });
    const first = monitorDocument({ incident: incident.id });
    return show("/gateways/acme", incident, { gateways: [gatewayDocument({ monitors: [first] })] });
  };
  const html = await cards({ flapping: true });
  expect(textOf(html)).toContain(
    "models acme/models Up The last check was good; the incident ends when good checks go on. " +
      "Flapping: checks succeed and fail by turns, so often that their changes are not told one by one. The incident of",
  );
  expect(html).toContain(`<a href="/incidents/${incidentDocument().id}">The incident`);
  expect(textOf(await cards({}))).toContain(
    "Up The last check was good; the incident ends when good checks go on. The incident of",
  );
});

test("how an incident stands is read out where it changes", async () => {
  const open = incidentDocument();
  expect(await show(`/incidents/${open.id}`, open)).toMatch(/<div class="banner \w+" role="status">/u);
});
