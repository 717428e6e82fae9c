/** The simulator's page for people: every scenario, its sentence, and what a monitor must conclude. Pure. */
import { FAMILIES, type Family } from "./catalog.ts";
import type { Scenario } from "./scenario.ts";
import { PATTERNS } from "./scenarios/parametrised.ts";

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
