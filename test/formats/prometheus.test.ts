/** What /metrics says of each state; no word of a gateway or a configuration breaks the format. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CanaryDocument, MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import { asStale } from "../../src/http/published.ts";
import { HEALTHS } from "../../src/protocol/diagnosis.ts";
import { NOW_MS, SILENT_REGION, gatewayDocument, regionDocument, statusDocument } from "../http/documents.ts";
import {
  BLOCKED,
  DOWN,
  NEVER_PROBED,
  OF_HEALTH,
  PAUSED,
  STATES,
  canaryOf,
  everything,
  metricsOf,
  statusOf,
} from "./any-status.ts";
import { hostileTextOf } from "./hostile-text.ts";
import { type ReadFamily, readExposition } from "./strict-exposition.ts";

const M0 = { gateway: "acme", monitor: "acme/m0", kind: "models" };

function read(status: StatusDocument, nowMs = NOW_MS): ReadonlyMap<string, ReadFamily> {
  return readExposition(metricsOf(status, nowMs));
}

/** The values of one metric, each by its labels. */
function valuesOf(status: StatusDocument, name: string, nowMs = NOW_MS) {
  const samples = read(status, nowMs).get(name)?.samples ?? [];
  return samples.map(({ labels, value }) => Object.assign(labels, { value }));
}

/** The healths that are 1, by the monitor. */
function healthsOf(status: StatusDocument): Record<string, string[]> {
  const hot: Record<string, string[]> = {};
  for (const { labels, value } of read(status).get("gatepulse_monitor_health")?.samples ?? []) {
    const of = (hot[labels["monitor"] ?? ""] ??= []);
    if (value === 1) of.push(labels["health"] ?? "");
  }
  return hot;
}

test.each(Object.entries(STATES))(
  "%s: each series is told once, in the format to the letter",
  (_, status) => {
    const families = read(status);
    expect(families.get("gatepulse_stale")?.samples).toHaveLength(1);
    for (const { type } of families.values()) expect(type).toBe("gauge");
  },
);

test.each([
  ["up", 1],
  ["degraded", 1],
  ["down", 0],
  ["blocked", null],
  ["unknown", null],
] as const)("%s is that health alone, and its success is %j", (health, value) => {
  const status = statusOf(OF_HEALTH[health]);
  expect(valuesOf(status, "probe_success")).toEqual(value === null ? [] : [{ ...M0, value }]);
  expect(healthsOf(status)).toEqual({ "acme/m0": [health] });
  expect(valuesOf(status, "gatepulse_monitor_health").map((one) => one.health)).toEqual(HEALTHS);
});

test.each([
  ["never probed", statusOf(NEVER_PROBED)],
  ["paused", statusOf(PAUSED)],
  ["stale", asStale(statusOf({}))],
  ["stale, and its status is still the one before", { ...statusOf({}), stale: true }],
])("what is %s is unknown, and has no success", (_name, status) => {
  expect(read(status).has("probe_success")).toBe(false);
  expect(healthsOf(status)).toEqual({ "acme/m0": ["unknown"] });
});

test("while the checks have stopped the export says so, and measures nothing", () => {
  const families = read(asStale(everything()));
  expect(families.get("gatepulse_stale")?.samples[0]?.value).toBe(1);
  const own = "build_info stale last_tick_timestamp_seconds published_timestamp_seconds put_off_monitors";
  const gateways = "quarantined_records gateway_info gateway_maintenance incidents_open";
  const monitors = "health paused last_probe_timestamp_seconds next_probe_timestamp_seconds";
  expect([...families.keys()]).toEqual([
    ...`${own} ${gateways}`.split(" ").map((name) => `gatepulse_${name}`),
    ...monitors.split(" ").map((name) => `gatepulse_monitor_${name}`),
  ]);
});

const LATE_PROBE = { at: "2026-11-20T11:59:00.250Z", latencyMs: 90, attempts: 3, waitedMs: 2_450 };
const SLOW = { ...OF_HEALTH.degraded, lastProbe: LATE_PROBE };
const LATE_SECONDS = Date.UTC(2026, 10, 20, 11, 59) / 1000 + 0.25;
const ACT = { cause: "insufficient_balance", owner: "caller", turn: "us" };

