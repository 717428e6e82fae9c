/**
 * The rules, the routes, the dashboard and the documentation ask for what is exported. Debian's promtool and amtool judge
 * them; that is skipped where they are not installed (`apt-get install prometheus prometheus-alertmanager`).
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { metricsPieces } from "../../src/formats/prometheus.ts";
import { NOW_MS } from "../http/documents.ts";
import { STATES, everything, metricsOf } from "./any-status.ts";
import { readExposition } from "./strict-exposition.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const RULES = join(ROOT, "docs/prometheus-rules.yml");
const RULES_TEST = join(ROOT, "test/formats/prometheus-rules.yml");
const INTEGRATIONS = readFileSync(join(ROOT, "docs/integrations.md"), "utf8");
const hasPromtool = isInstalled("promtool", "prometheus");
const hasAmtool = isInstalled("amtool", "prometheus-alertmanager");

const FAMILIES = readExposition(
  [
    ...metricsPieces(
      { ...everything(), gaps: [{ shard: 1, reason: "outage" }] },
      { nowMs: NOW_MS, version: "1.2.3", quarantined: 0, shards: { count: 3, late: 1, lost: 2 } },
    ),
  ].join(""),
);

/** By the metrics' names, the labels that their series can have. */
const EXPORTED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...FAMILIES].map(([name, { samples }]) => [
    name,
    new Set(samples.flatMap((of) => Object.keys(of.labels))),
  ]),
);

/** Those that Prometheus adds. */
const SCRAPED = ["job", "instance"];
const LABELS: ReadonlySet<string> = new Set([
  ...SCRAPED,
  ...[...EXPORTED.values()].flatMap((labels) => Array.from(labels)),
]);

/** Those that a query, or a file of rules, names: metrics of ours, and labels in matchers and in `by`, `on` and their like. */
function namesIn(text: string): { readonly metrics: string[]; readonly labels: string[] } {
  const clauses = text.matchAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g);
  const grouped = [...clauses].flatMap(([, list = ""]) => list.match(/\w+/g) ?? []);
  const matchers = [...text.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = ""]) => label);
  return { metrics: text.match(/\b(?:gatepulse|probe)_\w+/g) ?? [], labels: [...matchers, ...grouped] };
}

type Target = { expr: string; legendFormat?: string; refId: string; datasource: unknown };
type Panel = { title: string; datasource: unknown; targets: readonly Target[] };
type Variable = { name: string; datasource: unknown; query: { query: string } };
type Dashboard = {
  id: null;
  __inputs: unknown;
  panels: readonly Panel[];
  templating: { list: readonly Variable[] };
};

const DASHBOARD = JSON.parse(readFileSync(join(ROOT, "docs/grafana-dashboard.json"), "utf8")) as Dashboard;
const TARGETS = DASHBOARD.panels.flatMap(({ title, targets }) =>
  targets.map((target) => ({ title, ...target })),
);
const VARIABLES = DASHBOARD.templating.list;

function isInstalled(binary: string, parcel: string): boolean {
  const found = spawnSync(binary, ["--version"]).status === 0;
  if (!found) console.warn(`skipped: ${binary} is not installed (apt-get install ${parcel})`);
  return found;
}

