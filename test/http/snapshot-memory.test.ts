/** What an isolate remembers of KV, and for how long. */
import { expect, test } from "vitest";
import { handleRequest } from "../../src/http/app.ts";
import type { KvReader } from "../../src/history/reader.ts";
import { SnapshotMemory } from "../../src/http/cache.ts";
import { watched } from "../history/real-kv.ts";
import { NOW_MS, statusDocument } from "./documents.ts";
import { depsOf, useWorld } from "./published-status.ts";

const world = useWorld();

const publishTitle = (title: string) => world.publish(statusDocument({ title }));

/** One isolate, which is asked for the status. */
function isolate() {
  const memory = new SnapshotMemory();
  return async (atMs = NOW_MS, kv: KvReader = world.kv) => {
    const deps = depsOf(kv, { memory, now: () => atMs });
    const answer = await handleRequest(new Request("https://status.example/api/v1/status"), deps);
    return (await answer.json()) as { title: string; stale: boolean };
  };
}

test("requests of the same two seconds share one read of KV", async () => {
  await publishTitle("first");
  const kv = watched(world.kv);
  const memory = new SnapshotMemory();
  for (const [path, atMs] of [
    ["/api/v1/status", 0],
    ["/", 500],
    ["/healthz", 1000],
    ["/api/v1/incidents", 1999],
  ] as const) {
    expect((await world.ask(path, {}, { kv, memory, now: () => NOW_MS + atMs })).status).toBe(200);
  }
  expect(kv.keys).toHaveLength(1);
});

test.each([
  ["two seconds later", 2000],
  ["after the clock was set back", -2000],
])("KV is asked anew %s", async (_, laterMs) => {
  const ask = isolate();
  await publishTitle("first");
  expect(await ask()).toMatchObject({ title: "first" });
  await publishTitle("second");
  expect(await ask()).toMatchObject({ title: "first" });
  expect(await ask(NOW_MS + laterMs)).toMatchObject({ title: "second" });
});

test("a failure is not remembered", async () => {
  const ask = isolate();
  expect(await ask()).toMatchObject({ status: 503 });
  await publishTitle("now it is there");
  expect(await ask()).toMatchObject({ title: "now it is there" });
});
