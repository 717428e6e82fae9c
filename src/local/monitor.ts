/**
 * The monitor on this machine: the Worker in workerd, a server before it, ticks behind it.
 */
import { randomUUID } from "node:crypto";
import { bundleWorker } from "./bundle.ts";
import { startFrontServer } from "./front-server.ts";
import { keepRuntime, type RuntimeKeeper } from "./runtime-keeper.ts";
import { startStorageWatch, type StorageWatch } from "./storage-watch.ts";
import { startTicker } from "./ticker.ts";
import { RuntimeGoneError, startWorkerd } from "./workerd.ts";

export interface MonitorOptions {
  /** That of the configuration. */
  /** What a configuration file exports. */
  readonly configInput: unknown;
  /** Values by the name of the secret. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly tickSeconds: number;
  /** Locked by the code that starts the monitor (`persist-lock.ts`). */
  readonly persistDir: string;
}

export interface Monitor {
  readonly url: string;
  stop(): Promise<void>;
}

/** @throws (rejects) when the address is taken or the configuration has faults. */
export async function startMonitor(options: MonitorOptions): Promise<Monitor> {
  const { host, port, tickSeconds, persistDir, secrets } = options;
  const script = await bundleWorker(options.configInput);
  const storage = await startStorageWatch(persistDir, (words) => console.error(words));
  const runtime = await keepRuntime({
    start: (onRestart) =>
      startWorkerd({ script, persistDir, tickSeconds, secrets, runId: randomUUID(), onRestart }),
    mayPass: () => storage.trouble()?.check === "storage:room",
    say: (words) => console.error(words),
  });
  try {
    const front = await startFrontServer(runtime, {
      host,
      port,
      isPrivate: Object.hasOwn(secrets, "VIEW_TOKEN"),
      trouble: () => storage.trouble(),
    });
    const ticker = startTicker(tickSeconds * 1000, watched(runtime, storage), reportFailure);
    return {
      url: front.url,
      stop: async () => {
        await ticker.stop();
        await front.stop();
        await runtime.stop();
      },
    };
  } catch (error) {
    await runtime.stop();
    throw error;
  }
}

function watched(runtime: RuntimeKeeper, storage: StorageWatch): RuntimeKeeper["tick"] {
  return async (scheduledMs) => {
    try {
      await runtime.tick(scheduledMs);
    } catch (error) {
      await storage.afterTick(true);
      throw error;
    }
    await storage.afterTick(false);
  };
}

/** That no runtime runs was said when it ended. */
function reportFailure(error: unknown): void {
  if (error instanceof RuntimeGoneError) return;
  console.error(`A tick failed: ${error instanceof Error ? error.message : "unknown"}`);
}
