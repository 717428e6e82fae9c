/** Says what is wrong with a text that is no JSON, and where, without a word of the text. Pure. */

/** `error`: what JSON.parse threw; `Unexpected token 's' at line 1, column 11`. */
export function jsonFault(text: string, error: unknown): string {
  const words = (error instanceof Error ? error.message : "")
    .replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, "")
    .replace(/ (?:in JSON )?at position \d+.*$/s, "");
  const before = text.slice(0, faultIndex(text));
  const lastLine = before.slice(before.lastIndexOf("\n") + 1);
  return `${words} at line ${before.split("\n").length}, column ${lastLine.length + 1}`;
}

/**
 * The parser tells the place of only some faults. It is where the longest beginning ends that some continuation would make
 * good.
 */
function faultIndex(text: string): number {
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (couldGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function couldGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const position = /at position (\d+)/.exec(message)?.[1];
    return position === undefined
      ? message.startsWith("Unexpected end of JSON input")
      : Number(position) >= beginning.length;
  }
}
