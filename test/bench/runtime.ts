/** A Worker of the bench in workerd, through the same parts as `npm start`. */
import { fileURLToPath } from "node:url";
import { convertV4MiniflareOptions, type Miniflare, type MiniflareOptions } from "miniflare";
import { readConfig } from "../../src/config/load.ts";
import type { ConfigInput } from "../../src/config/define-config.ts";
import { bundleWorker } from "../../src/local/bundle.ts";
import { launchRuntime, runtimeOptions } from "../../src/local/workerd.ts";
import { withPid } from "./measure.ts";

export interface BenchRuntime {
  readonly miniflare: Miniflare;
  /** Null: it is not known on this machine. */
  readonly pid: number | null;
  post<Answer>(path: string, body: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

export interface BenchWorker {
  /** Below `worker/`. */
  readonly entry: string;
  readonly config: ConfigInput;
  readonly secrets?: Readonly<Record<string, string>>;
}

/** The key is as long as real ones are. */
const BENCH_SECRETS = { GATEWAY_API_KEY: "sk-bench-7Qd2mVx9Lr4TzK1cYb8NfW3hJp6SgE5uA0oRiXtC" };

export async function startRuntime({
  entry,
  config,
  secrets = BENCH_SECRETS,
}: BenchWorker): Promise<BenchRuntime> {
  const script = await bundled(entry, config);
  // An inspector that nobody asks costs nothing.
  const options = {
    ...runtimeOptions({ script, persistDir: null, tickSeconds: 60, secrets }),
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

let bundling: Promise<unknown> = Promise.resolve();

/** One at a time: at its end each bundling stops esbuild's own process, which all share. */
async function bundled(entry: string, config: ConfigInput): Promise<string> {
  const path = fileURLToPath(new URL(`worker/${entry}`, import.meta.url));
  const script = bundling.then(() => bundleWorker(readConfig(config), path));
  bundling = script.catch(() => undefined);
  return script;
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
