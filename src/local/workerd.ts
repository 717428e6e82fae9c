/**
 * The Worker in workerd on this machine, with its KV and Ledger on disk. Ticks are dispatched in the process: the
 * runtime fires none by itself.
 */
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";

export interface WorkerdOptions {
  readonly script: string;
  /** Where KV and the Ledger live; null: in memory. */
  readonly persistDir: string | null;
  readonly tickSeconds: number;
  /** Values by the name of the secret. */
  readonly secrets: Readonly<Record<string, string>>;
}

export interface LocalWorkerd {
  /** Where workerd itself listens, on loopback. */
  readonly address: URL;
  /** Fires a tick and waits until it is over. */
  tick(scheduledMs: number): Promise<void>;
  stop(): Promise<void>;
}

export const COMPATIBILITY_DATE = "2026-10-20";

export async function startWorkerd(options: WorkerdOptions): Promise<LocalWorkerd> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: options.script,
      compatibilityDate: COMPATIBILITY_DATE,
      compatibilityFlags: ["global_fetch_strictly_public"],
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.WARN),
      kvNamespaces: ["KV"],
      durableObjects: { LEDGER: { className: "Ledger", useSQLite: true } },
      bindings: { ...options.secrets, TICK_SECONDS: String(options.tickSeconds) },
      ...(options.persistDir === null ? {} : { resourcePersistencePath: options.persistDir }),
    }),
  );
  const address = await miniflare.ready;
  const worker = await miniflare.getWorker();
  return {
    address,
    tick: async (scheduledMs) => {
      await worker.scheduled({ scheduledTime: new Date(scheduledMs), cron: "* * * * *" });
    },
    stop: () => miniflare.dispose(),
  };
}
