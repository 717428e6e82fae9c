/** Every scenario, by family and by name. Pure data. */
import type { Scenario } from "./scenario.ts";
import { ADDRESSES } from "./scenarios/addresses.ts";
import { BAD_BODIES } from "./scenarios/bad-bodies.ts";
import { BROKEN_CONNECTIONS } from "./scenarios/broken-connections.ts";
import { CONSOLES } from "./scenarios/consoles.ts";
import { EDGE_PAGES } from "./scenarios/edge-pages.ts";
import { GENERATIONS } from "./scenarios/generations.ts";
import { GOOD_ANSWERS } from "./scenarios/good-answers.ts";
import { HOSTILE_ANSWERS } from "./scenarios/hostile-answers.ts";
import { MEDIA_TASKS } from "./scenarios/media-tasks.ts";
import { PATTERNS, parametrised } from "./scenarios/parametrised.ts";
import { RETRIES } from "./scenarios/retries.ts";
import { STATUSES } from "./scenarios/statuses.ts";
import { STREAMS } from "./scenarios/streams.ts";

export interface Family {
  readonly title: string;
  readonly scenarios: readonly Scenario[];
}

export const FAMILIES: readonly Family[] = [
  { title: "Good answers", scenarios: GOOD_ANSWERS },
  { title: "200 that is no success", scenarios: BAD_BODIES },
  { title: "HTTP statuses", scenarios: STATUSES },
  { title: "Limits and unavailable upstreams", scenarios: RETRIES },
  { title: "Edges, proxies and redirects", scenarios: EDGE_PAGES },
  { title: "Broken connections and floods", scenarios: BROKEN_CONNECTIONS },
  { title: "Below HTTP", scenarios: ADDRESSES },
  { title: "Hostile answers", scenarios: HOSTILE_ANSWERS },
  { title: "Streams, while the list is good", scenarios: STREAMS },
  { title: "Generation at once, and lists that do not agree with it", scenarios: GENERATIONS },
  { title: "Images and videos by tasks", scenarios: MEDIA_TASKS },
  { title: "The console", scenarios: CONSOLES },
];

export const SCENARIOS: readonly Scenario[] = FAMILIES.flatMap((family) => family.scenarios);

const BY_NAME: ReadonlyMap<string, Scenario> = new Map(SCENARIOS.map((known) => [known.name, known]));

/** Named or parametrised; null when there is none of that name. */
export function findScenario(name: string): Scenario | null {
  return BY_NAME.get(name) ?? parametrised(name);
}

// The simulator's page for people: every scenario, its sentence, and what a monitor must conclude. Pure.

export function overviewPage(baseUrlOf: (scenario: Scenario) => string): string {
  const families = FAMILIES.map((family) => section(family, baseUrlOf)).join("");
  const patterns = PATTERNS.map(
    ({ pattern, says }) => `<dt><code>${escape(pattern)}</code></dt><dd>${escape(says)}</dd>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Simulated gateways</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8886; padding: .3rem .6rem; text-align: start; vertical-align: top; }
td:nth-child(3), td:nth-child(4) { white-space: nowrap; }
</style>
</head>
<body>
<main>
<h1>Simulated gateways</h1>
<p>Each address below is the base URL of a gateway that answers in one way. <code>/v1</code> here at the top is a healthy
one. <code>/g/NAME</code> is healthy until <code>POST /__control {"for": "NAME", "scenario": "…"}</code> says otherwise;
<code>"sequence": […]</code> instead plays one scenario a request. <a href="/__scenarios">The same as JSON</a>,
<a href="/__requests">the requests so far</a>.</p>
${families}<section><h2>Names with a number</h2><dl>${patterns.join("")}</dl></section>
</main>
</body>
</html>
`;
}

function section(family: Family, baseUrlOf: (scenario: Scenario) => string): string {
  const rows = family.scenarios.map((known) => row(known, baseUrlOf(known)));
  return `<section><h2>${escape(family.title)}</h2>
<table><thead><tr><th>Base URL</th><th>What it does</th><th>Cause</th><th>Attempts</th></tr></thead>
<tbody>${rows.join("")}</tbody></table></section>
`;
}

function row(known: Scenario, baseUrl: string): string {
  const cells = [
    `<code>${escape(baseUrl)}</code>`,
    escape(known.says),
    `${known.expect.cause} (${known.expect.owner}, ${known.expect.health})`,
    String(known.expect.attempts),
  ];
  return `<tr id="${escape(known.name)}">${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>\n`;
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
