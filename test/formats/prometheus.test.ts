/** What /metrics says of each state. */
import { describe, expect, test } from "vitest";
import { prometheusMetrics } from "../../src/formats/prometheus.ts";
import type { StatusDocument } from "../../src/history/documents.ts";
import { asStale } from "../../src/http/staleness.ts";
import { HEALTHS } from "../../src/protocol/diagnosis.ts";
import { gatewayDocument, NOW_MS, statusDocument } from "../http/published-status.ts";
import {
  BLOCKED,
  DOWN,
  everything,
  NEVER_PROBED,
  OF_HEALTH,
  PAUSED,
  STATES,
  statusOf,
  metricsOf,
} from "./any-status.ts";
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
  (_name, status) => {
    const families = read(status);
    expect(families.get("gatepulse_stale")?.samples).toHaveLength(1);
    for (const { type } of families.values()) expect(type).toBe("gauge");
  },
);

describe("probe_success", () => {
  test.each([
    ["up", 1],
    ["degraded", 1],
    ["down", 0],
  ] as const)("%s is %i", (health, value) => {
    expect(valuesOf(statusOf(OF_HEALTH[health]), "probe_success")).toEqual([{ ...M0, value }]);
  });

  test.each([
    ["blocked", statusOf(BLOCKED)],
    ["unknown", statusOf(OF_HEALTH.unknown)],
    ["never probed", statusOf(NEVER_PROBED)],
    ["paused", statusOf(PAUSED)],
    ["stale", asStale(statusOf({}))],
    ["stale, and its status is still the one before", { ...statusOf({}), stale: true }],
  ])("%s: it is left out", (_name, status) => {
    expect(read(status).has("probe_success")).toBe(false);
  });

  test("one that nobody knows hides no other", () => {
    const status = statusOf(BLOCKED, {}, DOWN, PAUSED);
    expect(valuesOf(status, "probe_success").map(({ value }) => value)).toEqual([1, 0]);
  });
});

describe("health", () => {
  test.each(HEALTHS)("%s is 1, and the others 0", (health) => {
    const status = statusOf(OF_HEALTH[health]);
    expect(healthsOf(status)).toEqual({ "acme/m0": [health] });
    expect(valuesOf(status, "gatepulse_monitor_health").map((one) => one.health)).toEqual(HEALTHS);
  });

  test("paused and stale monitors are unknown, whatever was seen of them last", () => {
    expect(healthsOf(statusOf(PAUSED))).toEqual({ "acme/m0": ["unknown"] });
    expect(healthsOf({ ...statusOf({}), stale: true })).toEqual({ "acme/m0": ["unknown"] });
    expect(new Set(Object.values(healthsOf(asStale(everything()))).flat())).toEqual(new Set(["unknown"]));
  });
});

describe("while the checks have stopped", () => {
  test("the export says so, and measures nothing", () => {
    const families = read(asStale(everything()));
    expect(families.get("gatepulse_stale")?.samples[0]?.value).toBe(1);
    expect([...families.keys()]).toEqual([
      "gatepulse_build_info",
      "gatepulse_stale",
      "gatepulse_last_tick_timestamp_seconds",
      "gatepulse_published_timestamp_seconds",
      "gatepulse_put_off_monitors",
      "gatepulse_quarantined_records",
      "gatepulse_gateway_info",
      "gatepulse_gateway_maintenance",
      "gatepulse_incidents_open",
      "gatepulse_monitor_health",
      "gatepulse_monitor_paused",
      "gatepulse_monitor_last_probe_timestamp_seconds",
      "gatepulse_monitor_next_probe_timestamp_seconds",
    ]);
  });

  test("the last tick is told; without any there is none", () => {
    const tick = "gatepulse_last_tick_timestamp_seconds";
    expect(valuesOf(asStale(everything()), tick)).toEqual([{ value: NOW_MS / 1000 }]);
    expect(read(statusDocument({ lastTickAt: null })).has(tick)).toBe(false);
  });
});

