/** The kind of a failure alone: a gateway may have had a word in its text. */
export function warnOfTick(what: string, error?: unknown): void {
  const kind = error === undefined ? [] : [error instanceof Error ? error.name : "unknown error"];
  // oxlint-disable-next-line no-console -- the platform's log is where operators look
  console.warn(`tick: ${what}`, ...kind);
}
