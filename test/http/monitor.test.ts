/** A monitor and its history, also under the names that it had, and as CSV; what a client asks for and prefers. */
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { NO_FIGURES, type Sample } from "../../src/domain/probe-outcome.ts";
import type { MonitorDocument } from "../../src/history/documents.ts";
import { segmentKey } from "../../src/history/keys.ts";
import { packSamples } from "../../src/history/segment.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { every, publishHistory, sampleAt } from "../history/published-history.ts";
import { watched } from "../history/real-kv.ts";
import {
  gatewayDocument,
  gatewayThatIs,
  monitorDocument,
  NOW_MS,
  regionDocument,
  statusDocument,
} from "./documents.ts";
import { expectWords } from "./html.ts";
import { useWorld } from "./published-status.ts";
import { rollUp } from "../../src/domain/rollup.ts";
import { probePoint, rollupPoint } from "../../src/http/visible.ts";
import { csvField, parseHistoryQuery, pointsToCsv } from "../../src/http/history.ts";
import { preferred, preferredLanguage } from "../../src/http/problem.ts";

const world = useWorld();

const MONITOR = "/api/v1/gateways/acme/monitors/models";

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return world.ask(path, { headers });
}

interface Publication {
  readonly closedMs?: number;
  readonly settledMs?: number;
  readonly timeZone?: string;
  readonly monitors?: MonitorDocument[];
  readonly tail?: Partial<SnapshotTail>;
}

/** Probes of `acme/models`: those of closed and settled times are in segments alone. */
async function publish(samples: readonly Sample[], more: Publication = {}): Promise<void> {
  const { timeZone = "UTC", closedMs = NOW_MS, settledMs = closedMs, monitors = [monitorDocument()] } = more;
  const publication = { monitorId: "acme/models", samples, timeZone, closedMs, settledMs };
  const tail = { ...(await publishHistory(world.kv, publication)), ...more.tail };
  await world.publish(statusDocument({ timeZone, gateways: [gatewayDocument({ monitors })] }), tail);
}

/** A probe each five minutes of the last four hours; the oldest two hours have settled. */
async function publishFourHours(timeZone = "UTC"): Promise<Sample[]> {
  const samples = every(5 * MINUTE_MS, NOW_MS - 4 * HOUR_MS, NOW_MS);
  await publish(samples, { timeZone, closedMs: NOW_MS - HOUR_MS, settledMs: NOW_MS - 2 * HOUR_MS });
  return samples;
}

interface History {
  from: string;
  to: string;
  step: string;
  points: { at: string; latencyMs: number; counts?: { degraded: number } }[];
  next: string | null;
  gaps: unknown[];
}

async function historyOf(path: string): Promise<History> {
  const response = await get(path);
  expect(response.status).toBe(200);
  return (await response.json()) as History;
}

const history = (query: string) => historyOf(`${MONITOR}/history${query}`);

test("a monitor is its document of the status with its recent probes, newest first", async () => {
  await publishFourHours();
  const body = (await (await get(MONITOR)).json()) as { recent: unknown[] };
  const generatedAt = "2026-11-20T12:00:00.000Z";
  expect(body).toMatchObject({ ...monitorDocument(), gateway: "acme", stale: false, generatedAt });
  expect(body.recent).toHaveLength(24);
  expect(body.recent[0]).toMatchObject({ at: "2026-11-20T11:55:00.000Z", latencyMs: 47 });
});

