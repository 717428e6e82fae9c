/** A command line of curl, and what it printed: without -i that is the body alone. Pure; linear. */
import type { Kind } from "../protocol/observation.ts";
import { readBodyAlone } from "./body-alone.ts";
import { guessKind, kindNotes } from "./kind-guess.ts";
import type { Pasted } from "./pasted.ts";
import { requestOfCommand } from "./asked-request.ts";

export function readCommandAnswer(text: string, kind: Kind | null): Pasted | null {
  const command = /^\s*(?:[^\n'"{[<]{0,200}[$%#>❯]\s{1,8})?(?=curl(?:\.exe)?\s)/.exec(
    text.slice(0, 1000),
  )?.[0];
  const end = command === undefined ? null : endOfCommand(text, command.length);
  const request = end === null ? null : requestOfCommand(text.slice(0, end));
  if (end === null || request === null) return null;
  const body = text.slice(end);
  const guessed = kind ?? guessKind(request.url, {}, body);
  const pasted = readBodyAlone(body, guessed);
  return {
    ...pasted,
    request,
    notes: [
      ...pasted.notes,
      ...kindNotes(kind, request.url),
      ...(body.trim() === "" ? (["body_missing"] as const) : []),
    ],
  };
}

/** Behind the line's end that no quotes hold and no backslash hides; null: a quote is open. */
function endOfCommand(text: string, start: number): number | null {
  let quote = "";
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charAt(at);
    if (unit === "\\" && quote !== "'") at += text.startsWith("\r\n", at + 1) ? 2 : 1;
    else if (quote !== "") quote = unit === quote ? "" : quote;
    else if (unit === "'" || unit === '"') quote = unit;
    else if (unit === "\n") return at + 1;
  }
  return quote === "" ? text.length : null;
}
