import { beforeEach, expect, test } from "vitest";
import { readHtml, textOf } from "./html.ts";
import { publishedIncident, useWorld, statusDocument } from "./published-status.ts";

const world = useWorld();
beforeEach(() => world.publish(statusDocument(), { incidents: [publishedIncident()] }));

async function get(path: string): Promise<{ response: Response; html: string }> {
  const response = await world.ask(path, { headers: { accept: "text/html" } });
  return { response, html: await response.text() };
}

const SOON = "published here some seconds later";

test.each([
  "/incidents/acme.models-20261120t120000z",
  "/incidents/monitoring-20261120t120000z",
  "/reports/acme.models-20261120t120000z-2",
])("%s may be there in a moment: the page says so, and has a link to itself", async (path) => {
  const { response, html } = await get(path);
  expect([response.status, response.headers.get("cache-control")]).toEqual([404, "no-store"]);
  expect(textOf(html)).toContain(`What an alert tells of is ${SOON}`);
  expect(html).toContain(`<a href="${path}">load this page again</a>`);
  expect(readHtml(html).tags.some((tag) => /^<(?:script|meta http-equiv)/u.test(tag))).toBe(false);
});

test.each([
  "/incidents/nothing",
  "/incidents/acme.models-20261120t120000z-2",
  "/incidents/acme.models-20261120t120000z%22%3E",
  "/reports/acme.models-20261120t120000z",
  "/reports/nothing-2",
  "/gateways/acme.models-20261120t120000z",
  "/elsewhere/acme.models-20261120t120000z",
])("%s never will be there, and nothing is promised", async (path) => {
  const { response, html } = await get(path);
  expect(response.status).toBe(404);
  expect(textOf(html)).not.toContain(SOON);
});

test("what is published is no matter of waiting", async () => {
  const { response, html } = await get(`/incidents/${publishedIncident().incident.id}`);
  expect(response.status).toBe(200);
  expect(textOf(html)).not.toContain(SOON);
});
