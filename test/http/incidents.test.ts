import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/domain/calendar.ts";
import type { PublishedIncident } from "../../src/history/documents.ts";
import { NEWEST_INCIDENTS } from "../../src/history/incident-archive.ts";
import { dayPeriod, segmentKey } from "../../src/history/keys.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { writeIncidents } from "../history/published-history.ts";
import {
  NOW_MS,
  publishedIncident,
  reportDocument,
  resolvedIncident,
  useWorld,
  statusDocument,
} from "./published-status.ts";

const world = useWorld();

const TOKEN = "0123456789abcdef";
const OPEN = publishedIncident();
const ID = "acme-models-20261120t080000z";

async function get(
  path: string,
  headers: Record<string, string> = {},
  deps: Partial<AppDeps> = {},
): Promise<Response> {
  return world.ask(path, { headers }, deps);
}

/** Fifty in the snapshot, and one of ten days ago in a segment alone. */
async function publishMany(): Promise<PublishedIncident> {
  const newest = Array.from({ length: NEWEST_INCIDENTS }, (_, index) => {
    const endedMs = NOW_MS - (index + 1) * 600_000;
    return resolvedIncident(endedMs - 60_000, endedMs);
  });
  const old = resolvedIncident(NOW_MS - 10 * DAY_MS, NOW_MS - 10 * DAY_MS + HOUR_MS);
  const period = dayPeriod(NOW_MS - 10 * DAY_MS);
  await writeIncidents(world.kv, "day", period, [old]);
  await world.publish(statusDocument(), {
    incidents: [OPEN, ...newest],
    segments: { hour: [], day: [period], month: [] },
  });
  return old;
}

test("incidents come newest first, with a link to the older ones, which come from segments", async () => {
  const old = await publishMany();
  const first = await get("/api/v1/incidents");
  const page = (await first.json()) as { incidents: { id: string }[]; next: string; gaps: unknown[] };
  expect(page.incidents).toHaveLength(1 + 40);
  expect(page.incidents[0]).toEqual(OPEN.incident);
  expect(page.gaps).toEqual([]);
  expect(page.next).toBe("2026-11-20T05:20:00.000Z");
  const link = /^<(.+)>; rel="next"$/u.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  const second = (await (await get(link)).json()) as { incidents: { id: string }[]; next: string | null };
  expect(second.incidents).toHaveLength(11);
  expect(second.incidents.at(-1)).toEqual(old.incident);
  expect(second.next).toBeNull();
});

test("a list that lacks a segment which cannot be read tells the gap, and nobody keeps it", async () => {
  await publishMany();
  const whole = await get("/api/v1/incidents?before=2026-11-20T05:20:00.000Z");
  expect(whole.headers.get("cache-control")).toBe("public, max-age=15");
  await world.kv.delete(segmentKey(0, "day", "2026-11-10"));
  const lacking = await get("/api/v1/incidents?before=2026-11-20T05:20:00.000Z");
  expect(await lacking.json()).toMatchObject({ gaps: [{ period: "2026-11-10", reason: "absent" }] });
  expect(lacking.headers.get("cache-control")).toBe("no-store");
});

test("a bad `before` is a 400", async () => {
  await world.publish(statusDocument());
  const response = await get("/api/v1/incidents?before=1");
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ pointer: "#/before" }] });
});

test("an incident is told with its timeline and the ids of its reports", async () => {
  await world.publish(statusDocument(), { incidents: [OPEN] });
  const response = await get(`/api/v1/incidents/${ID}`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ ...OPEN.incident, reports: [`${ID}-1`, `${ID}-2`] });
});

test("an older incident and its report are found in the segments", async () => {
  const old = await publishMany();
  const response = await get(`/api/v1/incidents/${old.incident.id}`);
  expect(await response.json()).toMatchObject(old.incident);
  const report = await get(`/api/v1/reports/${old.incident.id}-2`);
  expect(await report.json()).toEqual(old.reports[1]);
  expect((await get(`/incidents/${old.incident.id}`)).status).toBe(200);
  expect((await get(`/reports/${old.incident.id}-2`)).status).toBe(200);
});

