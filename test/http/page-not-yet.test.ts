/** What a page cannot know yet: an incident that is told and not published, a check that may have come since. */
import { expect, test } from "vitest";
import { readHtml, textOf } from "./html.ts";
import { gatewayThatIs, incidentDocument, NOW_MS, STALE_MS, useWorld } from "./published-status.ts";

const world = useWorld();
const INCIDENT = incidentDocument();
const SOON = "What an alert tells of is published here some seconds later";

test.each([
  ["/incidents/acme.models-20261120t120000z", 404, true],
  ["/incidents/monitoring-20261120t120000z", 404, true],
  ["/reports/acme.models-20261120t120000z-2", 404, true],
  ["/incidents/nothing", 404, false],
  ["/incidents/acme.models-20261120t120000z-2", 404, false],
  ["/incidents/acme.models-20261120t120000z%22%3E", 404, false],
  ["/reports/acme.models-20261120t120000z", 404, false],
  ["/reports/nothing-2", 404, false],
  ["/gateways/acme.models-20261120t120000z", 404, false],
  ["/elsewhere/acme.models-20261120t120000z", 404, false],
  [`/incidents/${INCIDENT.id}`, 200, false],
])("%s is %i; that it may be there soon is told, with a link: %s", async (path, status, isSoon) => {
  await world.showIncident(INCIDENT);
  const response = await world.ask(path, { headers: { accept: "text/html" } });
  const html = await response.text();
  expect(response.status).toBe(status);
  if (status === 404) expect(response.headers.get("cache-control")).toBe("no-store");
  expect(textOf(html).includes(SOON)).toBe(isSoon);
  expect(html.includes(`<a href="${path}">load this page again</a>`)).toBe(isSoon);
  // The reader alone loads it again.
  const loads = readHtml(html).tags.filter((tag) => /^<(?:script|meta http-equiv)/u.test(tag));
  expect(loads.length).toBe(status === 200 ? 1 : 0);
});

const DUE_MS = NOW_MS + 60_000;
const DUE = "2026-11-20 12:01:00 UTC";

test.each([
  ["on the cards of the overview", "/", ""],
  ["in the list of incidents", "/", ":"],
  ["on the gateway's page", "/gateways/acme", ""],
  ["on the incident's page", `/incidents/${INCIDENT.id}`, ""],
])("%s a check whose instant is over was due then, for nothing newer is known", async (_, path, colon) => {
  const status = { gateways: [gatewayThatIs("blocked")] };
  const early = textOf(await world.showIncident(INCIDENT, { status, path, nowMs: DUE_MS - 1 }));
  expect(early).toContain(`Next check${colon} ${DUE}`);
  expect(early).not.toContain("was due");
  for (const nowMs of [DUE_MS, DUE_MS + 60_000]) {
    expect(textOf(await world.text(path, nowMs))).toContain(`Next check${colon} was due at ${DUE}`);
    const chinese = textOf(await world.text(`${path}?lang=zh`, nowMs)).replaceAll("： ", "：");
    expect(chinese).toContain(`下次检查${colon && "："}${colon ? "" : " "}原定于 ${DUE}`);
  }
  const stale = textOf(await world.text(path, STALE_MS));
  expect(stale).toContain(`Next check was due ${DUE}`);
  expect(stale).not.toContain("was due at");
});
