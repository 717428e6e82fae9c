/** A Worker of the bench in workerd, through the same parts as `npm start`. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { convertV4MiniflareOptions, type Miniflare, type MiniflareOptions } from "miniflare";
import type { AlertInput, ConfigInput } from "../../src/config/define-config.ts";
import { readConfig } from "../../src/config/load.ts";
import { bundleWorker } from "../../src/local/bundle.ts";
import { launchRuntime, runtimeOptions } from "../../src/local/workerd.ts";
import { ledgerName } from "../../src/ledger/rpc.ts";
import { withPid } from "./measure.ts";
import type { Play, Played } from "./play.ts";

export interface BenchRuntime {
  readonly miniflare: Miniflare;
  readonly pid: number;
  post<Answer>(path: string, body: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

export interface BenchWorker {
  /** Below `worker/`. */
  readonly entry: string;
  readonly config: ConfigInput;
  /** Where alerts are sent; default: a host that does not exist. */
  readonly hook?: string;
}

/** The key is as long as real ones are. */
const SECRETS = {
  GATEWAY_API_KEY: "sk-bench-7Qd2mVx9Lr4TzK1cYb8NfW3hJp6SgE5uA0oRiXtC",
  URL: "https://receiver.example/hook",
  SIGNING: `whsec_${btoa("of the bench, 32 bytes in length")}`,
};

/** Webhooks get each event, a chat those of a gateway in one message. */
export const CHANNELS: readonly AlertInput[] = [
  { kind: "webhook", id: "first", url: "URL", secret: "SIGNING" },
  { kind: "slack", url: "URL" },
  { kind: "webhook", id: "second", url: "URL", secret: "SIGNING" },
];

export async function startRuntime({
  entry,
  config,
  hook = SECRETS.URL,
}: BenchWorker): Promise<BenchRuntime> {
  const script = await bundleWorker(fileURLToPath(new URL(`worker/${entry}`, import.meta.url)));
  // An inspector that nobody asks costs nothing.
  const options = {
    ...runtimeOptions({
      script,
      config: readConfig(config),
      persistDir: null,
      tickSeconds: 60,
      secrets: { ...SECRETS, URL: hook },
    }),
    inspectorPort: 0,
  };
  const { started: miniflare, pid } = await withPid(() => readyRuntime(convertV4MiniflareOptions(options)));
  return {
    miniflare,
    pid,
    post: async (path, body) => {
      const init = { method: "POST", body: JSON.stringify(body) };
      const answer = await miniflare.dispatchFetch(`http://bench${path}`, init);
      if (!answer.ok) throw new Error(`${entry} ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as never;
    },
    stop: () => miniflare.dispose(),
  };
}

/** Plays ticks in a runtime of `ledger-entry.ts`; default: in the first Ledger. */
export function play(
  runtime: BenchRuntime,
  order: Omit<Play, "ledger"> & { readonly ledger?: string },
): Promise<Played> {
  return runtime.post<Played>("/", { ledger: ledgerName(0), ...order } satisfies Play);
}

/** A runtime that is stopped when `measure` is over. */
export async function withRuntime<Measured>(
  worker: BenchWorker,
  measure: (runtime: BenchRuntime) => Promise<Measured>,
): Promise<Measured> {
  const runtime = await startRuntime(worker);
  try {
    return await measure(runtime);
  } finally {
    await runtime.stop();
  }
}

/** Gateways in a process of their own (`gateways.ts`), which ends when `use` is over. */
export async function withGateways<Value>(
  use: (origin: string, gateways: ChildProcess) => Promise<Value>,
): Promise<Value> {
  const child = fork(fileURLToPath(new URL("gateways.ts", import.meta.url)));
  const exit = once(child, "exit");
  try {
    const [port] = (await once(child, "message")) as [number];
    return await use(`http://127.0.0.1:${port}`, child);
  } finally {
    if (child.connected) child.disconnect();
    await exit;
  }
}

export async function readyRuntime(options: MiniflareOptions): Promise<Miniflare> {
  const miniflare = launchRuntime(options);
  await miniflare.ready;
  return miniflare;
}

/** So many gateways of one monitor each, named `g0`, `g1`, … */
export function configOf(gateways: number, every: string, baseUrl = "https://gateway.example"): ConfigInput {
  return {
    title: "Model gateways",
    plan: "paid",
    maxProbesPerTick: Math.max(20, gateways),
    gateways: Array.from({ length: gateways }, (_, index) => ({
      id: `g${index}`,
      name: `Gateway number ${index}`,
      baseUrl: `${baseUrl}/g${index}`,
      apiKey: "GATEWAY_API_KEY",
      insecureHttp: true,
      monitors: [{ kind: "models", every }],
    })),
  };
}
