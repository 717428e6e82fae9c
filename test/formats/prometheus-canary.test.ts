/** What /metrics says of canaries. */
import { expect, test } from "vitest";
import type { CanaryDocument, MonitorDocument } from "../../src/history/documents.ts";
import { asStale } from "../../src/http/published.ts";
import { canaryOf, everything, OF_HEALTH, PAUSED, statusOf, metricsOf } from "./any-status.ts";
import { readExposition } from "./strict-exposition.ts";

type Told = Readonly<Record<string, number>>;

/** By name and own labels, the values of all metrics of the one canary. */
function told(canary: Partial<CanaryDocument>, monitor: Partial<MonitorDocument> = {}): Told {
  return valuesOf(statusOf({ kind: "chat", model: "gpt-4o-mini", ...monitor, canary: canaryOf(canary) }));
}

function valuesOf(status: ReturnType<typeof statusOf>): Told {
  const families = readExposition(metricsOf(status));
  const samples = [...families.values()].flatMap((family) => family.samples);
  const own = samples.filter(({ name }) => name.startsWith("gatepulse_canary_"));
  const labelled = own.map(({ name, labels, value }) => {
    const others = Object.entries(labels).flatMap(([label, of]) => (OF_MONITORS.has(label) ? [] : [of]));
    return [`${name.slice(17)} ${others.join()}`.trim(), value];
  });
  return Object.fromEntries(labelled) as Told;
}

const OF_MONITORS = new Set(["gateway", "monitor", "kind", "model"]);

test("a canary that tells all it can has 24 series more, and 26 with an open task, as documented", () => {
  expect(told({})).toEqual({
    requests_today: 16,
    requests_per_day_limit: 48,
    input_tokens_today: 192,
    output_tokens_today: 256,
    "cost_today USD": 0.0042,
    "skipped cap": 0,
    "skipped gateway": 0,
    "skipped unlisted": 0,
    listed: 1,
    task_open: 0,
    balance_warn_limit: 5,
    last_first_token_seconds: 0.412,
    last_task_seconds: 61,
    last_tokens_per_second: 19.95,
    balance: 3.5,
    "first_token_seconds 50": 0.398,
    "first_token_seconds 95": 0.701,
    "first_token_seconds 99": 0.94,
    "task_seconds 50": 60,
    "task_seconds 95": 120,
    "task_seconds 99": 180,
    "tokens_per_second 50": 20.4,
    "tokens_per_second 95": 11.2,
    "tokens_per_second 99": 9.87,
  });
  expect(Object.keys(told({}))).toHaveLength(24);
});

test("no prices, no limit, no list, no figures, no balance: what is not known is left out", () => {
  const today = { ...canaryOf().today, perDay: null, cost: null, currency: null };
  const unknown = { figures: null, firstTokenMs: null, taskMs: null, tokensPerSecond: null };
  const bare = told({ listed: null, today, ...unknown, balance: null, warnBelow: null });
  const skips = ["skipped cap", "skipped gateway", "skipped unlisted"];
  const taken = ["requests_today", "input_tokens_today", "output_tokens_today"];
  expect(Object.keys(bare)).toEqual([...taken, ...skips, "task_open"]);
});

const OLD_FIGURES = ["last_first_token_seconds", "last_tokens_per_second", "balance"];
const OF_GENERATIONS = ["input_tokens_today", "output_tokens_today", "cost_today USD", "task_open"];
const SPENT = { requests_today: 16, "first_token_seconds 50": 0.398 };

test.each<[string, Partial<CanaryDocument>, Partial<MonitorDocument>, Told, readonly string[]]>([
  [
    "what generates nothing takes no tokens, and has neither cost nor task",
    { generates: false, listed: null },
    {},
    { requests_today: 16, balance: 3.5, balance_warn_limit: 5 },
    OF_GENERATIONS,
  ],
  ["what the last probe told is old while it is unknown", {}, OF_HEALTH.unknown, SPENT, OLD_FIGURES],
  ["what the last probe told is old while it is paused", {}, PAUSED, SPENT, OLD_FIGURES],
  ["serving and not listed: up, and listed is 0", { listed: false }, {}, { listed: 0 }, []],
])("%s", (_, canary, monitor, values, left) => {
  const read = told(canary, monitor);
  expect(read).toMatchObject(values);
  expect(left.filter((name) => name in read)).toEqual([]);
});

test("while the checks have stopped there is nothing of canaries: today may be another day", () => {
  expect(valuesOf(asStale(everything()))).toEqual({});
  expect(valuesOf({ ...statusOf({ canary: canaryOf() }), stale: true })).toEqual({});
});

test.each([
  ["cap", [1, 0, 0]],
  ["gateway", [0, 1, 0]],
  ["unlisted", [0, 0, 1]],
] as const)("skipped for the %s: that reason is 1, and the others 0", (reason, [cap, gateway, unlisted]) => {
  const skipped = { reason, cause: null, since: "2026-11-20T11:00:00.000Z" };
  const skips = { "skipped cap": cap, "skipped gateway": gateway, "skipped unlisted": unlisted };
  expect(told({ skipped }, OF_HEALTH.unknown)).toMatchObject(skips);
});

test("an open task tells when it was created and when it has stalled, and neither its id nor its state", () => {
  const times = { createdAt: "2026-11-20T11:58:00.000Z", deadline: "2026-11-20T12:08:00.500Z" };
  const task = { id: "task_1", state: "rendering", ...times };
  const values = told({ task });
  expect(Object.keys(values)).toHaveLength(26);
  expect(values).toMatchObject({
    task_open: 1,
    task_created_timestamp_seconds: Date.UTC(2026, 10, 20, 11, 58) / 1000,
    task_deadline_timestamp_seconds: Date.UTC(2026, 10, 20, 12, 8) / 1000 + 0.5,
  });
  const text = metricsOf(statusOf({ canary: canaryOf({ task }) }));
  expect(text).not.toMatch(/task_1|rendering/);
});
