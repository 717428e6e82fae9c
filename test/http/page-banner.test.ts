/** What the banner counts, and how pages tell of who is paused. */
import { expect, test } from "vitest";
import type { StatusDocument } from "../../src/history/documents.ts";
import type { Health } from "../../src/protocol/diagnosis.ts";
import { bannerOf, expectWords, textOf } from "./html.ts";
import {
  daysOf,
  gatewayThatIs,
  monitorDocument,
  monitorThatIs,
  NOW_MS,
  oneGateway,
  plannedWindow,
  STALE_MS,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const UP = monitorDocument();
const DOWN = monitorThatIs("down", { id: "acme/chat", kind: "chat" });
const PAUSED = monitorDocument({
  id: "acme/paused",
  kind: "embeddings",
  status: "unknown",
  lastStatus: "down",
  diagnosis: null,
  nextProbeAt: null,
  pausedAt: "2026-11-20T09:00:00.000Z",
});
const NEVER = monitorThatIs("unknown", { id: "acme/new", lastStatus: null, lastProbe: null });

/** One gateway of one monitor for each health: `a`, `b`, … */
const those = (...healths: readonly Health[]) => ({
  gateways: healths.map((health, index) => gatewayThatIs(health, "abcdefg".charAt(index))),
});

const WAITS = "had to wait for the next round.";

test.each<[text: string, tone: string, status: Partial<StatusDocument>]>([
  ["The monitor is up", "up", oneGateway(UP)],
  ["All 2 monitors are up", "up", oneGateway(UP, UP)],
  ["Not all is known yet 2 without fresh evidence.", "unknown", oneGateway(NEVER, NEVER)],
  ["Not all is known yet 1 up, 1 without fresh evidence.", "unknown", oneGateway(UP, NEVER)],
  ["Nothing is monitored yet", "unknown", oneGateway()],
  ["1 of 2 monitors up, 1 paused", "up", oneGateway(UP, PAUSED)],
  ["The monitor is paused", "unknown", oneGateway(PAUSED)],
  ["All 2 monitors are paused", "unknown", oneGateway(PAUSED, PAUSED)],
  [
    "Not all is known yet 1 up, 1 without fresh evidence, 1 paused.",
    "unknown",
    oneGateway(UP, NEVER, PAUSED),
  ],
  [`All 2 monitors are up 1 check that was due ${WAITS}`, "up", { ...oneGateway(UP, UP), putOff: 1 }],
  [`The monitor is up 2 checks that were due ${WAITS}`, "up", { ...oneGateway(UP), putOff: 2 }],
])("the banner says no more than “%s”, and is %s", async (text, tone, status) => {
  expect(bannerOf(await world.show(status))).toEqual({ tone, text });
});

const NO_OUTAGE = "That alone is no outage of";

test.each<[begins: string, tone: string, status: Partial<StatusDocument>]>([
  ["3 of 3 monitors down Down The a", "down", those("down", "down", "down")],
  ["2 of 2 monitors degraded Degraded The a", "degraded", those("degraded", "degraded")],
  [
    `2 of 2 monitors blocked, no outage seen 2 monitors are blocked: they cannot see whether their gateways work. ${NO_OUTAGE} a gateway.`,
    "blocked",
    those("blocked", "blocked"),
  ],
  [
    `1 of 1 monitor blocked, no outage seen 1 monitor is blocked: it cannot see whether its gateway works. ${NO_OUTAGE} the gateway.`,
    "blocked",
    those("blocked"),
  ],
  ["1 of 2 monitors down 1 up, 1 down. Down The b", "down", those("up", "down")],
  ["1 of 2 monitors blocked, no outage seen 1 up. 1 monitor is blocked", "blocked", those("up", "blocked")],
  ["1 of 3 monitors down 1 up, 1 down, 1 paused. Down Acme: ", "down", oneGateway(UP, DOWN, PAUSED)],
  [
    "1 of 2 monitors down 1 down, 1 in planned maintenance. Down The b: The service failed within itself. " +
      "Whose turn: the gateway’s operator. Since 2026-11-20 08:00:00 UTC. " +
      "Maintenance The a until 2026-11-20 13:00:00 UTC; the last check says down: ",
    "down",
    { ...those("down", "down"), maintenance: [plannedWindow(["a"])] },
  ],
])("what the headline has said is not counted again: %s", async (begins, tone, status) => {
  const banner = bannerOf(await world.show(status));
  expect({ ...banner, text: banner.text.slice(0, begins.length) }).toEqual({ tone, text: begins });
});

test("of a gateway that is worked on come its mark and name first, and that it is so once", async () => {
  const status = { ...those("down"), maintenance: [plannedWindow(["a"])] };
  expect(bannerOf(await world.show(status))).toEqual({
    tone: "maintenance",
    text:
      "1 monitor in planned maintenance Maintenance The a until 2026-11-20 13:00:00 UTC; the last check says down: " +
      "The service failed within itself. Whose turn: the gateway’s operator. Since 2026-11-20 08:00:00 UTC.",
  });
  expect(bannerOf(await world.text("/?lang=zh")).text).toContain(
    "维护中 The a ，至 2026-11-20 13:00:00 UTC ；最近一次检查的结果是“故障”：服务内部出错。",
  );
  const paused = { ...oneGateway(DOWN, PAUSED), maintenance: [plannedWindow(["acme"])] };
  const { tone, text } = bannerOf(await world.show(paused));
  expect(tone).toBe("maintenance");
  expect(text).toContain("1 monitor in planned maintenance, 1 paused");
});

test("the banner names what fails, whose turn it is and since when, the worst first", async () => {
  const html = await world.show(those("up", "degraded", "blocked", "down"));
  expect(bannerOf(html).text).toContain(
    "Down The d: The service failed within itself. Whose turn: the gateway’s operator. Since 2026-11-20 08:00:00 UTC. " +
      "Blocked The c: The balance is used up. Whose turn: the owner of the monitor’s key. Since 2026-11-20 08:00:00 UTC. " +
      "Degraded The b: Too many requests for now. Whose turn: nobody’s: it passes by itself. Since 2026-11-20 08:00:00 UTC.",
  );
  expect(html).toContain("<title>1 down · Acme gateways</title>");
});

test("of many failing gateways five are named and the rest counted, with a way to the first of those", async () => {
  const html = await world.show(those("down", "down", "down", "down", "down", "down", "down"));
  expectWords(bannerOf(html).text, ["The e"], ["The f"]);
  expectWords(html, [
    '<p><a href="#gateway-f">And 2 more gateways, below.</a></p>',
    '<section class="gateway" id="gateway-f">',
  ]);
});

test("the card says since when it is paused, by whom, and what was last seen; nothing is due or overdue", async () => {
  expectWords(
    textOf(await world.show(oneGateway(PAUSED))),
    [
      "embeddings acme/paused Paused A person paused this monitor at 2026-11-20 09:00:00 UTC. " +
        "Until it is resumed nothing is checked here, and nothing is said of how it is. The last verdict was “Down”.",
      "Next check none planned",
    ],
    ["no fresh evidence", "Unknown", "was due", "Whose turn", "cannot see"],
  );
});

test("days of a pause are days without data", async () => {
  const days = daysOf((index) => (index < 60 ? "up" : "unknown"));
  const html = await world.show(oneGateway({ ...PAUSED, days }));
  expect(html).toContain("<title>embeddings, the last 90 days: 30 days without data</title>");
});

test("the mark of a pause is a word and a shape of its own", async () => {
  const html = await world.show(oneGateway(UP, NEVER, PAUSED));
  const marks = html.matchAll(/<span class="mark (\w+)"><svg [^>]*><path d="([^"]+)"><\/path><\/svg>(\w+)/gu);
  const shapes = new Map([...marks].map(([, kind, shape, word]) => [`${kind} ${word}`, shape]));
  expect([...shapes.keys()].toSorted()).toEqual(["paused Paused", "unknown Unknown", "up Up"]);
  expect(new Set(shapes.values()).size).toBe(3);
});

