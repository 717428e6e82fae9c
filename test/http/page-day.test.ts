/** What a gateway's page shows of a monitor's last 24 hours: the chart and its table, the newest checks, the list of models. */
import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import { COURSE_STEPS, type CourseStep, EMPTY_STEP } from "../../src/domain/rollup.ts";
import { NO_FIGURES, type Sample } from "../../src/domain/probe-outcome.ts";
import type { ModelNote } from "../../src/domain/model-watch.ts";
import type { MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { expectWords, plainSpaces, textOf, wordsIn } from "./html.ts";
import { courseTail, probesTail, stepsOf, TROUBLED } from "./published-status.ts";
import { gatewayDocument, monitorDocument, NOW_MS, STALE_MS } from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

interface Given {
  readonly path?: string;
  readonly monitor?: Partial<MonitorDocument>;
  readonly status?: Partial<StatusDocument>;
  readonly tail?: Partial<SnapshotTail>;
  readonly nowMs?: number;
}

/** Of the gateway, unless another path is given. */
async function page(steps: readonly CourseStep[] | null, given: Given = {}): Promise<string> {
  const { path = "/gateways/acme", monitor, status, tail, nowMs = NOW_MS } = given;
  const gateways = [gatewayDocument({ monitors: [monitorDocument(monitor)] })];
  const published = { ...(steps && courseTail(steps)), ...tail };
  return plainSpaces(await world.show({ gateways, ...status }, { path, tail: published, nowMs }));
}

const chartOf = async (steps: readonly CourseStep[] | null, given?: Given) =>
  chartIn(await page(steps, given));

function chartIn(html: string): string {
  return /<figure class="chart">.*?<\/figure>/su.exec(html)?.[0] ?? "no chart";
}

const titleOf = (html: string) => wordsIn(html, "<title>", "</title>");
/** Cells of a table's rows. */
const cellsOf = (html: string, row: RegExp) =>
  [...html.matchAll(row)].map(([, cells = ""]) =>
    [...cells.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gsu)].map(([, cell = ""]) => textOf(cell)),
  );
const rowsOf = (chart: string) => cellsOf(chart, /<tr>(<th scope="row">.*?)<\/tr>/gsu);

/** Ways to publish the health alone. */
const HIDDEN: readonly Partial<SnapshotTail>[] = [
  { withCauses: [] },
  { withCauses: ["acme"], formerly: { "acme/models": ["shy/models"] } },
];

/** Of each mark its health, left edge, top, width and height, and where it closes. */
const marksOf = (drawn: string) =>
  [...drawn.matchAll(/<path class="run (\w+)" d="M(\d+) (\d+)h(\d+)v(\d+)H(\d+)z"/gu)].map((mark) =>
    mark.slice(1).join(" "),
  );

test("each stretch of trouble has a mark, the worse the higher; in the overview's line too", async () => {
  expect(marksOf(await chartOf(TROUBLED))).toEqual([
    "down 200 0 30 144 200",
    "blocked 300 80 10 64 300",
    "degraded 470 48 10 96 470",
  ]);
  expect(marksOf(await page(TROUBLED, { path: "/" }))).toEqual([
    "down 60 0 9 24 60",
    "blocked 90 13 3 11 90",
    "degraded 141 8 3 16 141",
  ]);
});

test("where there was no key to send, it is not told to be refused", async () => {
  const keyless = { health: "blocked", cause: "authentication" } as const;
  const lastProbe = { at: "2026-11-20T11:59:00.000Z", latencyMs: null, attempts: 0, waitedMs: 0 };
  const html = await page(stepsOf({ 10: keyless, 46: keyless, 47: keyless }), { monitor: { lastProbe } });
  const told = rowsOf(chartIn(html)).flatMap(([from, , , , cause]) => (cause ? [[from, cause]] : []));
  expect(told).toEqual([
    ["12:00", "No usable key is set"],
    ["11:30", "No usable key is set"],
    ["17:30", "The key was refused"],
  ]);
});

test("when the checks have stopped, the chart ends when it was published", async () => {
  const given = { status: { generatedAt: "2026-11-20T12:01:07.000Z" }, nowMs: STALE_MS };
  const chart = await chartOf(TROUBLED, given);
  expect(chart).toContain('<time datetime="2026-11-20T12:01:07.000Z" data-hour>12:01</time>');
  expect(textOf(chart)).not.toMatch(/\bnow\b/u);
});

test.each([
  ["that is older than courses", null],
  ["without a probe", Array.from({ length: COURSE_STEPS }, () => EMPTY_STEP)],
])("of a day %s no line is drawn, and nothing is said to be up", async (_, steps) => {
  const chart = await chartOf(steps, { monitor: { latency: null } });
  expect(titleOf(chart)).toBe("Latency of models in the last 24 hours: no data");
  expect(chart).not.toMatch(/class="(?:mid|high|run \w+)"/u);
});

