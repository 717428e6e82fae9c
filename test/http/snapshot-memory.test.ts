/** What an isolate remembers of KV, and for how long. */
import { expect, test } from "vitest";
import { handleRequest } from "../../src/http/app.ts";
import type { KvReader } from "../../src/history/reader.ts";
import { SnapshotMemory } from "../../src/http/snapshot-memory.ts";
import { depsOf, NOW_MS, useWorld, statusDocument } from "./published-status.ts";

const world = useWorld();

function counted(kv: KvReader): { kv: KvReader; reads: () => number } {
  let reads = 0;
  const getWithMetadata: KvReader["getWithMetadata"] = (key, options) => {
    reads += 1;
    return kv.getWithMetadata(key, options);
  };
  return { kv: { getWithMetadata }, reads: () => reads };
}

test("requests of the same two seconds share one read of KV", async () => {
  await world.publish(statusDocument({ title: "first" }));
  const { kv, reads } = counted(world.kv);
  const memory = new SnapshotMemory();
  for (const [path, atMs] of [
    ["/api/v1/status", 0],
    ["/", 500],
    ["/healthz", 1000],
    ["/api/v1/incidents", 1999],
  ] as const) {
    const deps = depsOf(kv, { memory, now: () => NOW_MS + atMs });
    expect((await handleRequest(new Request(`https://status.example${path}`), deps)).status).toBe(200);
  }
  expect(reads()).toBe(1);
});

test.each([
  ["two seconds later", 2000],
  ["after the clock was set back", -1],
])("KV is asked anew %s", async (_, laterMs) => {
  const memory = new SnapshotMemory();
  const title = async (atMs: number): Promise<unknown> => {
    const deps = depsOf(world.kv, { memory, now: () => atMs });
    const answer = await handleRequest(new Request("https://status.example/api/v1/status"), deps);
    return ((await answer.json()) as { title: string }).title;
  };
  await world.publish(statusDocument({ title: "first" }));
  expect(await title(NOW_MS)).toBe("first");
  await world.publish(statusDocument({ title: "second" }));
  expect(await title(NOW_MS)).toBe("first");
  expect(await title(NOW_MS + laterMs)).toBe("second");
});

test.each([
  ["begins to count anew with the same number and length", { title: "other" }, {}],
  ["was made in another moment", {}, { generatedMs: NOW_MS + 1 }],
])("a publication that %s is another one", async (_, status, facts) => {
  const memory = new SnapshotMemory();
  const read = async (atMs: number): Promise<unknown> => {
    const answer = await memory.read(world.kv, 1, () => atMs);
    return answer.ok && answer.value;
  };
  await world.publish(statusDocument({ title: "first" }));
  const first = await read(NOW_MS);
  expect(await read(NOW_MS + 2000)).toBe(first);
  await world.publish(statusDocument({ title: "first", ...status }), {}, facts);
  const second = await read(NOW_MS + 4000);
  expect(second).not.toBe(first);
  expect(await read(NOW_MS + 6000)).toBe(second);
});

test("a read that was slow brings nothing old back", async () => {
  const memory = new SnapshotMemory();
  const waiting: (() => void)[] = [];
  const slow: KvReader = {
    getWithMetadata: async (key, options) => {
      const value = await world.kv.getWithMetadata(key, options);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return value;
    },
  };
  const ask = async (kv: KvReader): Promise<unknown> => {
    const request = new Request("https://status.example/api/v1/status");
    return ((await (await handleRequest(request, depsOf(kv, { memory }))).json()) as { title: string }).title;
  };
  await world.publish(statusDocument({ title: "old" }));
  const first = ask(slow);
  while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await world.publish(statusDocument({ title: "new" }));
  expect(await ask(world.kv)).toBe("new");
  for (const resolve of waiting) resolve();
  expect(await first).toBe("old");
  expect(await ask(world.kv)).toBe("new");
});

test("a failure is not remembered", async () => {
  const memory = new SnapshotMemory();
  const ask = async (): Promise<number> => {
    const deps = depsOf(world.kv, { memory });
    return (await handleRequest(new Request("https://status.example/api/v1/status"), deps)).status;
  };
  expect(await ask()).toBe(503);
  await world.publish(statusDocument({ title: "now it is there" }));
  expect(await ask()).toBe(200);
});

test("what is remembered becomes stale like what is read", async () => {
  const memory = new SnapshotMemory();
  await world.publish(statusDocument({}), {}, { lastTickMs: NOW_MS - 7 * 60_000 + 1000 });
  const stale = async (atMs: number): Promise<unknown> => {
    const deps = depsOf(world.kv, { memory, now: () => atMs });
    const answer = await handleRequest(new Request("https://status.example/api/v1/status"), deps);
    return ((await answer.json()) as { stale: boolean }).stale;
  };
  expect(await stale(NOW_MS)).toBe(false);
  expect(await stale(NOW_MS + 1500)).toBe(true);
});
