/**
 * Debian's promtool and amtool judge what is exported, the rules, the routes and the dashboard's queries. Skipped where they
 * are not installed (`apt-get install prometheus prometheus-alertmanager`).
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STATES, metricsOf } from "./any-status.ts";
import { EXPORTED, namesIn } from "./prometheus-names.ts";
import { rulesTest } from "./prometheus-rules.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const RULES = join(ROOT, "docs/prometheus-rules.yml");
const RULES_TEST = rulesTest(RULES);
const INTEGRATIONS = readFileSync(join(ROOT, "docs/integrations.md"), "utf8");
const hasPromtool = isInstalled("promtool", "prometheus");
const hasAmtool = isInstalled("amtool", "prometheus-alertmanager");

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
    const file = join(directory, "rules-test.yml");
    writeFileSync(file, RULES_TEST);
    expect(run("promtool", ["test", "rules", file])).toMatch(/^0\n.*SUCCESS/s);
  });

  test("takes every query of the dashboard", () => {
    const text = readFileSync(join(ROOT, "docs/grafana-dashboard.json"), "utf8");
    const { panels } = JSON.parse(text) as { panels: { targets: { expr: string }[] }[] };
    const queries = panels.flatMap(({ targets }) =>
      targets.map(({ expr }) => expr.replaceAll(/\$\w+/g, "a|b")),
    );
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
  for (const text of [readFileSync(RULES, "utf8").replaceAll(/^\s*#.*$/gm, ""), RULES_TEST]) {
    const { metrics } = namesIn(text);
    expect(metrics.filter((name) => !EXPORTED.has(name))).toEqual([]);
  }
});

test("the documentation lists the exported metrics, all and no others, with their labels", () => {
  const rows = INTEGRATIONS.matchAll(/^\| `((?:gatepulse|probe)_\w+)` +\| (.*?) +\|/gm);
  const listed = [...rows].map(([, name = "", labels = ""]) => [name, labels] as const);
  const monitor = new Set(["gateway", "monitor", "kind", "model"]);
  const known = [...EXPORTED].map(([name, labels]) => {
    const own = [...labels].filter((label) => !labels.has("monitor") || !monitor.has(label));
    const words = [...(labels.has("monitor") ? ["monitor's"] : []), ...own.map((label) => `\`${label}\``)];
    return [name, words.join(", ")] as const;
  });
  expect(new Map(listed)).toEqual(new Map(known));
  expect(listed).toHaveLength(known.length);
});

/** The block of docs/integrations.md behind `<!-- what -->`. */
function documented(what: string): string {
  const form = new RegExp(String.raw`<!-- prometheus ${what} -->\n\n` + "```yaml\n([\\s\\S]*?)\n```");
  const block = form.exec(INTEGRATIONS)?.[1];
  if (block === undefined) throw new Error(`there is no block ${what}`);
  return block;
}