test("it tells how its list of models changed, newest first", async () => {
  const modelNotes = {
    "acme/models": [
      { atMs: NOW_MS - 3 * HOUR_MS, count: 3, vanished: [], returned: [] },
      { atMs: NOW_MS - HOUR_MS, count: 2, vanished: ["chat-large"], returned: [] },
      { atMs: NOW_MS - 1, count: 3, vanished: [], returned: ["chat-large"] },
    ],
    "acme/chat": [{ atMs: NOW_MS, count: 99, vanished: [], returned: [] }],
  };
  await world.publish(statusDocument(), { modelNotes });
  expect(await (await get(MONITOR)).json()).toMatchObject({
    modelChanges: [
      { at: "2026-11-20T11:59:59.999Z", count: 3, vanished: [], returned: ["chat-large"] },
      { at: "2026-11-20T11:00:00.000Z", count: 2, vanished: ["chat-large"], returned: [] },
      { at: "2026-11-20T09:00:00.000Z", count: 3, vanished: [], returned: [] },
    ],
  });
  const nothing = { "acme/chat": modelNotes["acme/chat"] };
  const formerly = { "acme/models": ["shy/models"] };
  for (const tail of [{ modelNotes: nothing }, { modelNotes, formerly, withCauses: ["acme"] }]) {
    await world.publish(statusDocument(), tail);
    expect(await (await get(MONITOR)).json()).toMatchObject({ modelChanges: [] });
  }
});

test("history is by default that of the last 24 hours, oldest first, from segments and snapshot alike", async () => {
  const samples = await publishFourHours();
  const body = await history("");
  const range = { from: "2026-11-19T12:00:00.000Z", to: "2026-11-20T12:00:00.000Z" };
  expect(body).toMatchObject({ ...range, step: "probe", next: null, gaps: [] });
  expect(body.points.map(({ latencyMs }) => latencyMs)).toEqual(samples.map(({ latencyMs }) => latencyMs));
});

test("hours and days are roll-ups with counts, uptime and percentiles; days are those of the zone", async () => {
  await publishFourHours("Asia/Shanghai");
  const hours = await history("?step=1h");
  expect(hours.points).toHaveLength(4);
  expect(hours.points[0]).toMatchObject({ at: "2026-11-20T08:00:00.000Z", uptime: 1, latency: { p50: 5 } });
  const days = await history("?step=1d");
  expect(days.points).toMatchObject([{ at: "2026-11-19T16:00:00.000Z", counts: { up: 48 } }]);
  expect((await history("?step=1d&from=2026-11-20&to=2026-11-20")).points).toEqual(days.points);
  expect((await history("?step=1d&to=2026-11-19")).points).toEqual([]);
});

test("bad arguments are a 400 that names each of them", async () => {
  await publishFourHours();
  const response = await get(`${MONITOR}/history?from=yesterday&step=1w`);
  expect(response.status).toBe(400);
  const [from, step] = [
    "is no date, such as 2026-11-20, and no RFC 3339 instant, such as 2026-11-20T12:00:00Z",
    "is none of probe, 1h, 1d",
  ];
  expect(await response.json()).toEqual({
    type: "about:blank",
    title: "Bad request",
    status: 400,
    detail: `from: ${from}; step: ${step}`,
    instance: `${MONITOR}/history`,
    errors: [
      { detail: from, pointer: "#/from" },
      { detail: step, pointer: "#/step" },
    ],
  });
});

test("a long range is answered in parts that a client can follow, as JSON and by its link", async () => {
  const samples = every(20 * MINUTE_MS, NOW_MS - 3 * 24 * HOUR_MS, NOW_MS);
  await publish(samples, { monitors: [monitorDocument({ regions: [regionDocument()] })] });
  const first = await get(`${MONITOR}/history?from=2026-11-17T12:00:00Z`);
  const body = (await first.json()) as History;
  expect(body.next).toBe("2026-11-18T13:00:00.000Z");
  const link = /^<(.+)>; rel="next"$/u.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  const second = (await (await get(link)).json()) as History;
  expect(second).toMatchObject({ from: body.next, to: "2026-11-20T12:00:00.000Z", step: "probe" });
  const third = await history(`?from=${second.next}`);
  expect(third.next).toBeNull();
  expect([...body.points, ...second.points, ...third.points]).toHaveLength(samples.length);
  const { headers } = await get(`${MONITOR}/history?from=2026-11-17T12:00:00Z&region=weur`);
  expect(headers.get("link")).toContain("step=probe&region=weur>");
});

