/**
 * The monitor on this machine: the Worker in workerd, a server before it, ticks behind it.
 */
import { randomUUID } from "node:crypto";
import type { Config } from "../config/config.ts";
import { bundleWorker } from "./bundle.ts";
import { startFrontServer } from "./front-server.ts";
import { startTicker } from "./ticker.ts";
import { RuntimeGoneError, startWorkerd } from "./workerd.ts";

export interface MonitorOptions {
  readonly config: Config;
  /** Values by the name of the secret. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly tickSeconds: number;
  /** Locked by the code that starts the monitor (`persist-dir.ts`). */
  readonly persistDir: string;
}

export interface Monitor {
  readonly url: string;
  /** Resolves when the runtime has crashed for good: only a new start helps. */
  readonly crashed: Promise<void>;
  stop(): Promise<void>;
}

/** Crashes after which Miniflare may start the runtime again, until a tick goes well. */
const RESTARTS = 1;

/** @throws (rejects) when the address is taken. */
export async function startMonitor(options: MonitorOptions): Promise<Monitor> {
  const { host, port, tickSeconds, persistDir, secrets } = options;
  const script = await bundleWorker(options.config);
  const { promise: crashed, resolve: giveUp } = Promise.withResolvers<void>();
  let restarts = 0;
  const runtime = await startWorkerd({
    script,
    persistDir,
    tickSeconds,
    secrets,
    runId: randomUUID(),
    onRestart: () => {
      restarts += 1;
      if (restarts > RESTARTS) giveUp();
    },
  });
  const tick = async (scheduledMs: number): Promise<void> => {
    await runtime.tick(scheduledMs);
    restarts = 0;
  };
  const onFailure = (error: unknown): void => {
    if (error instanceof RuntimeGoneError) giveUp();
    else console.error(`A tick failed: ${error instanceof Error ? error.message : "unknown"}`);
  };
  try {
    const front = await startFrontServer(runtime.address, { host, port });
    const stopTicks = startTicker(tickSeconds * 1000, tick, onFailure);
    return {
      url: front.url,
      crashed,
      stop: async () => {
        await stopTicks();
        await front.stop();
        await runtime.stop();
      },
    };
  } catch (error) {
    await runtime.stop();
    throw error;
  }
}
