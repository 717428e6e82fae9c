/** Resolves when this process is asked to stop, so that it can stop cleanly. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const POLL_MS = 250;

/** Some shells (dash) die of npm's signal and do not pass it on, so under npm the end of the parent counts as a signal too. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve());
    if (process.env["npm_lifecycle_event"] === undefined) return;
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) resolve();
    }, POLL_MS).unref();
  });
}
