import { expect, test } from "vitest";
import { feedReader, hoursOn, INCIDENT_ID } from "./feed-reader.ts";
import {
  gatewayDocument,
  monitorDocument,
  NOW_MS,
  publishedIncident,
  reportDocument,
  statusDocument,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const { feed, get, text } = feedReader(world);

test("the feed says what it is, where it is, and where its page is", async () => {
  await world.publish(statusDocument(), { incidents: [publishedIncident()] });
  expect(await feed()).toMatchObject({
    id: "tag:status.example,2026:feed",
    title: { value: "Acme gateways" },
    subtitle: { value: "Incidents and planned maintenance." },
    updated: "2026-11-20T08:00:00.000Z",
    authors: [{ name: "Acme gateways" }],
    links: [
      { rel: "self", type: "application/atom+xml", href: "https://status.example/feed.atom" },
      { rel: "alternate", type: "text/html", href: "https://status.example/" },
    ],
  });
});

test("where nothing ever happened the feed is empty, and as old as the last change of a health", async () => {
  const since = ["2026-11-20T08:00:00.000Z", "2026-11-20T08:30:00.000Z"];
  const monitors = since.map((at) => monitorDocument({ since: at }));
  await world.publish(statusDocument({ gateways: [gatewayDocument({ monitors })] }));
  expect(await feed()).toMatchObject({ updated: "2026-11-20T08:30:00.000Z", entries: [] });
  await world.clear();
  await world.publish(statusDocument({ gateways: [] }));
  expect(await feed()).toMatchObject({ updated: "1970-01-01T00:00:00.000Z", entries: [] });
});

test("nothing in it comes from the clock: later checks and publications leave every byte as it is", async () => {
  const incident = publishedIncident();
  await world.publish(statusDocument({ notice: "Simulated." }), { incidents: [incident] });
  const before = await get();
  const at = "2026-11-20T14:00:00.000Z";
  const monitors = [monitorDocument({ status: "blocked", nextProbeAt: "2026-11-20T14:01:00.000Z" })];
  const gateways = [gatewayDocument({ status: "blocked", monitors })];
  const later = statusDocument({ notice: "Simulated.", generatedAt: at, lastTickAt: at, gateways });
  const laterReport = reportDocument({ id: `${INCIDENT_ID}-2`, requestedAt: at, message: "later" });
  const reports = [incident.reports[0]!, laterReport];
  await world.publish(later, { incidents: [{ ...incident, reports }] }, { lastTickMs: NOW_MS + 7_200_000 });
  const etag = before.headers.get("etag") ?? "";
  const after = await get({}, hoursOn(2));
  expect(await after.text()).toBe(await before.text());
  expect(after.headers.get("etag")).toBe(etag);
  expect((await get({ "if-none-match": etag }, hoursOn(2))).status).toBe(304);
});

test("the configured address names everything, whatever host was asked", async () => {
  const url = "https://Status.Acme.example";
  await world.publish(statusDocument(), { incidents: [publishedIncident()], url });
  const one = await text();
  expect(await text({}, "gatepulse.someone.workers.example")).toBe(one);
  expect(one).toContain("<id>tag:status.acme.example,2026:feed</id>");
  expect(one).toContain(`<id>tag:status.acme.example,2026-11-20:incidents/${INCIDENT_ID}</id>`);
  for (const path of ["feed.atom", `incidents/${INCIDENT_ID}`])
    expect(one).toContain(`href="${url}/${path}"`);
});
