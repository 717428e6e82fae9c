/** What readers are answered where several shards publish: as where one does; and where some are late, young, damaged or gone. */
import { beforeEach, describe, expect, test } from "vitest";
import { instant } from "../../src/domain/calendar.ts";
import type { StatusDocument } from "../../src/history/documents.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import { type SnapshotMetadata, snapshotMetadataSchema } from "../../src/history/snapshot.ts";
import { packSamples } from "../../src/history/segment.ts";
import type { HealthAnswer, IncidentsAnswer } from "../../src/http/answers.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { SnapshotMemory } from "../../src/http/published.ts";
import { spread } from "../extent.ts";
import { config } from "../fixtures/config.ts";
import { sampleAt } from "../history/published-history.ts";
import { watched } from "../history/real-kv.ts";
import { NOW_MS, gatewayDocument, monitorDocument, publishedIncident, statusDocument } from "./documents.ts";
import { EVERY_ROUTE } from "./every-route.ts";
import { answerOf, expectWords, textOf } from "./html.ts";
import { useWorld } from "./published-status.ts";

const MINUTE_MS = 60_000;
/** Beyond seven minutes without a tick it is stale. */
const LONG_AGO_MS = NOW_MS - 8 * MINUTE_MS;

const GATEWAYS = ["acme", "beta", "gamma"] as const;
const SHARD_OF = { gamma: 0, acme: 1, beta: 2 } as const;
const PLACES = { acme: 0, beta: 1, gamma: 2 };

type Name = (typeof GATEWAYS)[number];

const INCIDENTS = [
  publishedIncident(),
  publishedIncident({
    id: "beta.models-20261120t070000z",
    gateway: "beta",
    monitors: ["beta/models"],
    openedAt: "2026-11-20T07:00:00.000Z",
  }),
];

function documentOf(name: Name) {
  return gatewayDocument({ id: name, name, monitors: [monitorDocument({ id: `${name}/models` })] });
}

function published(names: readonly Name[]) {
  const own = new Set<string | null>(names);
  const incidents = INCIDENTS.filter(({ incident }) => own.has(incident.gateway));
  const status = statusDocument({
    gateways: names.map(documentOf),
    incidents: incidents.map(({ incident }) => incident),
  });
  const samples = names.map(
    (name) => [`${name}/models`, packSamples([sampleAt(NOW_MS - MINUTE_MS)])] as const,
  );
  const tail = {
    incidents,
    withCauses: [...GATEWAYS],
    places: PLACES,
    url: "https://status.acme.example",
    live: { samples: Object.fromEntries(samples), hours: {}, days: {} },
  };
  return { status, tail };
}

const world = useWorld();

/** Of three shards, unless another number is given. */
const get = (path: string, deps: Partial<AppDeps> = {}) => world.ask(path, {}, { shards: 3, ...deps });

async function json<Answer>(path: string, deps?: Partial<AppDeps>): Promise<Answer> {
  return (await get(path, deps)).json() as Promise<Answer>;
}

/** @param lastTicks where they are not now. */
async function publishThree(lastTicks: Partial<Record<Name, number>> = {}): Promise<void> {
  for (const name of GATEWAYS) {
    const { status, tail } = published([name]);
    const lastTickMs = lastTicks[name] ?? NOW_MS;
    const told = { ...status, lastTickAt: instant(lastTickMs) };
    await world.publishShard(SHARD_OF[name], told, tail, { lastTickMs });
  }
}

