/** Which metrics and labels there are, and which of them a query names. */
import { metricsPieces } from "../../src/formats/prometheus.ts";
import { NOW_MS } from "../http/documents.ts";
import { everything } from "./any-status.ts";
import { readExposition } from "./strict-exposition.ts";

const FAMILIES = readExposition(
  [
    ...metricsPieces(
      { ...everything(), gaps: [{ shard: 1, reason: "outage" }] },
      { nowMs: NOW_MS, version: "1.2.3", quarantined: 0, shards: { count: 3, late: 1, lost: 2 } },
    ),
  ].join(""),
);

/** By the metrics' names, the labels that their series can have. */
export const EXPORTED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...FAMILIES].map(([name, { samples }]) => [
    name,
    new Set(samples.flatMap((of) => Object.keys(of.labels))),
  ]),
);

/** Those that Prometheus adds. */
const SCRAPED = ["job", "instance"];
export const LABELS: ReadonlySet<string> = new Set([
  ...SCRAPED,
  ...[...EXPORTED.values()].flatMap((labels) => Array.from(labels)),
]);

const WORDS = new Set("by without on ignoring group_left group_right and or unless bool".split(" "));

export interface Query {
  readonly metrics: readonly string[];
  /** In matchers, by each metric's name. */
  readonly matched: readonly (readonly [metric: string, label: string])[];
  /** In `by`, `on` and their like. */
  readonly grouped: readonly string[];
}

/** Of PromQL without subqueries and offsets. What is no word of the language and calls no function is a metric. */
export function namesIn(query: string): Query {
  const bare = query.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const matched = [...bare.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)].flatMap(
    ([, metric = "", matchers = ""]) =>
      [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => [metric, label] as const),
  );
  const clauses = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
  const grouped = [...bare.matchAll(clauses)].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.trim()),
  );
  const rest = bare.replaceAll(/\{[^}]*\}/g, "").replaceAll(clauses, " ");
  const metrics = [...rest.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*(?!\w|\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !WORDS.has(name));
  return { metrics, matched, grouped };
}
