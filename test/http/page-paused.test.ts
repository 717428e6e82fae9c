import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import { worstHealth } from "../../src/domain/health.ts";
import type { GatewayDocument, MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import { summaryOf } from "../../src/history/standing.ts";
import { textOf } from "./html.ts";
import {
  BALANCE_GONE,
  daysOf,
  gatewayDocument,
  monitorDocument,
  NOW_MS,
  useWorld,
  statusDocument,
} from "./published-status.ts";

const world = useWorld();

const UP = monitorDocument();
const DOWN = monitorDocument({
  id: "acme/chat",
  kind: "chat",
  status: "down",
  lastStatus: "down",
  diagnosis: { ...BALANCE_GONE, cause: "service_misconfigured", owner: "operator", health: "down" },
});
const PAUSED = monitorDocument({
  id: "acme/paused",
  kind: "embeddings",
  status: "unknown",
  lastStatus: "down",
  since: "2026-11-20T09:00:00.000Z",
  diagnosis: null,
  nextProbeAt: null,
  pausedAt: "2026-11-20T09:00:00.000Z",
});
const NEVER = monitorDocument({
  id: "acme/new",
  status: "unknown",
  lastStatus: null,
  diagnosis: null,
  lastProbe: null,
});

function gateway(id: string, monitors: MonitorDocument[]): GatewayDocument {
  const status = worstHealth(monitors.map((monitor) => monitor.status));
  return gatewayDocument({ id, name: `The ${id}`, status, monitors });
}

function statusOf(gateways: GatewayDocument[], more: Partial<StatusDocument> = {}): StatusDocument {
  const healths = gateways.flatMap(({ monitors }) => monitors.map(({ status }) => status));
  return statusDocument({ gateways, status: worstHealth(healths), summary: summaryOf(healths), ...more });
}

async function get(status: StatusDocument, path = "/", nowMs = NOW_MS): Promise<string> {
  await world.publish(status);
  return world.text(path, nowMs);
}

function bannerOf(html: string): { tone: string; text: string } {
  const match = /<div class="banner (\w+)" role="status">(.*?)<\/div>/su.exec(html);
  return { tone: match?.[1] ?? "", text: textOf(match?.[2] ?? "") };
}

test.each([
  ["all others are up", [UP, PAUSED], "up", "1 of 2 monitors up, 1 paused"],
  ["it is the only one", [PAUSED], "unknown", "The monitor is paused"],
  ["all are paused", [PAUSED, PAUSED], "unknown", "All 2 monitors are paused"],
  [
    "another is not known yet",
    [UP, NEVER, PAUSED],
    "unknown",
    "Not all is known yet 1 up, 1 without fresh evidence, 1 paused.",
  ],
] as const)(
  "where %s, the banner tells of a paused monitor without alarm",
  async (_, monitors, tone, text) => {
    expect(bannerOf(await get(statusOf([gateway("acme", [...monitors])])))).toEqual({ tone, text });
  },
);

test("a paused monitor hides no failure of another", async () => {
  const html = await get(statusOf([gateway("acme", [UP, DOWN, PAUSED])]));
  expect(bannerOf(html).tone).toBe("down");
  expect(bannerOf(html).text).toMatch(/^1 of 3 monitors down 1 up, 1 down, 1 paused\. Down The acme: /u);
});

test("beside planned maintenance a paused monitor is counted as paused alone", async () => {
  const maintenance = [
    {
      gateways: ["acme"],
      from: "2026-11-20T11:00:00.000Z",
      to: "2026-11-20T13:00:00.000Z",
      title: "Moving",
    },
  ];
  const html = await get(statusOf([gateway("acme", [DOWN, PAUSED])], { maintenance }));
  expect(bannerOf(html)).toMatchObject({ tone: "maintenance" });
  expect(bannerOf(html).text).toContain("1 monitor in planned maintenance, 1 paused");
});

test("the card says since when it is paused, by whom, and what was last seen; nothing is due or overdue", async () => {
  const text = textOf(await get(statusOf([gateway("acme", [PAUSED])])));
  expect(text).toContain(
    "embeddings acme/paused Paused A person paused this monitor at 2026-11-20 09:00:00 UTC. " +
      "Until it is resumed nothing is checked here, and nothing is said of how it is. The last verdict was “Down”.",
  );
  expect(text).toContain("Next check none planned");
  for (const alarm of ["no fresh evidence", "Unknown", "was due", "Whose turn", "cannot see"]) {
    expect(text).not.toContain(alarm);
  }
});

test("the mark of a pause is a word and a shape of its own", async () => {
  const html = await get(statusOf([gateway("acme", [UP, NEVER, PAUSED])]));
  const marks = [
    ...html.matchAll(/<span class="mark (\w+)"><svg [^>]*><path d="([^"]+)"><\/path><\/svg>(\w+)/gu),
  ];
  const shapes = new Map(marks.map(([, kind, shape, word]) => [`${kind} ${word}`, shape]));
  expect([...shapes.keys()].toSorted()).toEqual(["paused Paused", "unknown Unknown", "up Up"]);
  expect(new Set(shapes.values()).size).toBe(3);
});

test("a gateway stands as its checked monitors do; without any it is paused", async () => {
  const one = statusOf([gateway("acme", [UP, PAUSED])]);
  expect(await get(one, "/gateways/acme")).toContain("<title>The acme: Up · Acme gateways</title>");
  expect(textOf(await get(one))).toContain("The acme Up models");
  const none = statusOf([gateway("acme", [PAUSED])]);
  expect(await get(none, "/gateways/acme")).toContain("<title>The acme: Paused · Acme gateways</title>");
  expect(textOf(await get(none))).toContain("The acme Paused embeddings");
});

test("when the checks have stopped, a paused monitor is unknown as all are, its pause is told, and nothing of it was due", async () => {
  const html = await get(statusOf([gateway("acme", [PAUSED])]), "/", NOW_MS + HOUR_MS);
  expect(bannerOf(html)).toMatchObject({ tone: "stale" });
  expect(textOf(html)).toContain("Unknown A person paused this monitor at 2026-11-20 09:00:00 UTC.");
  expect(textOf(html)).not.toContain("was due");
});

test("days of a pause are days without data, out of uptime", async () => {
  const days = daysOf((index) => (index < 60 ? "up" : "unknown"));
  const html = await get(statusOf([gateway("acme", [{ ...PAUSED, days }])]));
  expect(html).toContain("<title>embeddings, the last 90 days: 30 days without data</title>");
});

test("the API says since when a monitor is paused, also where all is stale", async () => {
  const status = statusOf([gateway("acme", [UP, PAUSED])]);
  const api = "/api/v1/gateways/acme/monitors/paused";
  for (const nowMs of [NOW_MS, NOW_MS + HOUR_MS]) {
    expect(JSON.parse(await get(status, api, nowMs))).toMatchObject({
      status: "unknown",
      lastStatus: "down",
      pausedAt: "2026-11-20T09:00:00.000Z",
      nextProbeAt: null,
    });
    const whole = JSON.parse(await get(status, "/api/v1/status", nowMs)) as StatusDocument;
    expect(whole.gateways[0]?.monitors.map(({ pausedAt }) => pausedAt)).toEqual([
      undefined,
      "2026-11-20T09:00:00.000Z",
    ]);
  }
});

test("a pause is no fault of the monitoring: /healthz passes", async () => {
  expect(JSON.parse(await get(statusOf([gateway("acme", [PAUSED])]), "/healthz"))).toMatchObject({
    status: "pass",
  });
});