/** What it printed, with its exit code before it. */
function run(binary: string, args: readonly string[], input = ""): string {
  const { status, stdout, stderr } = spawnSync(binary, args, { input, encoding: "utf8" });
  return `${status}\n${stdout}${stderr}`;
}

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "gatepulse-promtool-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe.skipIf(!hasPromtool)("promtool", () => {
  const checked = (text: string) => run("promtool", ["check", "metrics"], text);

  test.each(Object.entries(STATES))("finds nothing to fix in: %s", (_name, status) => {
    expect(checked(metricsOf(status))).toBe("0\n");
  });

  test("takes the rules", () => {
    const printed = run("promtool", ["check", "rules", "--lint=all", "--lint-fatal", RULES]);
    expect(printed).toMatch(/^0\n.*SUCCESS: 15 rules found/s);
  });

  test("plays the rules: who is paged for what, and for what nobody is", () => {
    expect(run("promtool", ["test", "rules", RULES_TEST])).toMatch(/^0\n.*SUCCESS/s);
  });

  test("takes every query of the dashboard", () => {
    const queries = TARGETS.map(({ expr }) => expr.replaceAll(/\$\w+/g, "a|b"));
    expect(queries.length).toBeGreaterThan(20);
    const rules = queries.map((expr, index) => ({ record: `query_${index}`, expr }));
    const file = join(directory, "dashboard.yml");
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
    expect(run("promtool", ["check", "rules", file])).toContain(`SUCCESS: ${queries.length} rules found`);
  });

  test("takes the documented configuration of the scrape", () => {
    const file = join(directory, "prometheus.yml");
    writeFileSync(file, documented("scrape").replace("/etc/prometheus/gatepulse-rules.yml", RULES));
    expect(run("promtool", ["check", "config", "--syntax-only", file])).toMatch(/^0\n/);
  });
});

describe.skipIf(!hasAmtool)("amtool", () => {
  const PAGES = ["key-owner", "gateway-on-call", "monitoring-on-call"];
  test.each(PAGES)("by the documented routes, page=%s goes to it alone", (page) => {
    const file = join(directory, "alertmanager.yml");
    writeFileSync(file, documented("routes"));
    const args = ["config", "routes", "test", `--config.file=${file}`, `page=${page}`, "alertname=Any"];
    expect(run("amtool", args)).toMatch(new RegExp(`^0\n${page}\n(?:Warning: .*\n)?$`));
  });
});

test("rules and their tests name only what is exported", () => {
  for (const file of [RULES, RULES_TEST]) {
    const { metrics } = namesIn(readFileSync(file, "utf8").replaceAll(/^\s*#.*$/gm, ""));
    expect(metrics.filter((name) => !EXPORTED.has(name))).toEqual([]);
  }
});

test("the documentation lists the exported metrics, all and no others, with their labels", () => {
  const listed = INTEGRATIONS.split("\nOf each monitor, with the labels ").flatMap((part, isOfMonitors) =>
    [...part.matchAll(/^- `((?:gatepulse|probe)_\w+)`(?: \((.*)\))?: /gm)].map(
      ([, name = "", labels = ""]) => [name, isOfMonitors ? `monitor's ${labels}`.trim() : labels] as const,
    ),
  );
  const monitor = new Set(["gateway", "monitor", "kind", "model"]);
  const known = [...EXPORTED].map(([name, labels]) => {
    const own = [...labels].filter((label) => !labels.has("monitor") || !monitor.has(label));
    const words = own.map((label) => `\`${label}\``).join(", ");
    return [name, labels.has("monitor") ? `monitor's ${words}`.trim() : words] as const;
  });
  expect(new Map(listed)).toEqual(new Map(known));
  expect(listed).toHaveLength(known.length);
});

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
    "gatepulse_canary_audit_differs",
    "gatepulse_canary_audit_p_value",
    "gatepulse_canary_audit_right_ratio",
    "gatepulse_canary_served_differing",
    "gatepulse_canary_served_info",
    "gatepulse_canary_served_since_timestamp_seconds",
    "gatepulse_gateway_info",
    "gatepulse_published_timestamp_seconds",
    "gatepulse_put_off_monitors",
    "gatepulse_region_last_probe_timestamp_seconds",
    "gatepulse_region_latency_seconds",
    "gatepulse_region_uptime_ratio",
    "probe_success",
  ]);
});

/** The block of docs/integrations.md behind `<!-- what -->`. */
function documented(what: string): string {
  const form = new RegExp(String.raw`<!-- prometheus ${what} -->\n\n` + "```yaml\n([\\s\\S]*?)\n```");
  const block = form.exec(INTEGRATIONS)?.[1];
  if (block === undefined) throw new Error(`there is no block ${what}`);
  return block;
}