const scaleOf = (chart: string, name: "ticks" | "hours") =>
  wordsIn(chart, `<div class="${name}" aria-hidden="true">`, "</div>");

test("the table says what the chart shows, half hour by half hour", async () => {
  const chart = await chartOf(TROUBLED);
  expect(titleOf(chart)).toBe("Latency of models in the last 24 hours: p50 500 ms, p95 900 ms, p99 1200 ms");
  expect(wordsIn(chart, "<thead>", "</thead>")).toBe("Half hour from p50 p95 Worst Cause");
  const rows = rowsOf(chart).toReversed();
  expect(rows).toHaveLength(COURSE_STEPS);
  expect(rows[0]).toEqual(["12:30", "400 ms", "800 ms", "Up", ""]);
  expect(rows[40]).toEqual(["08:30", "", "", "no data", ""]);
  expect(rows[47]).toEqual(["12:00", "2400 ms", "4800 ms", "Degraded", "Too slow"]);

  expect(scaleOf(chart, "ticks")).toBe("5 s 2.5 s 0 s");
  const bands = [...chart.matchAll(/<path class="run (\w+)" d="M(\d+) \d+h(\d+)/gu)].flatMap(
    ([, health, x, width]) =>
      Array.from({ length: Number(width) / 10 }, (_, n) => [Number(x) / 10 + n, health]),
  );
  const troubled = rows.flatMap(([, , , worst = ""], step) =>
    worst === "Up" || worst === "no data" ? [] : [[step, worst.toLowerCase()]],
  );
  expect(bands).toEqual(troubled);
});

test("the chart's scale has whole numbers, and its hours are those of the zone", async () => {
  const fast = Array.from({ length: COURSE_STEPS }, (_, n) => [n, { p50: 1, p95: 2, health: "up" }]);
  const steps = stepsOf(Object.fromEntries(fast));
  const chart = await chartOf(steps, { status: { timeZone: "Asia/Kathmandu" } });
  expect(scaleOf(chart, "ticks")).toBe("10 ms 5 ms 0 ms");
  expect(scaleOf(chart, "hours")).toBe("18:15 00:15 06:15 12:15 now");
  // The script shows it in the reader's own zone.
  expect(chart).toContain('<th scope="row"><time datetime="2026-11-19T12:30:00.000Z" data-hour>18:15</time>');
});

const probed = (tail: Partial<SnapshotTail>, given: Given = {}) => page(null, { tail, ...given });

/** Of the table of probes; the first is its head. */
function probesOf(html: string): string[][] {
  const [, table = ""] = html.split('<div class="scroll" role="group" aria-label="Latest checks"');
  return cellsOf(table.split("</div>")[0] ?? "", /<tr>(.*?)<\/tr>/gsu);
}

const FAILED: Partial<Sample>[] = [
  { latencyMs: 812 },
  { health: "blocked", cause: "insufficient_balance", latencyMs: 90, httpStatus: 402 },
  { health: "down", cause: "timeout", latencyMs: null, httpStatus: null, attempts: 3, waitedMs: 7310 },
  {
    health: "down",
    cause: "upstream_unavailable",
    latencyMs: 70,
    httpStatus: 503,
    inMaintenance: true,
    attempts: 2,
    waitedMs: 999,
  },
  { health: "blocked", cause: "authentication", httpStatus: 401, latencyMs: 70 },
  { health: "blocked", cause: "authentication", latencyMs: null, httpStatus: null, attempts: 0 },
];

test("the newest checks stand first, each with cause, latency, attempts and waits, HTTP and maintenance", async () => {
  const html = await probed(probesTail(FAILED));
  expect(probesOf(html)).toEqual([
    ["When", "Result", "Latency", "Attempts", "HTTP"],
    ["1 min ago", "Blocked: No usable key is set", "", "0", ""],
    ["2 min ago", "Blocked: The key was refused", "70 ms", "", "401"],
    ["3 min ago", expect.stringMatching(/^Down: \w.+ \(maintenance\)$/u), "70 ms", "2, waited 999 ms", "503"],
    ["4 min ago", expect.stringMatching(/^Down: \w/u), "", "3, waited 7 s", ""],
    ["5 min ago", "Blocked: The balance is used up", "90 ms", "", "402"],
    ["6 min ago", "Up", "812 ms", "", "200"],
  ]);
  const [, table = ""] = html.split('aria-label="Latest checks"');
  const links = [
    ...table.matchAll(
      /<td class="cause"><span class="mark \w+">.*?<\/span><\/span> <a href="\/causes#([^"]*)"/gu,
    ),
  ].map(([, cause]) => cause);
  const causes = [
    "authentication",
    "authentication",
    "upstream_unavailable",
    "timeout",
    "insufficient_balance",
  ];
  expect(links).toEqual(causes);
});

