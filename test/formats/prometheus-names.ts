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

/** Those that a query, or a file of rules, names: metrics of ours, and labels in matchers and in `by`, `on` and their like. */
export function namesIn(text: string): { readonly metrics: string[]; readonly labels: string[] } {
  const clauses = text.matchAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g);
  const grouped = [...clauses].flatMap(([, list = ""]) => list.match(/\w+/g) ?? []);
  const matchers = [...text.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = ""]) => label);
  return { metrics: text.match(/\b(?:gatepulse|probe)_\w+/g) ?? [], labels: [...matchers, ...grouped] };
}