describe("what a probe saw", () => {
  test("the duration is in seconds, and left out where no answer came", () => {
    const status = statusOf({}, DOWN);
    expect(valuesOf(status, "probe_duration_seconds")).toEqual([{ ...M0, value: 0.812 }]);
  });

  test("a blocked monitor tells its status, cause and owner: 402, and the caller must act", () => {
    const status = statusOf(BLOCKED);
    expect(valuesOf(status, "probe_http_status_code")).toEqual([{ ...M0, value: 402 }]);
    expect(valuesOf(status, "gatepulse_monitor_diagnosis_info")).toEqual([
      { ...M0, cause: "insufficient_balance", owner: "caller", value: 1 },
    ]);
  });

  test("without an answer there is no status, and without published causes neither status nor cause", () => {
    expect(read(statusOf(DOWN)).has("probe_http_status_code")).toBe(false);
    const hidden = read(statusOf({ ...DOWN, diagnosis: null }));
    expect(hidden.has("probe_http_status_code")).toBe(false);
    expect(hidden.has("gatepulse_monitor_diagnosis_info")).toBe(false);
    expect(hidden.has("gatepulse_monitor_missing_models")).toBe(false);
    expect(hidden.get("probe_success")?.samples[0]?.value).toBe(0);
  });

  test("attempts, waits, models and missing models are told", () => {
    const status = statusOf({
      ...OF_HEALTH.degraded,
      lastProbe: { at: "2026-11-20T11:59:00.250Z", latencyMs: 90, attempts: 3, waitedMs: 2_450 },
    });
    const values = ["attempts", "wait_seconds", "timestamp_seconds"].map(
      (what) => valuesOf(status, `gatepulse_monitor_last_probe_${what}`)[0]?.value,
    );
    expect(values).toEqual([3, 2.45, Date.UTC(2026, 10, 20, 11, 59) / 1000 + 0.25]);
    expect(valuesOf(status, "gatepulse_monitor_models")[0]?.value).toBe(42);
    expect(valuesOf(status, "gatepulse_monitor_missing_models")[0]?.value).toBe(2);
  });

  test("a list that did not come misses no model", () => {
    expect(read(statusOf(DOWN)).has("gatepulse_monitor_missing_models")).toBe(false);
  });

  test("a canary has its model as a label, and a list has none", () => {
    const status = statusOf({ kind: "chat", model: "gpt-4o-mini" }, {});
    expect(valuesOf(status, "probe_success").map(({ kind, model }) => [kind, model])).toEqual([
      ["chat", "gpt-4o-mini"],
      ["models", undefined],
    ]);
  });

  test("a paused monitor is told so, and has no next probe", () => {
    const status = statusOf(PAUSED, {});
    expect(valuesOf(status, "gatepulse_monitor_paused").map(({ value }) => value)).toEqual([1, 0]);
    const next = valuesOf(status, "gatepulse_monitor_next_probe_timestamp_seconds");
    expect(next).toEqual([{ ...M0, monitor: "acme/m1", value: NOW_MS / 1000 + 60 }]);
  });
});

describe("windows of time", () => {
  test("uptime is a ratio, and a window without evidence is left out", () => {
    expect(valuesOf(statusOf({}), "gatepulse_monitor_uptime_ratio")).toEqual([
      { ...M0, window: "24h", value: 0.9986 },
      { ...M0, window: "7d", value: 1 },
    ]);
  });

  test("latency is told in seconds by percentile", () => {
    expect(valuesOf(statusOf({}), "gatepulse_monitor_latency_seconds")).toEqual([
      { ...M0, percentile: "50", value: 0.5 },
      { ...M0, percentile: "95", value: 0.9 },
      { ...M0, percentile: "99", value: 1.2 },
    ]);
    expect(read(statusOf(NEVER_PROBED)).has("gatepulse_monitor_latency_seconds")).toBe(false);
  });
});

describe("gateways", () => {
  test("open incidents are counted by health, owner and cause; a calm gateway has a zero", () => {
    expect(valuesOf(everything(), "gatepulse_incidents_open")).toEqual([
      { gateway: "acme", health: "blocked", owner: "caller", cause: "insufficient_balance", value: 2 },
      { gateway: "acme", health: "down", owner: "operator", cause: "timeout", value: 1 },
      { health: "unknown", owner: "network", cause: "dns_failure", value: 1 },
      { gateway: "beta", value: 0 },
    ]);
  });

  test("maintenance begins and ends at its instants, and concerns whom it names", () => {
    const window = { from: "2026-11-20T12:00:00.000Z", to: "2026-11-20T12:30:00.000Z", title: "Move" };
    const gateways = [gatewayDocument(), gatewayDocument({ id: "beta", monitors: [] })];
    const during = (ids: string[], nowMs: number) =>
      valuesOf(
        statusDocument({ gateways, maintenance: [{ ...window, gateways: ids }] }),
        "gatepulse_gateway_maintenance",
        nowMs,
      ).map(({ value }) => value);
    expect(during(["beta"], NOW_MS - 1)).toEqual([0, 0]);
    expect(during(["beta"], NOW_MS)).toEqual([0, 1]);
    expect(during(["beta"], NOW_MS + 1_800_000)).toEqual([0, 0]);
    expect(during([], NOW_MS)).toEqual([1, 1]);
  });

  test("the name of a gateway is a label of one series", () => {
    expect(valuesOf(statusOf({}), "gatepulse_gateway_info")).toEqual([
      { gateway: "acme", name: "Acme", value: 1 },
    ]);
  });
});

test("the text does not change with the clock alone", () => {
  expect(prometheusMetrics(statusOf({}), { nowMs: NOW_MS + 59_000, version: "1.2.3", quarantined: 0 })).toBe(
    metricsOf(statusOf({})),
  );
});

test("a monitor has at most 23 series, a calm gateway 3, and Gatepulse itself 5, as documented", () => {
  const whole = statusOf({
    ...OF_HEALTH.degraded,
    missingModels: ["gpt-4o"],
    uptime: { "24h": 1, "7d": 1, "30d": 1, "90d": 1 },
  });
  const samples = [...read(whole).values()].flatMap((family) => family.samples);
  const counted = Object.groupBy(samples, ({ labels }) => labels["monitor"] ?? labels["gateway"] ?? "own");
  expect(Object.entries(counted).map(([of, series = []]) => [of, series.length])).toEqual([
    ["own", 6],
    ["acme", 3],
    ["acme/m0", 23],
  ]);
});