/** Left out is an empty list. */
test.each<[string, Partial<MonitorDocument>, metric: string, readonly object[]]>([
  ["the duration is in seconds", {}, "probe_duration_seconds", [{ value: 0.812 }]],
  ["without an answer there is no duration", DOWN, "probe_duration_seconds", []],
  ["without an answer there is no status", DOWN, "probe_http_status_code", []],
  ["a blocked monitor tells its status", BLOCKED, "probe_http_status_code", [{ value: 402 }]],
  [
    "a blocked monitor tells its cause, and whose turn it is",
    BLOCKED,
    "gatepulse_monitor_diagnosis_info",
    [{ ...ACT, value: 1 }],
  ],
  ["attempts are told", SLOW, "gatepulse_monitor_last_probe_attempts", [{ value: 3 }]],
  ["waits are told", SLOW, "gatepulse_monitor_last_probe_wait_seconds", [{ value: 2.45 }]],
  [
    "the instant of the last probe is told",
    SLOW,
    "gatepulse_monitor_last_probe_timestamp_seconds",
    [{ value: LATE_SECONDS }],
  ],
  ["models are counted", SLOW, "gatepulse_monitor_models", [{ value: 42 }]],
  ["missing models are counted", SLOW, "gatepulse_monitor_missing_models", [{ value: 2 }]],
  ["a list that did not come misses no model", DOWN, "gatepulse_monitor_missing_models", []],
  [
    "uptime is a ratio, and a window without evidence is left out",
    {},
    "gatepulse_monitor_uptime_ratio",
    [
      { window: "24h", value: 0.9986 },
      { window: "7d", value: 1 },
    ],
  ],
  [
    "latency is told in seconds by percentile",
    {},
    "gatepulse_monitor_latency_seconds",
    [
      { percentile: "50", value: 0.5 },
      { percentile: "95", value: 0.9 },
      { percentile: "99", value: 1.2 },
    ],
  ],
  ["who was never probed has no latency", NEVER_PROBED, "gatepulse_monitor_latency_seconds", []],
])("%s", (_, monitor, metric, told) => {
  expect(valuesOf(statusOf(monitor), metric)).toEqual(told.map((one) => ({ ...M0, ...one })));
});

test("without published causes there is neither status nor cause nor missing model", () => {
  const hidden = read(statusOf({ ...DOWN, diagnosis: null }));
  for (const name of ["probe_http_status_code", "gatepulse_monitor_diagnosis_info"])
    expect(hidden.has(name)).toBe(false);
  expect(hidden.has("gatepulse_monitor_missing_models")).toBe(false);
  expect(hidden.get("probe_success")?.samples[0]?.value).toBe(0);
});

test("a paused monitor is told so, and has no next probe", () => {
  const status = statusOf(PAUSED, {});
  expect(valuesOf(status, "gatepulse_monitor_paused").map(({ value }) => value)).toEqual([1, 0]);
  const next = valuesOf(status, "gatepulse_monitor_next_probe_timestamp_seconds");
  expect(next).toEqual([{ ...M0, monitor: "acme/m1", value: NOW_MS / 1000 + 60 }]);
});

test("open incidents are counted by health, owner and cause; a calm gateway has a zero", () => {
  expect(valuesOf(everything(), "gatepulse_incidents_open")).toEqual([
    { gateway: "acme", health: "blocked", ...ACT, value: 2 },
    { gateway: "acme", health: "down", owner: "operator", turn: "operator", cause: "timeout", value: 1 },
    { health: "unknown", owner: "network", turn: "network", cause: "dns_failure", value: 1 },
    { gateway: "beta", value: 0 },
  ]);
});

