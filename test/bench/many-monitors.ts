/**
 * What readers cost with many monitors in many shards: `node test/bench/many-monitors.ts [monitors] [shards]`. Bytes and time of each
 * answer, CPU of workerd, and the memory of the isolate after it, as workerd's inspector tells it.
 */
import { convertV4MiniflareOptions } from "miniflare";
import { snapshotKey } from "../../src/history/keys.ts";
import { fileURLToPath } from "node:url";
import { bundleWorker } from "../../src/local/bundle.ts";
import { runtimeOptions } from "../../src/local/workerd.ts";
import { fineCpuOf, withPid } from "./cpu.ts";
import { readyRuntime } from "./runtime.ts";
import { publishShards, type ShardWorld } from "./shard-fixtures.ts";

const [monitors = 10_000, shards = 16] = process.argv.slice(2).map(Number);

const PATHS = [
  "/nothing-here",
  "/healthz",
  "/badge/g7.svg",
  "/api/v1/status",
  "/",
  "/?page=2",
  "/gateways/g7",
  "/api/v1/gateways/g7/monitors/m0",
  "/api/v1/incidents",
  "/api/v2/summary.json",
  "/feed.atom",
  "/metrics",
];

interface HeapUsage {
  readonly usedSize: number;
  readonly totalSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

async function main(): Promise<void> {
  const entry = fileURLToPath(new URL("worker/read-entry.ts", import.meta.url));
  const script = await bundleWorker({}, entry);
  const { durableObjects: _, ...options } = runtimeOptions({
    script,
    persistDir: null,
    tickSeconds: 60,
    secrets: { SHARDS: String(shards) },
  });
  const { started: miniflare, pid } = await withPid(() =>
    readyRuntime(convertV4MiniflareOptions({ ...options, inspectorPort: 0 })),
  );
  const kv = await miniflare.getKVNamespace("KV");
  const world: ShardWorld = { monitors, monitorsAGateway: 2, shards, nowMs: Date.now() + 5 * 60_000 };
  for (const [shard, { bytes, metadata }] of await publishShards(world)) {
    await kv.put(snapshotKey(shard), bytes.buffer, { metadata });
    if (shard === 0)
      console.log(`snapshot 0: ${mega(bytes.length)} MB, of which the status ${mega(metadata.bytes)} MB`);
  }
  const site = await miniflare.ready;
  const inspector = await Inspector.open(await miniflare.getInspectorURL());
  console.log(`before: ${await inspector.memory()}`);
  const ask = async (path: string): Promise<void> => {
    const begun = performance.now();
    let bytes = 0;
    let firstMs = 0;
    const cpu = await fineCpuOf(pid, async () => {
      const answer = await fetch(new URL(path, site));
      for await (const chunk of answer.body ?? []) {
        firstMs ||= performance.now() - begun;
        bytes += chunk.length;
      }
    });
    const ms = performance.now() - begun;
    console.log(
      `${path.padEnd(40)} ${String(bytes).padStart(9)} B ${ms.toFixed(0).padStart(6)} ms (first ${firstMs.toFixed(0)}), CPU ${cpu?.toFixed(0)} ms; ${await inspector.memory()}`,
    );
  };
  for (const path of [...PATHS, ...PATHS.map((one) => `${one}${one.includes("?") ? "&" : "?"}again`)])
    await ask(path);
  console.log("one shard publishes anew, and what was read lasts no more:");
  for (let round = 2; round < 5; round += 1) {
    for (const [shard, { bytes, metadata }] of await publishShards(
      { ...world, nowMs: world.nowMs + round * 1000, sequence: round },
      round,
    )) {
      await kv.put(snapshotKey(shard), bytes.buffer, { metadata });
    }
    await new Promise((resolve) => setTimeout(resolve, 10_500));
    await ask(`/?${round}`);
    await ask("/api/v1/status");
  }
  const rss = await inspector.peak(Promise.all(Array.from({ length: 4 }, () => ask("/api/v1/status"))));
  console.log(`four at once: highest ${rss}`);
  inspector.close();
  await miniflare.dispose();
}

class Inspector {
  readonly #socket: WebSocket;
  #id = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async open(base: URL): Promise<Inspector> {
    const url = new URL("/core:user:", base);
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    const inspector = new Inspector(socket);
    await inspector.ask("Runtime.enable");
    return inspector;
  }

  async ask<Answer>(method: string): Promise<Answer> {
    const id = (this.#id += 1);
    return new Promise((resolve) => {
      const listen = ({ data }: MessageEvent): void => {
        const message = JSON.parse(String(data)) as { id?: number; result: Answer };
        if (message.id !== id) return;
        this.#socket.removeEventListener("message", listen);
        resolve(message.result);
      };
      this.#socket.addEventListener("message", listen);
      this.#socket.send(JSON.stringify({ id, method }));
    });
  }

  async memory(): Promise<string> {
    return `memory ${told(await this.ask<HeapUsage>("Runtime.getHeapUsage"))}`;
  }

  async peak(work: Promise<unknown>): Promise<string> {
    const state = { over: false };
    const end = work.finally(() => {
      state.over = true;
    });
    let highest = 0;
    while (!state.over) {
      const usage = await this.ask<HeapUsage>("Runtime.getHeapUsage");
      highest = Math.max(highest, usage.usedSize + (usage.backingStorageSize ?? 0));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await end;
    return `${mega(highest)} MB`;
  }

  close(): void {
    this.#socket.close();
  }
}

function told({ usedSize, backingStorageSize = 0 }: HeapUsage): string {
  return `${mega(usedSize)} + ${mega(backingStorageSize)} MB`;
}

function mega(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

await main();
