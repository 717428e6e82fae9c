/** Resolves when this process is asked to stop, so that it can stop in good order. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const POLL_MS = 250;

/**
 * A second signal, as from the terminal and from npm, changes nothing. Some shells (dash, the `sh` of Debian) do not pass
 * on the signal that npm sends them, and die of it. So below npm, the end of the parent is a signal too.
 */
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
