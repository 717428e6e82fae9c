/** What a page cannot know yet: an incident that is told and not published. */
import { expect, test } from "vitest";
import { readHtml, textOf } from "./html.ts";
import { incidentDocument } from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();
const INCIDENT = incidentDocument();
const SOON = "What an alert reports appears here a few seconds later";

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
