/** What /metrics says of regions. */
import { expect, test } from "vitest";
import { prometheusMetrics } from "../../src/formats/prometheus.ts";
import type { MonitorDocument } from "../../src/history/documents.ts";
import { NOW_MS, regionDocument, SILENT_REGION } from "../http/published-status.ts";
import { PAUSED, statusOf, metricsOf } from "./any-status.ts";
import { readExposition } from "./strict-exposition.ts";

const regions = [
  regionDocument(),
  regionDocument({ region: "apac", status: "down", latency: null, uptime: { "24h": 0.25 } }),
  SILENT_REGION,
];

function told(more: Partial<MonitorDocument>, name: string): Record<string, number> {
  const families = readExposition(metricsOf(statusOf(more)));
  const samples = families.get(`gatepulse_region_${name}`)?.samples ?? [];
  return Object.fromEntries(
    samples.map(({ labels: { region, health, percentile }, value }) => [
      [region, health, percentile].filter((label) => label !== undefined).join(" "),
      value,
    ]),
  );
}

test("each region has a health, and of what it did not tell there is no series", () => {
  const healths = Object.entries(told({ regions }, "health")).filter(([, value]) => value === 1);
  expect(healths.map(([name]) => name)).toEqual(["weur up", "apac down", "oc unknown"]);
  expect(told({ regions }, "probe_duration_seconds")).toEqual({ weur: 0.245, apac: 0.245 });
  expect(told({ regions }, "uptime_ratio")).toEqual({ weur: 0.9986, apac: 0.25 });
  expect(told({ regions }, "latency_seconds")).toEqual({
    "weur 50": 0.24,
    "weur 95": 0.38,
    "weur 99": 0.512,
  });
});

test("the monitor's own series have no region, so that a sum counts it once", () => {
  const families = readExposition(
    prometheusMetrics(statusOf({ regions }), { nowMs: NOW_MS, version: "1", quarantined: 0 }),
  );
  const own = [...families].filter(([name]) => !name.startsWith("gatepulse_region_"));
  expect(own.flatMap(([, { samples }]) => samples).filter(({ labels }) => "region" in labels)).toEqual([]);
  expect(families.get("probe_success")?.samples).toHaveLength(1);
});

test("where a person paused the monitor nothing is claimed from any region", () => {
  const healths = Object.entries(told({ ...PAUSED, regions }, "health")).filter(([, value]) => value === 1);
  expect(healths.map(([name]) => name)).toEqual(["weur unknown", "apac unknown", "oc unknown"]);
  expect(told({ ...PAUSED, regions }, "probe_duration_seconds")).toEqual({});
});

test("a region has at most 11 series, as documented", () => {
  const families = readExposition(
    prometheusMetrics(statusOf({ regions }), { nowMs: NOW_MS, version: "1", quarantined: 0 }),
  );
  const samples = [...families.values()].flatMap((family) => family.samples);
  const counts = Object.groupBy(samples, ({ labels }) => labels["region"] ?? "none");
  expect([counts["weur"]?.length, counts["apac"]?.length, counts["oc"]?.length]).toEqual([11, 8, 5]);
});