test.each([
  ["not before it begins", ["beta"], NOW_MS - 1, [0, 0]],
  ["from its instant on, of whom it names", ["beta"], NOW_MS, [0, 1]],
  ["not from its end on", ["beta"], NOW_MS + 1_800_000, [0, 0]],
  ["of all where it names nobody", [], NOW_MS, [1, 1]],
])("maintenance is told %s", (_, ids, nowMs, values) => {
  const window = { from: "2026-11-20T12:00:00.000Z", to: "2026-11-20T12:30:00.000Z", title: "Move" };
  const gateways = [gatewayDocument(), gatewayDocument({ id: "beta", monitors: [] })];
  const status = statusDocument({ gateways, maintenance: [{ ...window, gateways: ids }] });
  const told = valuesOf(status, "gatepulse_gateway_maintenance", nowMs);
  expect(told.map(({ value }) => value)).toEqual(values);
});

test("the text does not change with the clock alone", () => {
  expect(metricsOf(statusOf({}), NOW_MS + 59_000)).toBe(metricsOf(statusOf({})));
});

test("a monitor has at most 23 series, a calm gateway 3, and Gatepulse itself 5, as documented", () => {
  const whole = statusOf({
    ...OF_HEALTH.degraded,
    missingModels: ["gpt-4o"],
    uptime: { "24h": 1, "7d": 1, "30d": 1, "90d": 1 },
  });
  const samples = [...read(whole).values()].flatMap((family) => family.samples);
  const counted = Object.groupBy(samples, ({ labels }) => labels["monitor"] ?? labels["gateway"] ?? "own");
  const counts = Object.entries(counted).map(([of, series = []]) => `${of} ${series.length}`);
  expect(counts).toEqual(["own 6", "acme 3", "acme/m0 23"]);
});

const OF_MONITORS = new Set(["gateway", "monitor", "kind", "model"]);

/** Series whose names begin so, by the rest of the name and their labels besides the monitor's. */
function seriesOf(status: StatusDocument, prefix: string): Record<string, number> {
  const samples = [...read(status).values()].flatMap((family) => family.samples);
  const named = samples.flatMap(({ name, labels: of, value }) => {
    const own = Object.entries(of).flatMap(([label, is]) => (OF_MONITORS.has(label) ? [] : [is]));
    return name.startsWith(prefix) ? [[[name.slice(prefix.length), ...own].join(" ").trim(), value]] : [];
  });
  return Object.fromEntries(named) as Record<string, number>;
}

describe("regions", () => {
  const regions = [
    regionDocument(),
    regionDocument({ region: "apac", status: "down", latency: null, uptime: { "24h": 0.25 } }),
    SILENT_REGION,
  ];
  const told = (more: Partial<MonitorDocument>, name: string) =>
    seriesOf(statusOf({ ...more, regions }), `gatepulse_region_${name}`);
  const hot = (more: Partial<MonitorDocument>) =>
    Object.entries(told(more, "health")).flatMap(([name, value]) => (value === 1 ? [name] : []));

  test("each region has a health, and of what it did not tell there is no series", () => {
    expect(hot({})).toEqual(["weur up", "apac down", "oc unknown"]);
    expect(told({}, "probe_duration_seconds")).toEqual({ weur: 0.245, apac: 0.245 });
    expect(told({}, "uptime_ratio")).toEqual({ "weur 24h": 0.9986, "apac 24h": 0.25 });
    expect(told({}, "latency_seconds")).toEqual({ "weur 50": 0.24, "weur 95": 0.38, "weur 99": 0.512 });
  });

  test("the monitor's own series have no region, and a region has at most 11 series, as documented", () => {
    const families = read(statusOf({ regions }));
    expect(families.get("probe_success")?.samples).toHaveLength(1);
    const own = [...families].filter(([name]) => !name.startsWith("gatepulse_region_"));
    expect(own.flatMap(([, { samples }]) => samples).filter((sample) => "region" in sample.labels)).toEqual(
      [],
    );
    const samples = [...families.values()].flatMap((family) => family.samples);
    const counts = Object.groupBy(samples, (sample) => sample.labels["region"] ?? "none");
    expect(["weur", "apac", "oc"].map((region) => counts[region]?.length)).toEqual([11, 8, 5]);
  });

  test("where a person paused the monitor nothing is claimed from any region", () => {
    expect(hot(PAUSED)).toEqual(["weur unknown", "apac unknown", "oc unknown"]);
    expect(told(PAUSED, "probe_duration_seconds")).toEqual({});
  });
});

