/** What pages show of a monitor's last 24 hours: the line on the overview, the chart and its table on the gateway's page. */
import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import { COURSE_STEPS, type CourseStep, EMPTY_STEP } from "../../src/domain/course.ts";
import { handleRequest } from "../../src/http/app.ts";
import type { MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { plainSpaces, textOf } from "./html.ts";
import { courseTail, stepsOf } from "./published-day.ts";
import {
  depsOf,
  gatewayDocument,
  monitorDocument,
  NOW_MS,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();

interface Given {
  readonly monitor?: Partial<MonitorDocument>;
  readonly status?: Partial<StatusDocument>;
  readonly tail?: Partial<SnapshotTail>;
  readonly nowMs?: number;
}

async function page(path: string, steps: readonly CourseStep[] | null, given: Given = {}): Promise<string> {
  const { monitor, status, tail, nowMs = NOW_MS } = given;
  const gateways = [gatewayDocument({ monitors: [monitorDocument(monitor)] })];
  await world.publish(statusDocument({ gateways, ...status }), { ...(steps && courseTail(steps)), ...tail });
  const request = new Request(`https://status.example${path}`);
  return plainSpaces(await (await handleRequest(request, depsOf(world.kv, { now: () => nowMs }))).text());
}

const chartPage = (steps: readonly CourseStep[] | null, given?: Given) =>
  page("/gateways/acme", steps, given);

function figure(html: string, name: "line" | "chart"): string {
  const found = new RegExp(`<figure class="${name}">.*?</figure>`, "su").exec(html)?.[0];
  if (found === undefined) throw new Error(`no figure ${name}`);
  return found;
}

const titleOf = (html: string) => textOf(/<title>(.*?)<\/title>/su.exec(html)?.[1] ?? "");
const captionOf = (html: string) => textOf(/<figcaption>(.*?)<\/figcaption>/su.exec(html)?.[1] ?? "");
const causesOf = (html: string) =>
  [
    ...(/<ul class="causes" role="list">(.*?)<\/ul>/su.exec(html)?.[1] ?? "").matchAll(/<li>(.*?)<\/li>/gsu),
  ].map(([, item = ""]) => textOf(item));
const rowsOf = (html: string) =>
  [...html.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/gsu)].map(([, from = "", rest = ""]) =>
    [textOf(from)].concat([...rest.matchAll(/<td[^>]*>(.*?)<\/td>/gu)].map(([, cell = ""]) => textOf(cell))),
  );

const TROUBLED = stepsOf({
  20: { health: "down", cause: "timeout" },
  21: { health: "down", cause: "timeout" },
  22: { health: "down", cause: "upstream_unavailable" },
  30: { health: "blocked", cause: "insufficient_balance" },
  40: {},
  47: { health: "degraded", cause: "slow", p50: 2400, p95: 4800 },
});

test("the line is told by its range and by the last three stretches that were not up", async () => {
  const line = figure(await page("/", TROUBLED), "line");
  expect(line).toMatch(/<svg [^>]*role="img"><title>/u);
  expect(titleOf(line)).toBe(
    "Latency of models in the last 24 hours: p50 500 ms, p95 900 ms, p99 1200 ms; " +
      "23:30 to 00:00: down; 03:30 to 04:00: blocked; 12:00 to now: degraded",
  );
  expect(captionOf(line)).toBe("Latency, last 24 hours p50 500 ms, p95 900 ms, p99 1200 ms");
});

const marksOf = (drawn: string) =>
  [...drawn.matchAll(/<path class="run (\w+)" d="M(\d+) (\d+)h(\d+)/gu)].map(
    ([, health, x, top, width]) => [health, Number(x), Number(top), Number(width)] as const,
  );

test("in the chart too the worse stands higher, by the same shares of its height", async () => {
  const chart = figure(await chartPage(TROUBLED), "chart");
  expect(marksOf(chart).map(([health, , top]) => [health, top])).toEqual([
    ["down", 0],
    ["down", 0],
    ["blocked", 80],
    ["degraded", 48],
  ]);
});

test("below the line each stretch has a mark, the worse the higher", async () => {
  expect(marksOf(figure(await page("/", TROUBLED), "line"))).toEqual([
    ["down", 40, 0, 4],
    ["down", 44, 0, 2],
    ["blocked", 60, 20, 2],
    ["degraded", 94, 12, 2],
  ]);
});

test("a day without trouble is told by its range alone, and its chart says that it was up", async () => {
  const html = await chartPage(stepsOf());
  const chart = figure(html, "chart");
  expect(titleOf(chart)).toBe("Latency of models in the last 24 hours: p50 500 ms, p95 900 ms, p99 1200 ms");
  expect(textOf(chart)).toContain("Up in all of the 24 hours, as far as it was checked.");
  expect(textOf(chart)).not.toContain("What was not up");
});

test("the chart lists what was not up, the newest first, each with its time and its cause", async () => {
  const html = await chartPage(TROUBLED);
  expect(textOf(html)).toContain(
    "What was not up, by half hours Degraded 12:00 to now: Slower than it should be",
  );
  expect(causesOf(html)).toEqual([
    "Degraded 12:00 to now: Slower than it should be",
    "Blocked 03:30 to 04:00: The balance is used up",
    expect.stringMatching(/^Down 23:30 to 00:00: /u),
    expect.stringMatching(/^Down 22:30 to 23:30: /u),
  ]);
  expect(new Set(causesOf(html)).size).toBe(4);
  expect(html).not.toContain('<figure class="line">');
});

test("where very much was not up, eight stretches are told, and how many came before them", async () => {
  const flapping = stepsOf(
    Object.fromEntries(Array.from({ length: 10 }, (_, n) => [2 * n, { health: "down", cause: "timeout" }])),
  );
  const html = await chartPage(flapping);
  expect(causesOf(html)).toHaveLength(8);
  expect(causesOf(html)[7]).toMatch(/^Down 14:30 to 15:00: /u);
  expect(textOf(html)).toContain("And 2 more before that: see the table.");
  expect(textOf(await chartPage(TROUBLED))).not.toContain("before that");
});

test("where the health alone is published neither list nor table names a cause", async () => {
  const html = await chartPage(TROUBLED, { tail: { withCauses: [] } });
  expect(causesOf(html)).toEqual(["Degraded 12:00 to now", "Blocked 03:30 to 04:00", "Down 22:30 to 00:00"]);
  expect(rowsOf(figure(html, "chart")).every(([, , , , cause]) => cause === "")).toBe(true);
  for (const words of ["balance", "Slower", "in time", "timeout"]) expect(textOf(html)).not.toContain(words);
});

test("where there was no key to send, it is not told to be refused", async () => {
  const steps = stepsOf({
    10: { health: "blocked", cause: "authentication" },
    46: { health: "blocked", cause: "authentication" },
    47: { health: "blocked", cause: "authentication" },
  });
  const lastProbe = { at: "2026-11-20T11:59:00.000Z", latencyMs: null, attempts: 0, waitedMs: 0 };
  const html = await chartPage(steps, { monitor: { lastProbe } });
  expect(causesOf(html)).toEqual([
    "Blocked 11:30 to now: No usable key is set",
    "Blocked 17:30 to 18:00: The key was refused",
  ]);
  const told = rowsOf(figure(html, "chart")).flatMap(([from, , , , cause]) => (cause ? [[from, cause]] : []));
  expect(told).toEqual([
    ["12:00", "No usable key is set"],
    ["11:30", "No usable key is set"],
    ["17:30", "The key was refused"],
  ]);
});

const SELDOM = stepsOf({
  40: { health: "blocked", cause: "authentication" },
  ...Object.fromEntries([41, 42, 43, 44, 45, 46, 47].map((step) => [step, {}])),
});

test("what is blocked still lasts until now, though no check was due since", async () => {
  const monitor = { status: "blocked", incident: null } as const;
  const html = await chartPage(SELDOM, { monitor });
  expect(causesOf(html)).toEqual(["Blocked 08:30 to now: The key was refused"]);
  const line = figure(await page("/", SELDOM, { monitor }), "line");
  expect(line).toContain('<path class="run blocked" d="M80 20h16');
});

test("what is up, paused or in maintenance now is not told to be blocked still", async () => {
  const [from, to] = ["2026-11-20T11:00:00.000Z", "2026-11-20T13:00:00.000Z"];
  const given: readonly Given[] = [
    { monitor: { status: "up" } },
    { monitor: { status: "unknown", lastStatus: "blocked", pausedAt: "2026-11-20T09:10:00.000Z" } },
    {
      monitor: { status: "blocked" },
      status: { maintenance: [{ from, to, gateways: ["acme"], title: "New database" }] },
    },
  ];
  for (const one of given)
    expect(causesOf(await chartPage(SELDOM, one))).toEqual(["Blocked 08:30 to 09:00: The key was refused"]);
});

test("when the checks have stopped, nothing is told to reach until now", async () => {
  const steps = stepsOf({ 47: { health: "down", cause: "timeout" } });
  const given = { status: { generatedAt: "2026-11-20T12:01:07.000Z" }, nowMs: NOW_MS + HOUR_MS };
  for (const [path, name] of [
    ["/", "line"],
    ["/gateways/acme", "chart"],
  ] as const) {
    const shown = figure(await page(path, steps, given), name);
    expect(titleOf(shown)).toMatch(/; 12:00 to 12:01: down$/u);
    if (name === "chart")
      expect(shown).toContain('<time datetime="2026-11-20T12:01:07.000Z" data-hour>12:01</time>');
    expect(textOf(shown)).not.toMatch(/\bnow\b/u);
  }
});

test("of a day of which nothing is known no line is drawn, and nothing is said to be up", async () => {
  const nothing = Array.from({ length: COURSE_STEPS }, () => EMPTY_STEP);
  for (const steps of [null, nothing]) {
    const given = { monitor: { latency: null } };
    const line = figure(await page("/", steps, given), "line");
    expect(captionOf(line)).toBe("Latency, last 24 hours no data");
    expect(titleOf(line)).toBe("Latency of models in the last 24 hours: no data");
    expect(line).not.toContain("<path");
    const chart = figure(await chartPage(steps, given), "chart");
    expect(textOf(chart)).not.toContain("Up in all");
    expect(textOf(chart)).not.toContain("What was not up");
    expect(chart).not.toMatch(/class="(?:mid|high|run \w+)"/u);
  }
});

/** Points of a path by the half hour in whose middle they stand. */
function pointsOf(path: string, stepWidth: number): Map<number, number> {
  const points = new Map<number, number>();
  let [x, y] = [0, 0];
  for (const [, command, a = "0", b = "0"] of path.matchAll(/([Mlh])(-?\d+)(?: (-?\d+))?/gu)) {
    if (command === "h") continue;
    [x, y] = command === "M" ? [Number(a), Number(b)] : [x + Number(a), y + Number(b)];
    points.set((x - stepWidth / 2) / stepWidth, y);
  }
  return points;
}

test("the table says what the chart shows, half hour by half hour", async () => {
  const chart = figure(await chartPage(TROUBLED), "chart");
  expect(textOf(/<thead>(.*?)<\/thead>/su.exec(chart)?.[1] ?? "")).toBe("Half hour from p50 p95 Worst Cause");
  const rows = rowsOf(chart).toReversed();
  expect(rows).toHaveLength(COURSE_STEPS);
  expect(rows[0]).toEqual(["12:30", "400 ms", "800 ms", "Up", ""]);
  expect(rows[40]).toEqual(["08:30", "", "", "no data", ""]);
  expect(rows[47]).toEqual(["12:00", "2400 ms", "4800 ms", "Degraded", "Slower than it should be"]);

  expect(textOf(/<div class="ticks" aria-hidden="true">(.*?)<\/div>/su.exec(chart)?.[1] ?? "")).toBe(
    "5 s 2.5 s 0 s",
  );
  const top = 5000;
  for (const [name, column] of [
    ["mid", 1],
    ["high", 2],
  ] as const) {
    const points = pointsOf(new RegExp(`<path class="${name}" d="([^"]+)"`, "u").exec(chart)?.[1] ?? "", 10);
    const told = rows.flatMap((row, step) => {
      const ms = Number.parseInt(row[column] ?? "", 10);
      return Number.isNaN(ms) ? [] : [[step, Math.round(144 - (ms / top) * 144)] as const];
    });
    expect([...points]).toEqual(told);
  }
  const bands = [...chart.matchAll(/<path class="run (\w+)" d="M(\d+) \d+h(\d+)/gu)].flatMap(
    ([, health, x, width]) =>
      Array.from({ length: Number(width) / 10 }, (_, n) => [Number(x) / 10 + n, health]),
  );
  const troubled = rows.flatMap(([, , , worst = ""], step) =>
    worst === "Up" || worst === "no data" ? [] : [[step, worst.toLowerCase()]],
  );
  expect(bands).toEqual(troubled);
});

test("the chart's scale has whole numbers, its table a caption, and its hours are those of the zone", async () => {
  const steps = stepsOf(
    Object.fromEntries(Array.from({ length: 48 }, (_, n) => [n, { p50: 1, p95: 2, health: "up" }])),
  );
  const chart = figure(await chartPage(steps, { status: { timeZone: "Asia/Kathmandu" } }), "chart");
  expect(textOf(/<div class="ticks" aria-hidden="true">(.*?)<\/div>/su.exec(chart)?.[1] ?? "")).toBe(
    "10 ms 5 ms 0 ms",
  );
  expect(textOf(/<div class="hours" aria-hidden="true">(.*?)<\/div>/su.exec(chart)?.[1] ?? "")).toBe(
    "18:15 00:15 06:15 12:15 now",
  );
  expect(chart).toContain(`<table><caption class="unseen">${titleOf(chart)}</caption>`);
  // The script shows it in the reader's own zone.
  expect(chart).toContain('<th scope="row"><time datetime="2026-11-19T12:30:00.000Z" data-hour>18:15</time>');
});
