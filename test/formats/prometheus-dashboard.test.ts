/** docs/grafana-dashboard.json asks for what is exported, and can be imported. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXPORTED, LABELS, namesIn } from "./prometheus-names.ts";

type Target = { expr: string; legendFormat?: string; refId: string; datasource: unknown };
type Panel = { title: string; datasource: unknown; targets: readonly Target[] };
type Variable = { name: string; datasource: unknown; query: { query: string } };
type Dashboard = {
  id: null;
  __inputs: unknown;
  panels: readonly Panel[];
  templating: { list: readonly Variable[] };
};

const TEXT = readFileSync(new URL("../../docs/grafana-dashboard.json", import.meta.url), "utf8");
const DASHBOARD = JSON.parse(TEXT) as Dashboard;
const TARGETS = DASHBOARD.panels.flatMap(({ title, targets }) =>
  targets.map((target) => ({ title, ...target })),
);
const VARIABLES = DASHBOARD.templating.list;

test.each(TARGETS)("$title, $refId: its metrics and labels are exported", ({ expr, legendFormat = "" }) => {
  const { metrics, labels } = namesIn(expr);
  expect(metrics.length).toBeGreaterThan(0);
  const legend = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
  expect([...EXPORTED.keys()]).toEqual(expect.arrayContaining(metrics));
  expect([...LABELS]).toEqual(expect.arrayContaining([...labels, ...legend]));
  const asked = [...expr.matchAll(/\$(\w+)/g)].map(([, variable]) => variable);
  expect(VARIABLES.map(({ name }) => name)).toEqual(expect.arrayContaining(asked));
});

test.each(VARIABLES)("the variable $name lists a label that is exported", ({ query: { query } }) => {
  const [, selector = "", label = ""] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
  expect([...(EXPORTED.get(namesIn(selector).metrics[0] ?? "") ?? [])]).toContain(label);
});

test("an import asks for the data source, and all panels and variables use the answer", () => {
  const input = { name: "DS_PROMETHEUS", type: "datasource", pluginId: "prometheus" };
  expect(DASHBOARD).toMatchObject({ id: null, __inputs: [input] });
  for (const { datasource } of [...DASHBOARD.panels, ...TARGETS, ...VARIABLES])
    expect(datasource).toEqual({ type: "prometheus", uid: "${DS_PROMETHEUS}" });
});

test("every metric is shown, but those for rules of your own and the details of regions", () => {
  const shown = new Set(TARGETS.flatMap(({ expr }) => namesIn(expr).metrics));
  const left = [...EXPORTED.keys()].filter((name) => !shown.has(name)).toSorted();
  expect(left).toEqual([
    "gatepulse_build_info",
    "gatepulse_gateway_info",
    "gatepulse_published_timestamp_seconds",
    "gatepulse_put_off_monitors",
    "gatepulse_region_last_probe_timestamp_seconds",
    "gatepulse_region_latency_seconds",
    "gatepulse_region_uptime_ratio",
    "probe_success",
  ]);
});