/** With one shard, metrics do not mention shards. */
function withoutShards(text: string): string {
  return text.replaceAll(/# HELP gatepulse_(?:shards|late_shards|lost_ticks) .+\n.+\n.+\n/g, "");
}

const URLS = Object.values(EVERY_ROUTE).flatMap(({ url }) => (url === "/healthz" ? [] : url));

test.each(spread(URLS, 12))(
  "%s answers the same from three shards as from one, with two reads more at most",
  async (url) => {
    const { status, tail } = published(GATEWAYS);
    await world.publish(status, tail);
    const [kvOfOne, kvOfThree] = [watched(world.kv), watched(world.kv)];
    const one = await get(url, { shards: 1, kv: kvOfOne });
    const expected = await one.text();
    await world.clear();
    await publishThree();
    const three = await get(url, { kv: kvOfThree });
    const told = await three.text();
    const isJson = three.headers.get("content-type")?.includes("json");
    if (isJson) expect(JSON.parse(told)).toEqual(JSON.parse(expected));
    else expect(withoutShards(told)).toBe(expected);
    const headersOf = ({ headers }: Response) =>
      [...headers].filter(([name]) => name !== "etag" && name !== "content-length");
    expect(headersOf(three)).toEqual(headersOf(one));
    expect([one.status, three.status]).toEqual([200, 200]);
    expect(kvOfThree.keys.length).toBeLessThanOrEqual(kvOfOne.keys.length + 2);
  },
);

test("each shard is read once in six seconds, and answers in between cost nothing", async () => {
  await publishThree();
  const kv = watched(world.kv);
  const memory = new SnapshotMemory();
  for (const atMs of [0, 3000, 5999]) {
    await (await get("/", { kv, memory, now: () => NOW_MS + atMs })).text();
    await (await get("/api/v1/status", { kv, memory, now: () => NOW_MS + atMs })).text();
  }
  expect(kv.keys).toEqual([0, 1, 2].map(snapshotKey));
  await (await get("/healthz", { kv, memory, now: () => NOW_MS + 6000 })).text();
  expect(kv.keys).toHaveLength(6);
});

test.each(GATEWAYS)(
  "when the shard of %s publishes anew the answer and its tag are others, and else the same",
  async (name) => {
    await publishThree();
    const tagOf = async (path: string): Promise<string | null> => (await get(path)).headers.get("etag");
    const paths = ["/api/v1/status", "/", "/metrics", "/api/v1/incidents"];
    const before = await Promise.all(paths.map(tagOf));
    expect(await Promise.all(paths.map(tagOf))).toEqual(before);
    const { status, tail } = published([name]);
    const [gateway = documentOf(name)] = status.gateways;
    const incidents = [publishedIncident({ id: `${name}.new-20261120t090000z`, gateway: name })];
    const renamed = { ...status, gateways: [{ ...gateway, name: "Renamed" }] };
    await world.publishShard(SHARD_OF[name], renamed, { ...tail, incidents });
    const after = await Promise.all(paths.map(tagOf));
    for (const [index, tag] of after.entries()) expect(tag).not.toBe(before[index]);
  },
);

describe("where the ticks of one shard have stopped", () => {
  beforeEach(() => publishThree({ beta: LONG_AGO_MS }));

  test("its gateways are unknown, and the others are as they are", async () => {
    const status = await json<StatusDocument>("/api/v1/status");
    expect([status.stale, status.status, status.lastTickAt]).toEqual([true, "unknown", instant(LONG_AGO_MS)]);
    expect(status.summary).toEqual({ up: 2, degraded: 0, down: 0, blocked: 0, unknown: 1 });
    const gateways = status.gateways.map(({ id, stale, status: health }) => [id, stale, health]);
    expect(gateways).toEqual([
      ["acme", false, "up"],
      ["beta", true, "unknown"],
      ["gamma", false, "up"],
    ]);
  });

  test("badges, metrics and Statuspage show that one, and go on with the others", async () => {
    const badge = async (name: Name) => (await json<{ message: string }>(`/badge/${name}.json`)).message;
    expect([await badge("acme"), await badge("beta")]).toEqual(["up", "checks stopped"]);
    const metrics = await (await get("/metrics")).text();
    expect(metrics).toContain("\ngatepulse_shards 3\n");
    expect(metrics).toContain("\ngatepulse_late_shards 1\n");
    expect(metrics).toContain('probe_success{gateway="acme"');
    expect(metrics).not.toContain('probe_success{gateway="beta"');
    const { components } = await json<{ components: object[] }>("/api/v2/components.json");
    expect(components).toContainEqual(expect.objectContaining({ id: "acme/models", status: "operational" }));
    const degraded = { id: "beta/models", status: "degraded_performance" };
    expect(components).toContainEqual(expect.objectContaining(degraded));
  });

  test("the page names the gateways, and keeps its word on the others", async () => {
    const html = await (await get("/")).text();
    expect(html).toContain("The checks of 1 gateway have stopped: ");
    expect(html).not.toContain('class="answer stale"');
    expect(html).toContain('<span class="mark up">');
    expectWords(await (await get("/gateways/beta")).text(), ['class="answer stale"'], ["Next check"]);
    expect(await (await get("/gateways/acme")).text()).not.toContain('class="answer stale"');
  });

  test("the health of the monitoring fails, and says which shard is late", async () => {
    const answer = await get("/healthz");
    expect(answer.status).toBe(503);
    const { checks } = (await answer.json()) as HealthAnswer;
    expect(checks?.["ticks:age"]).toMatchObject([
      { componentId: "shard-0", status: "pass", observedValue: 0 },
      { componentId: "shard-1", status: "pass", observedValue: 0 },
      { componentId: "shard-2", status: "fail", observedValue: 480 },
    ]);
  });
});

test("what was read becomes stale by itself, and its tag with it", async () => {
  await publishThree({ beta: NOW_MS - 7 * MINUTE_MS + 1000 });
  const memory = new SnapshotMemory();
  const at = async (nowMs: number) => {
    const answer = await get("/api/v1/status", { memory, now: () => nowMs });
    return [((await answer.json()) as { stale: boolean }).stale, answer.headers.get("etag")] as const;
  };
  const [fresh, tag] = await at(NOW_MS);
  const [stale, other] = await at(NOW_MS + 1500);
  expect([fresh, stale, tag === other]).toEqual([false, true, false]);
});

test("a shard that has published nothing yet, and which has no gateway, is passed over, and the health says so", async () => {
  await publishThree();
  await world.kv.delete(snapshotKey(2));
  for (const name of ["acme", "gamma"] as const) {
    const { status, tail } = published([name]);
    const { beta: _, ...places } = tail.places;
    await world.publishShard(SHARD_OF[name], status, { ...tail, places });
  }
  const told = await json<StatusDocument>("/api/v1/status");
  expect([told.status, told.gaps, told.gateways.length]).toEqual(["up", undefined, 2]);
  expect((await get("/gateways/beta")).status).toBe(404);
  const health = await json<HealthAnswer>("/healthz");
  expect(health.status).toBe("warn");
  expect(health.checks?.["snapshot:read"]?.at(-1)).toMatchObject({
    componentId: "shard-2",
    status: "warn",
    output: "nothing was published yet",
  });
});

async function damage(shard: number, at: (metadata: SnapshotMetadata) => number): Promise<void> {
  const key = snapshotKey(shard);
  const { value, metadata } = await world.kv.getWithMetadata(key, { type: "arrayBuffer", cacheTtl: 30 });
  const bytes = new Uint8Array(value ?? new ArrayBuffer());
  const index = at(snapshotMetadataSchema().parse(metadata));
  await world.kv.put(key, bytes.with(index, (bytes[index] ?? 0) ^ 1), { metadata });
}

describe.each([
  ["unreadable", "damaged"],
  ["unreadable", "damaged in its status"],
  ["unreadable", "damaged behind its status"],
  ["outage", "refused"],
  ["absent", "gone"],
] as const)("where a shard is %s: %s", (reason, how) => {
  const asked = (names: Readonly<Record<string, string>> = { acme: "acme" }) => ({
    kv: watched(world.kv, how === "refused" ? [snapshotKey(2)] : []),
    config: {
      ...config([]),
      gateways: Object.entries(names).map(([id, name]) => ({ id, name, monitors: [] })),
    },
  });
  beforeEach(async () => {
    await publishThree();
    if (how === "damaged in its status") await damage(2, () => 0);
    if (how === "damaged behind its status") await damage(2, ({ bytes, tail }) => bytes + tail - 1);
    if (how === "damaged") await world.kv.put(snapshotKey(2), "damaged");
    if (how === "gone") await world.kv.delete(snapshotKey(2));
  });

  test("the others are shown, nothing is up as a whole, and what is missing is named", async () => {
    const status = await json<StatusDocument>("/api/v1/status", asked());
    expect(status.gateways.map(({ id }) => id)).toEqual(["acme", "gamma"]);
    expect([status.status, status.gaps]).toEqual(["unknown", [{ shard: 2, reason }]]);
    const html = await (await get("/", asked())).text();
    expect(answerOf(html).text).toMatch(
      /^Some gateways cannot be read; all others are up 2 up\. Some gateways are missing here \(beta\): /u,
    );
    expect(
      (await json<{ status: { indicator: string } }>("/api/v2/status.json", asked())).status.indicator,
    ).toBe("minor");
    expect(await (await get("/metrics", asked())).text()).toContain("gatepulse_unreadable_shards 1");
    expect((await json<IncidentsAnswer>("/api/v1/incidents", asked())).gaps).toEqual([
      { period: "snapshot", reason },
    ]);
  });

  test("what is missing has its configured name, also in planned maintenance", async () => {
    const { status, tail } = published(["acme"]);
    const [from, to] = [instant(NOW_MS - MINUTE_MS), instant(NOW_MS + MINUTE_MS)];
    const maintenance = [{ gateways: ["acme", "beta"], from, to, title: "New racks" }];
    await world.publishShard(1, { ...status, maintenance }, tail, { generatedMs: NOW_MS + 1 });
    const names = { beta: "Beta of Europe" };
    const html = await (await get("/", asked(names))).text();
    expect(textOf(html)).toContain("Some gateways are missing here (Beta of Europe): ");
    expect(textOf(html)).toContain("New racks (acme, Beta of Europe): ");
    const nameless = await (await get("/", asked())).text();
    expect(textOf(nameless)).toContain("New racks (acme, beta): ");
  });

  test.each(
    spread(
      [
        "/gateways/beta",
        "/api/v1/gateways/beta/monitors/models",
        "/api/v1/gateways/beta/monitors/models/history",
        "/badge/beta.json",
        "/incidents/beta.models-20261120t070000z",
        "/api/v1/incidents/beta.models-20261120t070000z",
        "/api/v1/reports/beta.models-20261120t070000z-1",
      ],
      3,
    ),
  )("%s is not said to be missing", async (path) => {
    expect((await get(path, asked())).status).toBe(503);
    const others = path
      .replaceAll("beta", "acme")
      .replace("acme.models-20261120t07", "acme-models-20261120t08");
    expect((await get(others, asked())).status).toBe(200);
  });

  test.each(
    spread(
      "/ /api/v1/status /metrics /gateways/acme /api/v1/incidents /badge/acme.svg /feed.atom".split(" "),
      3,
    ),
  )("no cache keeps %s", async (path) => {
    const { status, headers } = await get(path, asked());
    const kept = [headers.get("cache-control"), headers.get("cloudflare-cdn-cache-control")];
    expect([status, ...kept]).toEqual([200, "no-store", null]);
  });

  test("the health of the monitoring fails, and names it", async () => {
    const answer = await get("/healthz", asked());
    const { checks } = (await answer.json()) as HealthAnswer;
    expect(answer.status).toBe(503);
    expect(checks?.["snapshot:read"]).toMatchObject([
      { componentId: "shard-0", status: "pass" },
      { componentId: "shard-1", status: "pass" },
      { componentId: "shard-2", status: "fail" },
    ]);
  });
});

test("where no shard can be read there is no answer", async () => {
  const refused = [0, 1, 2].map(snapshotKey);
  await publishThree();
  expect((await get("/api/v1/status", { kv: watched(world.kv, refused) })).status).toBe(503);
  await world.clear();
  expect(await json("/healthz")).toMatchObject({
    checks: { "snapshot:read": [{ status: "fail", output: "nothing was published yet" }] },
  });
});
