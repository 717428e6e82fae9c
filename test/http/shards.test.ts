/** What readers are answered where several shards publish: the same as where one does, at what it costs. */
import { expect, test } from "vitest";
import { snapshotKey } from "../../src/history/keys.ts";
import { SnapshotMemory } from "../../src/http/published.ts";
import { watched } from "../history/real-kv.ts";
import { spread } from "../extent.ts";
import { EVERY_ROUTE } from "./every-route.ts";
import { NOW_MS, publishedIncident } from "./documents.ts";
import { documentOf, GATEWAYS, published, SHARD_OF, useShards } from "./shard-world.ts";

/** Of one shard metrics do not tell of shards. */
function withoutShards(text: string): string {
  return text.replaceAll(/# HELP gatepulse_(?:shards|late_shards|lost_ticks) .+\n.+\n.+\n/g, "");
}

const world = useShards();

const URLS = Object.values(EVERY_ROUTE).flatMap(({ url }) => (url === "/healthz" ? [] : url));

test.each(spread(URLS, 12))(
  "%s answers the same from three shards as from one, with two reads more at most",
  async (url) => {
    await world.publishOne();
    const [kvOfOne, kvOfThree] = [watched(world.kv), watched(world.kv)];
    const one = await world.get(url, { shards: 1, kv: kvOfOne });
    const expected = await one.text();
    await world.clear();
    await world.publishThree();
    const three = await world.get(url, { kv: kvOfThree });
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
  await world.publishThree();
  const kv = watched(world.kv);
  const memory = new SnapshotMemory();
  for (const atMs of [0, 3000, 5999]) {
    await (await world.get("/", { kv, memory, nowMs: NOW_MS + atMs })).text();
    await (await world.get("/api/v1/status", { kv, memory, nowMs: NOW_MS + atMs })).text();
  }
  expect(kv.keys).toEqual([0, 1, 2].map(snapshotKey));
  await (await world.get("/healthz", { kv, memory, nowMs: NOW_MS + 6000 })).text();
  expect(kv.keys).toHaveLength(6);
});

test.each(GATEWAYS)(
  "when the shard of %s publishes anew the answer and its tag are others, and else the same",
  async (name) => {
    await world.publishThree();
    const tagOf = async (path: string): Promise<string | null> => (await world.get(path)).headers.get("etag");
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
