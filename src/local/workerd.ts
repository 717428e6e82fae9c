/** The Worker in workerd, with KV and Ledger on disk. The runtime fires no ticks by itself. */
import type * as Runtime from "miniflare";
import { ledgerName } from "../ledger/rpc.ts";
import { packagePath } from "../package/root.ts";
import type { Past } from "./story/story.ts";
import { COMPATIBILITY_DATE, COMPATIBILITY_FLAGS } from "./compatibility.ts";
import { requireOfWrangler } from "./wrangler.ts";

const requireTool = requireOfWrangler();
const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = requireTool("miniflare") as typeof Runtime;

const ASSETS = packagePath("src/http/assets");

export interface WorkerdOptions {
  readonly script: string;
  /** What the script imports as `#config`. */
  readonly config?: unknown;
  /** Where KV and the Ledger are stored; null: in memory. */
  readonly persistDir: string | null;
  readonly tickSeconds: number;
  /** Values by secret name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Nothing is checked and nothing is sent: for a backup or a restore. */
  readonly isAsleep?: boolean;
}

/** The runtime crashed and could not be restarted. Nothing runs any more. */
export class RuntimeGoneError extends Error {
  constructor() {
    super("the runtime has ended");
    this.name = "RuntimeGoneError";
  }
}

type RuntimeOptions = Parameters<typeof convertV4MiniflareOptions>[0];

export async function startWorkerd(options: WorkerdOptions) {
  const miniflare = launchRuntime(convertV4MiniflareOptions(runtimeOptions(options)));
  try {
    const address = await miniflare.ready;
    const tick = await tickerOf(miniflare);
    return {
      /** Where workerd itself listens, on loopback. */
      address,
      tick,
      recordPast: (past: Past) => recordPastIn(miniflare, past),
      stop: () => miniflare.dispose(),
    };
  } catch (error) {
    // The rest of a runtime that could not start would keep this process alive.
    await miniflare.dispose().catch(() => undefined);
    throw error;
  }
}

export function runtimeOptions(options: WorkerdOptions): RuntimeOptions {
  return {
    modules: [
      { type: "ESModule", path: "worker.js", contents: options.script },
      {
        type: "ESModule",
        path: "#config",
        contents: `export default ${JSON.stringify(options.config ?? {})}`,
      },
    ],
    compatibilityDate: COMPATIBILITY_DATE,
    compatibilityFlags: [...COMPATIBILITY_FLAGS],
    host: "127.0.0.1",
    port: 0,
    cf: false,
    // Goes into the header in which workerd names the Worker's zone. The default is a domain of others.
    zone: "gatepulse.localhost",
    log: new Log(LogLevel.WARN),
    // What the Ledger says of its own state, the command says in its own words.
    ...(options.isAsleep === true && { handleStructuredLogs: () => undefined }),
    kvNamespaces: ["KV"],
    ratelimits: { LOGINS: { namespace_id: "4711", simple: { limit: 10, period: 60 } } },
    serviceBindings: { ASSETS: { disk: { path: ASSETS, writable: false } } },
    durableObjects: {
      LEDGER: { className: "Ledger", useSQLite: true },
      VANTAGE: { className: "Vantage", useSQLite: true },
    },
    bindings: {
      ...options.secrets,
      TICK_SECONDS: String(options.tickSeconds),
      ...(options.isAsleep === true && { ASLEEP: "yes" }),
    },
    ...(options.persistDir === null ? {} : { resourcePersistencePath: options.persistDir }),
  };
}

/** Fires a tick and waits for its end. Rejects if it fails. */
export async function tickerOf(miniflare: Runtime.Miniflare) {
  await miniflare.ready;
  return async (scheduledMs: number): Promise<void> => {
    // After a crash the runtime is started again, and old connections are useless.
    const worker = await miniflare.getWorker().catch((error: unknown) => {
      const isGone = error instanceof Error && Reflect.get(error, "code") === "ERR_RUNTIME_FAILURE";
      throw isGone ? new RuntimeGoneError() : error;
    });
    const { outcome } = await worker.scheduled({
      scheduledTime: new Date(scheduledMs),
      cron: "* * * * *",
    });
    if (outcome !== "ok") throw new Error(`the tick ended as ${outcome}`);
  };
}

async function recordPastIn(miniflare: Runtime.Miniflare, past: Past): Promise<void> {
  const ledgers = await miniflare.getDurableObjectNamespace("LEDGER");
  const ledger = ledgers.getByName(ledgerName(0));
  const body = JSON.stringify(past);
  const { ok } = await ledger.fetch("http://ledger/past", { method: "POST", body });
  if (!ok) throw new Error("the past of the demonstration could not be recorded");
  // It starts again with what is recorded. The call that ends it fails.
  await ledger.fetch("http://ledger/memory", { method: "DELETE" }).catch(() => undefined);
}

/** The runtime as a child process that ends with this one and does not handle this one's signals. */
export function launchRuntime(options: Runtime.MiniflareOptions): Runtime.Miniflare {
  guardWorkerd();
  return leavingSignalsAlone(() => new Miniflare(options));
}

/** If the monitor is killed, its runtime ends too: see `workerd-guard.sh`. Windows has no such shell. */
function guardWorkerd(): void {
  if (process.platform === "win32" || process.env["MINIFLARE_WORKERD_PATH"] !== undefined) return;
  const { default: path } = requireTool("workerd") as { default: string };
  process.env["GATEPULSE_WORKERD"] = path;
  process.env["MINIFLARE_WORKERD_PATH"] = packagePath("src/local/workerd-guard.sh");
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Miniflare would end the process at once on a signal. The code that started it must end it in order. */
function leavingSignalsAlone(create: () => Runtime.Miniflare): Runtime.Miniflare {
  const before = SIGNALS.map((signal) => [signal, new Set(process.listeners(signal))] as const);
  const miniflare = create();
  for (const [signal, known] of before) {
    for (const listener of process.listeners(signal)) {
      if (!known.has(listener)) process.removeListener(signal, listener);
    }
  }
  return miniflare;
}