test.each([
  ["stands as its checked monitors do", [UP, PAUSED], "Up", "models"],
  ["without any is paused", [PAUSED], "Paused", "embeddings"],
])("a gateway %s", async (_, monitors, word, first) => {
  expect(textOf(await world.show(oneGateway(...monitors)))).toContain(`Acme ${word} ${first}`);
  expect(await world.text("/gateways/acme")).toContain(`<title>Acme: ${word} · Acme gateways</title>`);
});

test("when the checks have stopped, a paused monitor is unknown as all are, its pause is told, and nothing of it was due", async () => {
  const html = await world.show(oneGateway(PAUSED), { nowMs: STALE_MS });
  expect(bannerOf(html).tone).toBe("stale");
  const told = "Unknown A person paused this monitor at 2026-11-20 09:00:00 UTC.";
  expectWords(textOf(html), [told], ["was due"]);
});

test("the API says since when a monitor is paused, also where all is stale; it is no fault of the monitoring", async () => {
  for (const nowMs of [NOW_MS, STALE_MS]) {
    const path = "/api/v1/gateways/acme/monitors/paused";
    expect(JSON.parse(await world.show(oneGateway(UP, PAUSED), { path, nowMs }))).toMatchObject({
      status: "unknown",
      lastStatus: "down",
      pausedAt: "2026-11-20T09:00:00.000Z",
      nextProbeAt: null,
    });
    const whole = JSON.parse(await world.text("/api/v1/status", nowMs)) as StatusDocument;
    const paused = whole.gateways[0]?.monitors.map(({ pausedAt }) => pausedAt);
    expect(paused).toEqual([undefined, "2026-11-20T09:00:00.000Z"]);
  }
  const health = await world.show(oneGateway(PAUSED), { path: "/healthz" });
  expect(JSON.parse(health)).toMatchObject({ status: "pass" });
});