test.each(HIDDEN)(
  "with the health alone (%j) neither charts nor checks nor models tell more",
  async (tail) => {
    const models = notesTail(note(1, 41, { vanished: ["gpt-9"] }));
    const html = await page(TROUBLED, { tail: { ...probesTail(FAILED.slice(0, 4)), ...models, ...tail } });
    expect(rowsOf(chartIn(html)).map((row) => row[4])).toEqual(Array(COURSE_STEPS).fill(""));
    expect(probesOf(html).slice(1)).toEqual([
      ["1 min ago", "Down (maintenance)", "70 ms", "2, waited 999 ms", ""],
      ["2 min ago", "Down", "", "3, waited 7 s", ""],
      ["3 min ago", "Blocked", "90 ms", "", ""],
      ["4 min ago", "Up", "812 ms", "", ""],
    ]);
    expectWords(html, [], ["/causes#", "balance", "Slower", "in time", "timeout", "gpt-9"]);
  },
);

const STREAM = { ...NO_FIGURES, firstTokenMs: 412, tokensPerSecond: 41.27, inputTokens: 9, outputTokens: 16 };

test.each<[what: string, Sample["generation"][], string[][]]>([
  ["without any figure have no column for it", [null, NO_FIGURES], [[], [], []]],
  [
    "of streams tell first token, speed and tokens; what one did not tell is left empty",
    [{ ...NO_FIGURES, outputTokens: 5 }, null, STREAM],
    [
      ["First token", "Tokens a second", "Tokens"],
      ["412 ms", "41.3", "9 tokens in, 16 out"],
      ["", "", ""],
      ["", "", "5 tokens out"],
    ],
  ],
  [
    "of tasks tell their duration",
    [
      { ...NO_FIGURES, taskMs: 650 },
      { ...NO_FIGURES, taskMs: 180_000 },
    ],
    [["Duration of the task"], ["3 min"], ["650 ms"]],
  ],
])("checks %s", async (_, generations, cells) => {
  const tail = probesTail(generations.map((generation) => ({ generation })));
  expect(probesOf(await probed(tail)).map((row) => row.slice(3, -1))).toEqual(cells);
});

test("twenty checks are shown, and those who do not see the table hear its name and reach it by keyboard", async () => {
  const html = await probed(probesTail(Array.from({ length: 30 }, (_, n) => ({ latencyMs: n }))));
  const rows = probesOf(html).slice(1);
  expect(rows).toHaveLength(20);
  expect([rows[0]?.[2], rows[19]?.[2]]).toEqual(["29 ms", "10 ms"]);
  expect(html).toContain('<div class="scroll" role="group" aria-label="Latest checks" tabindex="0">');
});

test("where checks of another monitor alone are stored the page says that there is no check", async () => {
  const html = await probed(probesTail([{}], "acme/chat"));
  expect(textOf(html)).toContain("No check of the last half hour has a published result.");
  expect(probesOf(html)).toEqual([]);
});

function note(hoursAgo: number, count: number, more: Partial<ModelNote> = {}): ModelNote {
  return { atMs: NOW_MS - hoursAgo * HOUR_MS, count, vanished: [], returned: [], ...more };
}
const notesTail = (...notes: ModelNote[]) => ({ modelNotes: { "acme/models": notes } });

test.each<[what: string, tail: Partial<SnapshotTail>, told: string]>([
  [
    "says when it changed, how many it had, and what went or came back, the newest first",
    notesTail(
      note(3, 41, { vanished: ["gpt-9", "gpt-10"] }),
      note(2, 42, { returned: ["gpt-9"] }),
      note(1, 1, { returned: ["gpt-10"], vanished: ["gpt-11"] }),
    ),
    "1 h ago: 1 model in the list. Gone: gpt-11. Back: gpt-10. " +
      "2 h ago: 42 models in the list. Back: gpt-9. " +
      "3 h ago: 41 models in the list. Gone: gpt-9, gpt-10.",
  ],
  ["that is not remembered has no changes to show", {}, ""],
])("a list of models %s", async (_, tail, told) => {
  const html = await probed(tail);
  expect(textOf(/<h3>Models<\/h3>(.*?)<p class="soft">No check/su.exec(html)?.[1] ?? "")).toBe(told);
  expect(html.includes("<h3>Models</h3>")).toBe(told !== "");
  expect(textOf(html)).toContain("Models listed 42");
});
