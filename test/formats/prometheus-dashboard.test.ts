/** docs/grafana-dashboard.json asks for what is exported, and can be imported. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EXPORTED, LABELS, namesIn } from "./prometheus-names.ts";

type Target = { expr: string; legendFormat?: string; refId: string; datasource: unknown };
type Steps = { readonly color: string; readonly value: number | null }[];
type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource: unknown;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly Target[];
  readonly fieldConfig: { readonly defaults: { readonly thresholds?: { readonly steps: Steps } } };
};
type Variable = { readonly name: string; readonly datasource: unknown; readonly query: { query: string } };
type Dashboard = {
  readonly __inputs: readonly Record<string, string>[];
  readonly __requires: readonly { readonly type: string; readonly id: string }[];
  readonly id: null;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly Variable[] };
};

const TEXT = readFileSync(new URL("../../docs/grafana-dashboard.json", import.meta.url), "utf8");
const DASHBOARD = JSON.parse(TEXT) as Dashboard;
const TARGETS = DASHBOARD.panels.flatMap(({ title, targets }) =>
  targets.map((target) => ({ title, ...target })),
);
const VARIABLES = DASHBOARD.templating.list;
const SOURCE = { type: "prometheus", uid: "${DS_PROMETHEUS}" };

describe("its queries", () => {
  test.each(TARGETS)("$title, $refId: metrics and labels are exported", ({ expr, legendFormat = "" }) => {
    const { metrics, labels } = namesIn(expr);
    expect(metrics.length).toBeGreaterThan(0);
    for (const metric of metrics) expect([...EXPORTED.keys()]).toContain(metric);
    const legend = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
    for (const label of [...labels, ...legend]) expect([...LABELS]).toContain(label);
    for (const [, variable] of expr.matchAll(/\$(\w+)/g))
      expect(VARIABLES.map(({ name }) => name)).toContain(variable);
  });

  test.each(VARIABLES)("the variable $name lists a label that is exported", ({ query: { query } }) => {
    const [, selector = "", label = ""] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
    const [metric = ""] = namesIn(selector).metrics;
    expect([...(EXPORTED.get(metric) ?? [])]).toContain(label);
  });

  test("every metric that tells of monitors is shown", () => {
    const asked = new Set(TARGETS.flatMap(({ expr }) => namesIn(expr).metrics));
    // It is for rules of one's own: the panels show health, which says more.
    const left = [...EXPORTED.keys()].filter((name) => !asked.has(name));
    expect(left).toEqual([
      "gatepulse_build_info",
      "gatepulse_published_timestamp_seconds",
      "gatepulse_put_off_monitors",
      "gatepulse_gateway_info",
      "probe_success",
      // Few gateways have regions: one panel has room for how they see it, and one for how long it takes.
      "gatepulse_region_last_probe_timestamp_seconds",
      "gatepulse_region_latency_seconds",
      "gatepulse_region_uptime_ratio",
    ]);
  });
});

describe("an import", () => {
  test("asks for the data source, and all panels and variables use the answer", () => {
    expect(DASHBOARD.__inputs).toEqual([
      expect.objectContaining({ name: "DS_PROMETHEUS", type: "datasource", pluginId: "prometheus" }),
    ]);
    expect(DASHBOARD.id).toBeNull();
    for (const { datasource } of [...DASHBOARD.panels, ...TARGETS, ...VARIABLES])
      expect(datasource).toEqual(SOURCE);
  });
});
