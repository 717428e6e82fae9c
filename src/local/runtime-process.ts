/**
 * The runtime as a child process that ends with this one, and that leaves this one's signals alone.
 */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Miniflare, type MiniflareOptions } from "miniflare";

export function launchRuntime(options: MiniflareOptions): Miniflare {
  guardWorkerd();
  return leavingSignalsAlone(() => new Miniflare(options));
}

/** A monitor that is killed takes its runtime along: see `workerd-guard.sh`. Windows has no such shell. */
function guardWorkerd(): void {
  if (process.platform === "win32" || process.env["MINIFLARE_WORKERD_PATH"] !== undefined) return;
  const { default: path }: { default: string } = createRequire(import.meta.url)("workerd");
  process.env["GATEPULSE_WORKERD"] = path;
  process.env["MINIFLARE_WORKERD_PATH"] = fileURLToPath(new URL("workerd-guard.sh", import.meta.url));
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Miniflare would end the process at once on a signal; an orderly end is for the code that started it. */
function leavingSignalsAlone(create: () => Miniflare): Miniflare {
  const before = SIGNALS.map((signal) => [signal, new Set(process.listeners(signal))] as const);
  const miniflare = create();
  for (const [signal, known] of before) {
    for (const listener of process.listeners(signal)) {
      if (!known.has(listener)) process.removeListener(signal, listener);
    }
  }
  return miniflare;
}
