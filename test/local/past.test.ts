/** The past of the demonstration as its Ledger records it, here in Node. */
import { expect, test, vi } from "vitest";
import { snapshotKey } from "../../src/history/keys.ts";
import { startDemo } from "../../src/local/demo.ts";
import { playPast } from "../../src/local/worker/past-player.ts";
import { NodeStorage } from "../ledger/node-storage.ts";

const START_MS = Date.UTC(2026, 10, 20, 12, 34, 56);

test("a start has one past, however often it is played: a snapshot, and the segments that KV would have by then", async ({
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ["Date"], now: START_MS });
  onTestFinished(() => void vi.useRealTimers());
  const demo = await startDemo(0, 60_000);
  onTestFinished(() => demo.stop());
  const past = demo.begin();
  const play = async (): Promise<ReadonlyMap<string, unknown>> => {
    const kv = new Map<string, unknown>();
    await playPast(
      new NodeStorage(),
      {
        config: demo.config,
        shard: 0,
        peer: () => {
          throw new Error("there is one shard");
        },
        kv: { put: async (key: string, ...value: readonly unknown[]) => void kv.set(key, value) },
        client: "gatepulse/test",
        tickIntervalMs: 60_000,
        run: null,
        secret: (name) => demo.secrets[name] ?? null,
        now: () => START_MS,
        timeoutSignal: () => new AbortController().signal,
        fetch: () => Promise.reject(new Error("no alert is sent here")),
        renderPage: async () => null,
        sendMail: () => Promise.reject(new Error("no mail here")),
      },
      past,
    );
    return kv;
  };
  const [first, second] = [await play(), await play()];
  expect([...first.keys()]).toContain(snapshotKey(0));
  // Hours of 14 days, and each day.
  expect(first.size).toBeGreaterThan(14 * 24 + 90);
  expect(second).toEqual(first);
});