describe("canaries", () => {
  const told = (canary: Partial<CanaryDocument>, monitor: Partial<MonitorDocument> = {}) =>
    seriesOf(statusOf({ kind: "chat", ...monitor, canary: canaryOf(canary) }), "gatepulse_canary_");

  test("an audit tells how many answers are right, and how likely that is", () => {
    const comparisons = [
      { from: "reference", right: 80, asked: 84, p: 0.000_02 },
      { from: "past", right: 600, asked: 636, p: 0.4 },
    ] as const;
    expect(told({ audit: { right: 63, asked: 84, comparisons, differsSince: null } })).toMatchObject({
      audit_right_ratio: 0.75,
      "audit_p_value reference": 0.000_02,
      "audit_p_value past": 0.4,
      audit_differs: 0,
    });
  });

  test("one that tells all it can has 30 series more, as documented", () => {
    const all = told({});
    expect(all).toEqual({
      requests_today: 16,
      requests_per_day_limit: 48,
      input_tokens_today: 192,
      output_tokens_today: 256,
      "cost_today USD": 0.0042,
      "skipped cap": 0,
      "skipped gateway": 0,
      "skipped unlisted": 0,
      listed: 1,
      "served_info gpt-4o-2024-08-06 fp_1": 1,
      served_since_timestamp_seconds: Date.UTC(2026, 10, 20, 8) / 1000,
      served_differing: 0,
      task_open: 0,
      audit_right_ratio: 80 / 84,
      "audit_p_value past": 0.25,
      audit_differs: 0,
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
    expect(Object.keys(all)).toHaveLength(30);
  });

  const UNKNOWN = { figures: null, firstTokenMs: null, taskMs: null, tokensPerSecond: null };
  const UNPRICED = { ...canaryOf().today, perDay: null, cost: null, currency: null };
  const NOTHING = { ...UNKNOWN, listed: null, today: UNPRICED, balance: null, warnBelow: null };
  const OLD_FIGURES = ["last_first_token_seconds", "last_tokens_per_second", "balance"];
  const OF_GENERATIONS = ["input_tokens_today", "output_tokens_today", "cost_today USD", "task_open"];
  const SPENT = { requests_today: 16, "first_token_seconds 50": 0.398 };
  const TIMES = { createdAt: "2026-11-20T11:58:00.000Z", deadline: "2026-11-20T12:08:00.500Z" };
  const TASK = {
    task_open: 1,
    task_created_timestamp_seconds: Date.UTC(2026, 10, 20, 11, 58) / 1000,
    task_deadline_timestamp_seconds: Date.UTC(2026, 10, 20, 12, 8) / 1000 + 0.5,
  };
  const skipped = (reason: "cap" | "gateway" | "unlisted") => ({
    skipped: { reason, cause: null, since: "2026-11-20T11:00:00.000Z" },
  });
  const skips = (cap: number, gateway: number, unlisted: number) => {
    return { "skipped cap": cap, "skipped gateway": gateway, "skipped unlisted": unlisted };
  };

  test.each<
    [string, Partial<CanaryDocument>, Partial<MonitorDocument>, Record<string, number>, left?: string[]]
  >([
    [
      "what generates nothing takes no tokens, and has neither cost nor task",
      { generates: false, listed: null },
      {},
      { requests_today: 16, balance: 3.5, balance_warn_limit: 5 },
      OF_GENERATIONS,
    ],
    [
      "no prices, no limit, no list, no figures, no balance: what is not known is left out",
      NOTHING,
      {},
      { input_tokens_today: 192, ...skips(0, 0, 0) },
      [...OLD_FIGURES, "requests_per_day_limit", "cost_today USD", "listed", "balance_warn_limit"],
    ],
    ["what the last probe told is old while it is unknown", {}, OF_HEALTH.unknown, SPENT, OLD_FIGURES],
    ["what the last probe told is old while it is paused", {}, PAUSED, SPENT, OLD_FIGURES],
    ["serving and not listed: up, and listed is 0", { listed: false }, {}, { listed: 0 }],
    ["skipped for the cap", skipped("cap"), OF_HEALTH.unknown, skips(1, 0, 0)],
    ["skipped for the gateway", skipped("gateway"), OF_HEALTH.unknown, skips(0, 1, 0)],
    ["skipped for it is not listed", skipped("unlisted"), OF_HEALTH.unknown, skips(0, 0, 1)],
    [
      "what answers call the model",
      { served: { model: "gpt-4o", fingerprint: null, since: TIMES.createdAt, differing: 2, changes: [] } },
      {},
      {
        "served_info gpt-4o": 1,
        served_since_timestamp_seconds: TASK.task_created_timestamp_seconds,
        served_differing: 2,
      },
    ],
    ["an open task has its times", { task: { id: "t", state: "rendering", ...TIMES } }, {}, TASK],
  ])("%s", (_, canary, monitor, values, left = []) => {
    const all = told(canary, monitor);
    expect(all).toMatchObject(values);
    expect(left.filter((name) => name in all)).toEqual([]);
  });
});

const SIGNS = ["\\", '"', "\n", "\\n", '\\"', ",", "\r\n", "\0", "\ud800", "😀", "\u001b[31m"];
const FORGED = ['"} 1\nprobe_success{monitor="forged"} 1\n', "\n# TYPE probe_success counter\n"];
const hostileText = hostileTextOf([...SIGNS, ...FORGED], 5);

/** Every text that is not one of ours. */
function hostileStatus(text: string): StatusDocument {
  const status = everything();
  for (const gateway of status.gateways) {
    Object.assign(gateway, { name: text, endpoint: text });
    for (const monitor of gateway.monitors) {
      const { diagnosis, canary } = monitor;
      Object.assign(monitor, { kind: text, model: text, missingModels: [text] });
      if (canary) Object.assign(canary.today, { currency: text, day: text });
      if (diagnosis !== null)
        Object.assign(monitor, { diagnosis: { ...diagnosis, message: text, errorCode: text, advice: text } });
    }
  }
  const maintenance = [{ gateways: [text], from: "2026-11-20T11:00:00.000Z", to: text, title: text }];
  return { ...status, title: text, notice: text, maintenance };
}

/** The numbers of series by metric. */
function census(status: StatusDocument): Record<string, number> {
  const families = readExposition(metricsOf(status));
  return Object.fromEntries([...families].map(([name, { samples }]) => [name, samples.length]));
}

test("any words give the series of a harmless status, and are read back", () => {
  const harmless = census(hostileStatus("words"));
  fc.assert(
    fc.property(hostileText, (text) => {
      const status = hostileStatus(text);
      expect(census(status)).toEqual(harmless);
      const families = readExposition(metricsOf(status));
      const names = families.get("gatepulse_gateway_info")?.samples.map((sample) => sample.labels["name"]);
      expect(names).toEqual([text.toWellFormed(), text.toWellFormed()]);
      for (const sample of families.get("gatepulse_monitor_health")?.samples ?? []) {
        expect([sample.labels["kind"], sample.labels["model"]]).toEqual([
          text.toWellFormed(),
          text.toWellFormed(),
        ]);
      }
    }),
  );
});

test("a gateway's messages, codes and advice are in no metric", () => {
  const status = hostileStatus("words");
  const monitors = status.gateways.flatMap((gateway) => gateway.monitors);
  for (const monitor of monitors) {
    if (monitor.diagnosis)
      Object.assign(monitor.diagnosis, { message: "SAID", errorCode: "SAID", requestId: "SAID" });
    if (monitor.canary?.task) Object.assign(monitor.canary.task, { id: "SAID", state: "SAID" });
  }
  expect(monitors.filter(({ diagnosis }) => diagnosis !== null).length).toBeGreaterThan(3);
  expect(monitors.filter(({ canary }) => canary?.task?.id === "SAID")).toHaveLength(1);
  expect(metricsOf(status)).not.toContain("SAID");
});
