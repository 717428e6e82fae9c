import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import type { MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { handleRequest } from "../../src/http/app.ts";
import { summaryOf } from "../../src/history/standing.ts";
import {
  BALANCE_GONE,
  daysOf,
  depsOf,
  gatewayDocument,
  GOOD,
  monitorDocument,
  NOW_MS,
  publishedIncident,
  resolvedIncident,
  useWorld,
  statusDocument,
} from "./published-status.ts";
import { plainSpaces, textOf } from "./html.ts";

const world = useWorld();

async function get(path: string, nowMs = NOW_MS): Promise<string> {
  const request = new Request(`https://status.example${path}`);
  return plainSpaces(await (await handleRequest(request, depsOf(world.kv, { now: () => nowMs }))).text());
}

function statusOf(monitors: MonitorDocument[], more: Partial<StatusDocument> = {}): StatusDocument {
  const order = ["down", "blocked", "degraded", "unknown", "up"] as const;
  const status = order.find((health) => monitors.some((monitor) => monitor.status === health)) ?? "unknown";
  return statusDocument({
    status,
    summary: summaryOf(monitors.map((monitor) => monitor.status)),
    gateways: [gatewayDocument({ status, monitors })],
    ...more,
  });
}

async function overview(
  status: StatusDocument,
  tail: Partial<SnapshotTail> = {},
  nowMs = NOW_MS,
): Promise<string> {
  await world.publish(status, tail);
  return get("/", nowMs);
}

function bannerOf(html: string): { tone: string; text: string } {
  const match = /<div class="banner (\w+)" role="status">(.*?)<\/div>/su.exec(html);
  return { tone: match?.[1] ?? "", text: textOf(match?.[2] ?? "") };
}

const BLOCKED = monitorDocument({ status: "blocked", lastStatus: "blocked", diagnosis: BALANCE_GONE });
const DOWN = monitorDocument({
  id: "acme/chat",
  kind: "chat",
  model: "gpt-4o-mini",
  status: "down",
  lastStatus: "down",
  diagnosis: {
    ...BALANCE_GONE,
    cause: "service_misconfigured",
    owner: "operator",
    health: "down",
    httpStatus: 500,
    errorCode: "video_config_error",
    message: "channel 7 has no key",
    advice: "The operator must mend the configuration.",
  },
  lastProbe: { at: "2026-11-20T11:59:00.000Z", latencyMs: 220, attempts: 4, waitedMs: 90_000 },
  incident: "acme-chat-20261120t080000z",
  report: "acme-chat-20261120t080000z-2",
});
const NEVER = monitorDocument({
  id: "acme/new",
  status: "unknown",
  lastStatus: null,
  diagnosis: null,
  lastProbe: null,
  latency: null,
  uptime: { "24h": null, "7d": null, "30d": null, "90d": null },
  days: daysOf(() => "unknown"),
});

test("the banner is green only while every monitor is up", async () => {
  expect(bannerOf(await overview(statusOf([monitorDocument()])))).toEqual({
    tone: "up",
    text: "The monitor is up",
  });
  expect(bannerOf(await overview(statusOf([monitorDocument(), NEVER]))).tone).toBe("unknown");
  expect(bannerOf(await overview(statusOf([]))).tone).toBe("unknown");
  expect(bannerOf(await overview(statusOf([]))).text).toContain("Nothing is monitored yet");
});

test("when ticks have stopped, nothing on the page is green, and the page says so in words", async () => {
  const html = await overview(statusOf([monitorDocument(), DOWN]), {}, NOW_MS + HOUR_MS);
  expect(bannerOf(html).tone).toBe("stale");
  expect(bannerOf(html).text).toContain("The checks have stopped");
  expect(bannerOf(html).text).toContain(
    "The last round of checks whose results arrived here is that of 2026-11-20 12:00:00 UTC.",
  );
  expect(bannerOf(html).text).toContain("Whoever runs this page must act.");
  expect(html).not.toMatch(/class="(?:mark|monitor|banner) (?:up|down)"/u);
  expect(textOf(html)).toContain("The last verdict was “Up”.");
  expect(textOf(html)).toContain("Last failure: The service failed within itself");
  expect(textOf(html)).toContain("Next check was due 2026-11-20 12:01:00 UTC");
  expect(textOf(html)).toContain("None was open when the checks stopped.");
});

test("a blocked monitor is clearly no outage, and its turn is its key's owner's", async () => {
  const html = await overview(statusOf([BLOCKED]));
  expect(bannerOf(html).tone).toBe("blocked");
  expect(bannerOf(html).text).toContain(
    "1 monitor is blocked: it cannot see whether its gateway works. That alone is no outage of the gateway.",
  );
  const text = textOf(html);
  expect(text).toContain(
    "The balance is used up insufficient_balance · HTTP 402 · code insufficient_balance. This is no outage of the gateway.",
  );
  expect(text).toContain("Whose turn: the owner of the monitor’s key. Top up the account.");
});

test("a monitor whose gateway asks to wait says for how long; one that just changed bears no age", async () => {
  const limited = monitorDocument({
    status: "degraded",
    since: "2026-11-20T11:59:30.000Z",
    diagnosis: {
      ...BALANCE_GONE,
      cause: "rate_limited",
      owner: "nobody",
      health: "degraded",
      retry: { allowed: true, afterSeconds: 100, hint: null },
    },
  });
  const text = textOf(await overview(statusOf([limited])));
  expect(text).toContain("The gateway asks to wait 1 min 40 s.");
  expect(text).toContain("Since 2026-11-20 11:59:30 UTC Last check");
});

test("a monitor that is down says what failed, in whose words, whose turn it is and when it is tried again", async () => {
  const text = textOf(await overview(statusOf([monitorDocument(), DOWN])));
  for (const words of [
    "1 of 2 monitors down",
    "chat · gpt-4o-mini acme/chat",
    "The service failed within itself service_misconfigured · HTTP 500 · code video_config_error",
    "channel 7 has no key",
    "Whose turn: the gateway’s operator. The operator must mend the configuration.",
    "Since 2026-11-20 08:00:00 UTC (4 h)",
    "Last check 2026-11-20 11:59:00 UTC, 220 ms, 4 attempts with 1 min 30 s of waiting",
    "Next check 2026-11-20 12:01:00 UTC",
    "p50 500 ms, p95 900 ms, p99 1200 ms",
    "24 h 99.86 %, 7 d 100 %, 30 d no data, 90 d no data",
  ]) {
    expect(text).toContain(words);
  }
});

test("uptime is never rounded up to 100 %", async () => {
  const uptime = { "24h": 0.9999, "7d": 0.99999, "30d": 1, "90d": 0 };
  const text = textOf(await overview(statusOf([monitorDocument({ uptime })])));
  expect(text).toContain("24 h 99.99 %, 7 d 99.99 %, 30 d 100 %, 90 d 0 %");
});

test("a slow monitor is told to be slow though its answer was good, and whose turn it is", async () => {
  const slow = monitorDocument({
    status: "degraded",
    diagnosis: { ...GOOD, cause: "slow", owner: "operator", health: "degraded", advice: "It took 9 s." },
  });
  expect(textOf(await overview(statusOf([slow])))).toContain(
    "Slower than it should be slow · HTTP 200. Whose turn: the gateway’s operator. It took 9 s.",
  );
});

test("missing models are named", async () => {
  const missing = monitorDocument({
    status: "degraded",
    diagnosis: { ...GOOD, cause: "model_missing", health: "degraded" },
    missingModels: ["gpt-9", "gpt-10"],
  });
  expect(textOf(await overview(statusOf([missing])))).toContain("Missing models: gpt-9, gpt-10");
});

test("90 days are bars with a name and a title, and on the gateway's page the same as a table", async () => {
  const days = daysOf((index) => (index < 30 ? "unknown" : index === 89 ? "down" : "up"));
  const html = await overview(statusOf([monitorDocument({ days })]));
  const name = "models, the last 90 days: 1 day with down probes, 30 days without data";
  expect(html).toContain(`role="img" preserveAspectRatio="none"><title>${name}</title>`);
  expect(html).toContain("<title>2026-11-20: down, uptime 50 %</title>");
  expect(html).toContain("<title>2026-08-23 to 2026-09-21: no data</title>");
  const bars = [...html.matchAll(/<path class="day (\w+)"( stroke="url\(#hatch\)")? d="([^"]+)"/gu)];
  expect(bars.map(([, kind, hatch, lines]) => [kind, hatch !== undefined, lines])).toEqual([
    ["none", true, "M0 14h238"],
    ["up", false, "M240 14h470"],
    ["down", false, "M712 5.5h6M712 22.5h6"],
  ]);
  expect(html).not.toContain("<table");
  const full = await get("/gateways/acme");
  const [, table = ""] = /<figure class="days">.*?<tbody>(.*?)<\/tbody>/su.exec(full) ?? [];
  const rows = [...table.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gu)].map(([row]) => textOf(row));
  expect(rows).toHaveLength(90);
  expect(rows.slice(0, 2)).toEqual(["2026-11-20 Down 50 %", "2026-11-19 Up 100 %"]);
  expect(rows.at(-1)).toBe("2026-08-23 No data no data");
  const titles = [...full.matchAll(/<path class="day[^>]*><title>(.*?)<\/title>/gu)].map(([, told]) => told);
  expect(titles).toHaveLength(90);
  expect([titles[0], titles[88]]).toEqual(["2026-08-23: no data", "2026-11-19: up, uptime 100 %"]);
});

test("days of one health that differ in uptime are told apart", async () => {
  const whole = daysOf(() => "down");
  const days = { ...whole, uptime: whole.uptime.map((_, index) => (index < 89 ? 0.25 : 0.75)) };
  const html = await overview(statusOf([monitorDocument({ days })]));
  expect(html).toContain("<title>2026-08-23 to 2026-11-19: down, uptime 25 %</title>");
  expect(html).toContain("<title>2026-11-20: down, uptime 75 %</title>");
});

test("a day without any verdict is not told to be without data when its other probes were good", async () => {
  const days = { ...daysOf(() => "up"), worst: daysOf((index) => (index === 89 ? "unknown" : "up")).worst };
  const html = await overview(statusOf([monitorDocument({ days })]));
  expect(html).toContain("<title>models, the last 90 days: 1 day with unknown probes</title>");
  expect(html).toContain("<title>2026-11-20: unknown, uptime 100 %</title>");
});

test("of a monitor that is well the overview shows its charts, and its gateway's page all facts", async () => {
  const html = await overview(statusOf([monitorDocument()]));
  expect(html).not.toContain("<dl>");
  expect(html).toContain('<figure class="line">');
  const facts = textOf(await get("/gateways/acme"));
  for (const term of ["Since", "Last check", "Next check"]) expect(facts).toContain(term);
});

test("times are those of the configured zone, and say their instant to machines", async () => {
  await world.publish(statusOf([monitorDocument()], { timeZone: "Asia/Shanghai" }));
  const html = await get("/gateways/acme");
  expect(html).toContain('<time datetime="2026-11-20T11:59:00.000Z">2026-11-20 19:59:00 GMT+8</time>');
  expect(textOf(html)).toContain("Times and days are those of Asia/Shanghai.");
});

test("open and recent incidents, maintenance and the notice are on the page", async () => {
  const open = publishedIncident();
  const over = resolvedIncident(NOW_MS - 5 * HOUR_MS, NOW_MS - 4 * HOUR_MS, "acme-old");
  const html = await overview(
    statusOf([BLOCKED], {
      notice: "These figures are simulated.",
      incidents: [open.incident],
      maintenance: [
        {
          gateways: ["acme"],
          from: "2026-11-20T11:00:00.000Z",
          to: "2026-11-20T13:00:00.000Z",
          title: "Moving",
        },
        { gateways: [], from: "2026-11-21T11:00:00.000Z", to: "2026-11-21T13:00:00.000Z", title: "Later" },
        { gateways: [], from: "2026-11-19T11:00:00.000Z", to: "2026-11-20T11:59:00.000Z", title: "Over" },
      ],
    }),
    { incidents: [open, over] },
  );
  const text = textOf(html);
  expect(text).toContain("Note: These figures are simulated.");
  expect(text).toContain(
    "Moving (Acme): under way since 2026-11-20 11:00:00 UTC until 2026-11-20 13:00:00 UTC",
  );
  expect(text).toContain("Later (all gateways): planned from 2026-11-21 11:00:00");
  expect(text).not.toContain("Over (");
  expect(html).toContain(`href="/incidents/${open.incident.id}"`);
  expect(html).toContain(`href="/incidents/${over.incident.id}"`);
  expect(text).toContain("2026-11-20 07:00:00 UTC to 2026-11-20 08:00:00 UTC (1 h)");
});

test("checks that had to wait are told", async () => {
  const told = async (putOff: number) =>
    bannerOf(await overview(statusOf([monitorDocument()], { putOff }))).text;
  expect(await told(2)).toContain("2 checks that were due had to wait for the next round.");
  expect(await told(1)).toContain("1 check that was due had to wait for the next round.");
});

test("where causes are not published, the page says that, and nothing of them", async () => {
  const hidden = monitorDocument({ status: "down", lastStatus: "down", diagnosis: null });
  const text = textOf(await overview(statusOf([hidden]), { withCauses: [] }));
  expect(text).toContain("The causes of this gateway are not published.");
  expect(text).not.toContain("Whose turn");
});

test("without a publication, without KV and over damage the page says so in words, never in green", async () => {
  const absent = await get("/");
  expect(textOf(absent)).toContain("There is no result yet: the first check runs within a minute.");
  await world.kv.put(snapshotKey(0), "damaged");
  expect(textOf(await get("/"))).toContain("The stored result is damaged or of another version.");
  expect(bannerOf(absent).tone).toBe("unknown");
});
