/** What the Ledger writes into the platform's log. */

/** The error is the platform's or of what is stored: no gateway and no receiver has a word in it. */
export function warnOfLedger(what: string, error?: unknown): void {
  const words = error === undefined ? [] : [kindOf(error)];
  // oxlint-disable-next-line no-console -- the platform's log is where operators look
  console.warn(`ledger: ${what}`, ...words);
}

/** Parsers quote the text that they cannot read: of such an error, the name alone. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  const { name, message } = error;
  const isOfText = error instanceof SyntaxError || "issues" in error;
  return isOfText ? name : `${name}: ${message.slice(0, 200)}`;
}