test("history is CSV or NDJSON where the client asks for it, and its tags differ", async () => {
  await publishFourHours();
  const json = await get(`${MONITOR}/history`);
  const csv = await get(`${MONITOR}/history`, { accept: "text/csv" });
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(csv.headers.get("content-disposition")).toBe('attachment; filename="acme-models-probe.csv"');
  expect((await csv.text()).split("\r\n")).toHaveLength(1 + 48 + 1);
  const lines = await get(`${MONITOR}/history?step=1h`, { accept: "application/x-ndjson" });
  expect(lines.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
  expect((await lines.text()).trimEnd().split("\n")).toHaveLength(4);
  for (const response of [json, csv, lines]) expect(response.headers.get("vary")).toBe("accept");
  const tags = [json, csv, lines].map(({ headers }) => headers.get("etag"));
  expect(new Set(tags).size).toBe(3);
});

test("a gateway that publishes its health alone shows no cause in any form", async () => {
  const failed = { health: "blocked", cause: "insufficient_balance", httpStatus: 402 } as const;
  const monitors = [monitorDocument({ diagnosis: null, status: "blocked" })];
  const tail = { withCauses: [] };
  await publish([sampleAt(NOW_MS - MINUTE_MS, failed)], { closedMs: NOW_MS - HOUR_MS, monitors, tail });
  for (const [path, accept] of [
    [MONITOR, "application/json"],
    [`${MONITOR}/history`, "application/json"],
    [`${MONITOR}/history`, "text/csv"],
    [`${MONITOR}/history?step=1h`, "application/x-ndjson"],
    [`${MONITOR}/history?step=1d`, "application/json"],
  ] as const) {
    const text = await (await get(path, { accept })).text();
    expect(text).toContain("blocked");
    expect(text).not.toMatch(/balance|402/u);
  }
});

test("a monitor that was removed keeps its history", async () => {
  await publish([sampleAt(NOW_MS - 3 * HOUR_MS)], { monitors: [monitorDocument({ id: "acme/chat" })] });
  expect((await history("")).points).toHaveLength(1);
  expect((await get(MONITOR)).status).toBe(404);
});

test("a segment that cannot be read is told as a gap; where KV fails, the answer is 503", async () => {
  await publishFourHours();
  const key = segmentKey(0, "hour", "2026-11-20T08");
  const refused = await world.ask(`${MONITOR}/history`, {}, { kv: watched(world.kv, [key]) });
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("30");
  await world.kv.delete(key);
  const body = await history("");
  expect(body.gaps).toEqual([{ period: "2026-11-20T08", reason: "absent" }]);
  expect(body.points).toHaveLength(36);
  const csv = await get(`${MONITOR}/history`, { accept: "text/csv" });
  expect(csv.headers.get("gatepulse-gaps")).toBe("2026-11-20T08");
  expect(csv.headers.get("cache-control")).toBe("no-store");
});

const RENAMED_MS = NOW_MS - 2.5 * HOUR_MS;
const NEW = "/api/v1/gateways/neo/monitors/list";
const OLD = "/api/v1/gateways/acme/monitors/models";
const NEO = gatewayDocument({ id: "neo", monitors: [monitorDocument({ id: "neo/list" })] });
const SLOW = { cause: "slow", health: "degraded" } as const;

/** `acme/models`, a probe each five minutes, was renamed to `neo/list` in the middle of an hour that is settled. */
async function publishRenamed(
  withCauses: string[] = ["acme", "neo"],
  formerly: Readonly<Record<string, string[]>> = { "neo/list": ["acme/models"] },
) {
  const samples = Array.from({ length: 48 }, (_, n) =>
    sampleAt(NOW_MS - 4 * HOUR_MS + n * 5 * MINUTE_MS, { latencyMs: n, ...SLOW }),
  );
  const tail = await publishHistory(world.kv, {
    monitorId: "neo/list",
    samples,
    timeZone: "UTC",
    closedMs: NOW_MS - HOUR_MS,
    settledMs: NOW_MS - HOUR_MS,
    idAt: (atMs) => (atMs < RENAMED_MS ? "acme/models" : "neo/list"),
  });
  const gateways = [NEO, gatewayThatIs("up", "acme", { id: "acme/chat" })];
  await world.publish(statusDocument({ gateways }), { ...tail, withCauses, formerly });
}

test("the history of a renamed monitor goes back to before that", async () => {
  await publishRenamed();
  const probes = await historyOf(`${NEW}/history`);
  expect(probes.points.map(({ latencyMs }) => latencyMs)).toEqual(Array.from({ length: 48 }, (_, n) => n));
  const { points } = await historyOf(`${NEW}/history?step=1h`);
  expect(points.map((point) => point.counts?.degraded)).toEqual([12, 12, 12, 12]);
});

test("what a client knows by its former address it finds there still", async () => {
  await publishRenamed();
  for (const path of ["", "/history", "/history?step=1h"]) {
    const [before, now] = [await get(`${OLD}${path}`), await get(`${NEW}${path}`)];
    expect(before.status).toBe(200);
    expect(await before.json()).toEqual(await now.json());
  }
  expect(await (await get(OLD)).json()).toMatchObject({ id: "neo/list", gateway: "neo" });
});

test.each(["neo", "acme"])(
  "where %s, the gateway of now or of then, shows its health alone there is no cause",
  async (gateway) => {
    await publishRenamed(["acme", "neo"].filter((one) => one !== gateway));
    for (const path of [NEW, `${NEW}/history`, `${NEW}/history?step=1h`, `${OLD}/history`]) {
      for (const accept of ["application/json", "text/csv"]) {
        expectWords(await (await get(path, { accept })).text(), ["degraded"], ["slow"]);
      }
    }
    await publishRenamed();
    expect(await (await get(`${NEW}/history`)).text()).toContain("slow");
  },
);

test("what a region saw is history of its monitor, and has no address of its own that would show more", async () => {
  const samples = { "neo/list@weur": packSamples([sampleAt(NOW_MS - MINUTE_MS, SLOW)]) };
  await world.publish(statusDocument({ gateways: [NEO] }), {
    withCauses: ["neo"],
    formerly: { "neo/list": ["hidden/models"] },
    live: { samples, hours: {}, days: {} },
  });
  expectWords(await (await get(`${NEW}/history?region=weur`)).text(), ["degraded"], ["slow"]);
  const odd = ["@weur/history", "%40weur/history", "/history?region=oc", "/history?region=mars"];
  const statuses = await Promise.all(odd.map(async (path) => (await get(`${NEW}${path}`)).status));
  expect(statuses).toEqual([404, 404, 404, 400]);
});

const AT_MS = Date.UTC(2026, 10, 20, 12, 0, 0);

const FIGURES = {
  firstTokenMs: 412,
  taskMs: null,
  tokensPerSecond: 19.95,
  inputTokens: 12,
  outputTokens: 16,
};
const GENERATED = sampleAt(AT_MS, { latencyMs: 1214, generation: { ...FIGURES, costMicros: 262 } });

test("a probe is a line with a header above it, ended by CRLF", () => {
  const failed = { health: "blocked", cause: "authentication", latencyMs: null } as const;
  const points = [sampleAt(AT_MS), sampleAt(AT_MS + 60_000, failed)].map((one) => probePoint(one, false));
  expect(pointsToCsv("probe", points)).toBe(
    "at,health,cause,latencyMs,attempts,waitedMs,httpStatus,inMaintenance,firstTokenMs,taskMs,tokensPerSecond,inputTokens,outputTokens,cost\r\n" +
      "2026-11-20T12:00:00.000Z,up,ok,100,1,0,200,false,,,,,,\r\n" +
      "2026-11-20T12:01:00.000Z,blocked,authentication,,1,0,200,false,,,,,,\r\n",
  );
});

test("a generation tells its figures, its cost in the configured currency", () => {
  const point = probePoint(GENERATED, false);
  expect(point.generation).toEqual({ ...FIGURES, cost: 0.000262 });
  const row = "2026-11-20T12:00:00.000Z,up,ok,1214,1,0,200,false,412,,19.95,12,16,0.000262";
  expect(pointsToCsv("probe", [point]).split("\r\n")[1]).toBe(row);
});

test("so does an hour of generations, with percentiles and sums", () => {
  const slow = { ...GENERATED.generation, firstTokenMs: 900, tokensPerSecond: 8.5 };
  const samples = [GENERATED, { ...GENERATED, generation: { ...NO_FIGURES, ...slow } }];
  const point = rollupPoint(rollUp(AT_MS, samples), false);
  expect(point.generation).toEqual({
    firstTokenMs: { p50: 412, p95: 900, p99: 900 },
    taskMs: null,
    tokensPerSecond: { p50: 19.95, p95: 8.5, p99: 8.5 },
    inputTokens: 24,
    outputTokens: 32,
    cost: 0.000524,
  });
  const [, row] = pointsToCsv("1h", [point]).split("\r\n");
  expect(row?.split(",").slice(15).join(",")).toBe("412,900,900,,,,19.95,8.5,8.5,24,32,0.000524");
});

test("a cost that nobody told is no zero, and a zero is one", () => {
  const told = (costMicros: number | null) => sampleAt(AT_MS, { generation: { ...NO_FIGURES, costMicros } });
  const costs = [null, 0].map((micros) => probePoint(told(micros), false).generation?.cost);
  expect(costs).toEqual([null, 0]);
  const sums = [null, 0].map((micros) => rollupPoint(rollUp(AT_MS, [told(micros)]), false).generation?.cost);
  expect(sums).toEqual([null, 0]);
});

test("a roll-up has its counts and percentiles in columns of their own", () => {
  const samples = [100, 200, 300].map((latencyMs, index) => sampleAt(AT_MS + index, { latencyMs }));
  const down = sampleAt(AT_MS + 9, { health: "down", cause: "timeout", latencyMs: 30_000 });
  const point = rollupPoint(rollUp(AT_MS, [...samples, down]), false);
  expect(point).toEqual({
    at: "2026-11-20T12:00:00.000Z",
    health: "down",
    cause: "timeout",
    latencyMs: 200,
    attempts: 4,
    counts: { up: 3, degraded: 0, down: 1, blocked: 0, unknown: 0, maintenance: 0 },
    uptime: 0.75,
    latency: { p50: 200, p95: 300, p99: 300 },
    generation: null,
  });
  expect(pointsToCsv("1h", [point])).toBe(
    "at,health,cause,latencyMs,attempts,up,degraded,down,blocked,unknown,maintenance,uptime,p50Ms,p95Ms,p99Ms," +
      "firstTokenP50Ms,firstTokenP95Ms,firstTokenP99Ms,taskP50Ms,taskP95Ms,taskP99Ms," +
      "tokensPerSecondP50,tokensPerSecondP95,tokensPerSecondP99,inputTokens,outputTokens,cost\r\n" +
      "2026-11-20T12:00:00.000Z,down,timeout,200,4,3,0,1,0,0,0,0.75,200,300,300,,,,,,,,,,,,\r\n",
  );
});

test.each([
  ["=1+1", "'=1+1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["＝1", "'＝1"],
  ['say "hi", you', '"say ""hi"", you"'],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ["two\r\nlines", '"two\r\nlines"'],
])("the text %j is written as %j, and no spreadsheet runs it", (text, written) => {
  expect(csvField(text)).toBe(written);
});

const AT_11 = "2026-11-20T11:00:00Z";
const AT_11_MS = NOW_MS - 3_600_000;

const [DAY_9, DAY_10] = [Date.UTC(2026, 10, 9), Date.UTC(2026, 10, 10)];
const UNTIL_10 = { to: "2026-11-10T00:00:00Z", step: "1h" };

test.each<[string, query: Record<string, string>, fromMs: number, toMs: number, step: string]>([
  ["the last 24 hours, probe by probe, without arguments", {}, NOW_MS - 86_400_000, NOW_MS, "probe"],
  ["the 24 hours before its end without a start", UNTIL_10, DAY_9, DAY_10, "1h"],
  ["an empty range", { from: AT_11, to: AT_11 }, AT_11_MS, AT_11_MS, "probe"],
])("history is that of %s", (_, query, fromMs, toMs, step) => {
  const expected = { fromMs, toMs, step, region: null };
  expect(parseHistoryQuery(new URLSearchParams(query), NOW_MS, "UTC")).toEqual(expected);
});

test.each([
  [{ from: "2026-08-25", to: "2026-08-25" }, "UTC", "2026-08-25T00:00Z", "2026-08-26T00:00Z"],
  [{ from: "2026-08-25" }, "Asia/Shanghai", "2026-08-24T16:00Z", "2026-11-20T12:00Z"],
  // The clocks go back on this day.
  [{ from: "2026-10-25", to: "2026-10-25" }, "Europe/Berlin", "2026-10-24T22:00Z", "2026-10-25T23:00Z"],
])("dates %j are whole days of %s", (query, timeZone, from, to) => {
  const parameters = new URLSearchParams({ ...query, step: "1d" });
  const { fromMs, toMs } = parseHistoryQuery(parameters, NOW_MS, timeZone);
  expect([fromMs, toMs]).toEqual([Date.parse(from), Date.parse(to)]);
});

test.each(["2026-11-20T12:00:00Z", "2026-11-20T20:00:00+08:00"])("%s is an instant", (to) => {
  expect(parseHistoryQuery(new URLSearchParams({ to }), 0, "UTC").toMs).toBe(NOW_MS);
});

test.each(["now", "2026-11-20 12:00:00Z", "2026-02-29T00:00:00Z", "2026-02-29", "2026-11"])(
  "%j is none",
  (to) => {
    expect(() => parseHistoryQuery(new URLSearchParams({ to }), NOW_MS, "UTC")).toThrow("Bad request");
  },
);

const OFFERS = ["application/json", "text/csv", "application/x-ndjson"] as const;

test.each([
  [undefined, "application/json"],
  ["*/*", "application/json"],
  ["text/csv", "text/csv"],
  ["TEXT/CSV; charset=utf-8", "text/csv"],
  ["text/*", "text/csv"],
  ["text/csv;q=0.5, application/json;q=0.4", "text/csv"],
  ["text/csv;q=0, */*", "application/json"],
  ["application/json;q=0, application/*", "application/x-ndjson"],
  ["image/png", null],
])("Accept: %s wants %s", (accept, offer) => {
  expect(preferred(accept, OFFERS)).toBe(offer);
});

test.each([
  [null, null],
  ["zh-CN", "zh"],
  ["zh-Hant-TW", "zh"],
  ["en-US,en;q=0.9,zh-CN;q=0.8", "en"],
  ["de-DE,de;q=0.9,zh;q=0.3,en;q=0.2", "zh"],
  ["en, zh", "en"],
  ["zh;q=0", null],
  ["zh;q=x, en;q=0.1", "en"],
  ["zh;q=0.6, *;q=0.5", "zh"],
  ["*", null],
])("Accept-Language: %s wants %s", (accept, language) => {
  expect(preferredLanguage(accept, ["en", "zh"])).toBe(language);
});