test("what does not exist is a 404: a problem for programs, a page at a page's address", async () => {
  await publishMany();
  for (const path of ["/api/v1/incidents/nope", "/api/v1/reports/nope", `/api/v1/reports/${ID}-3`]) {
    const response = await get(path);
    expect(response.status, path).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  }
  for (const path of ["/incidents/nope", "/reports/nope-1", "/gateways/nope"]) {
    const response = await get(path);
    expect(response.status, path).toBe(404);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  }
});

test("the public report hides what the full one shows to the administrator", async () => {
  await world.publish(statusDocument(), { incidents: [OPEN] });
  const open = await get(`/api/v1/reports/${ID}-1`, {}, { adminToken: TOKEN });
  expect(await open.json()).toEqual(reportDocument());
  expect(open.headers.get("cache-control")).toBe("public, max-age=15");
  expect(open.headers.get("cloudflare-cdn-cache-control")).toBe("no-store");
  expect(open.headers.get("vary")).toBe("accept, authorization");
  const full = await get(
    `/api/v1/reports/${ID}-1`,
    { authorization: `Bearer ${TOKEN}` },
    { adminToken: TOKEN },
  );
  expect(await full.json()).toEqual(reportDocument({ endpoint: "https://api.acme.example/v1/models" }));
  expect(full.headers.get("cache-control")).toBe("private, no-store");
  expect(full.headers.get("cloudflare-cdn-cache-control")).toBe("no-store");
  expect(full.headers.get("access-control-allow-origin")).toBeNull();
  expect(full.headers.get("etag")).toBeNull();
});

test.each([
  ["another token of the same length", `Bearer ${TOKEN.slice(0, -1)}x`],
  ["the beginning of the token", `Bearer ${TOKEN.slice(0, -1)}`],
  ["the token with more behind it", `Bearer ${TOKEN}0`],
])("%s is refused, and the answer tells nothing of the report", async (_name, authorization) => {
  await world.publish(statusDocument(), { incidents: [OPEN] });
  const response = await get(`/api/v1/reports/${ID}-1`, { authorization }, { adminToken: TOKEN });
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toBe("Bearer");
  expect(response.headers.get("vary")).toBe("authorization");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.text()).not.toContain("acme.example");
});

test.each([
  ["no token is set", null, `Bearer ${TOKEN}`],
  ["the token is empty", "", "Bearer "],
  ["the token is shorter than 16 characters", TOKEN.slice(1), `Bearer ${TOKEN.slice(1)}`],
  ["the request uses another scheme", TOKEN, `Basic ${TOKEN}`],
])("where %s, the report is the public one", async (_name, adminToken, authorization) => {
  await world.publish(statusDocument(), { incidents: [OPEN] });
  const response = await get(`/api/v1/reports/${ID}-1`, { authorization }, { adminToken });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(reportDocument());
});

test("a gateway that has begun to publish its health alone tells no cause of older incidents either", async () => {
  await world.publish(statusDocument(), { incidents: [OPEN], withCauses: [] });
  const list = await (await get("/api/v1/incidents")).text();
  const one = await (await get(`/api/v1/incidents/${ID}`)).text();
  const page = await (await get(`/incidents/${ID}`)).text();
  for (const text of [list, one, page]) {
    expect(text).toContain(ID);
    expect(text).not.toMatch(/insufficient|balance|Top up|caller/u);
  }
  expect(page).toContain("not published");
  expect((await get(`/api/v1/reports/${ID}-1`)).status).toBe(404);
  expect((await get(`/reports/${ID}-1`)).status).toBe(404);
  const full = await get(
    `/api/v1/reports/${ID}-1`,
    { authorization: `Bearer ${TOKEN}` },
    { adminToken: TOKEN },
  );
  expect(full.status).toBe(200);
});
