/** Where a body ends in a terminal: behind it stand a status that curl was told to print, a prompt, a meter. Pure; linear. */
import { readBody } from "../../protocol/json.ts";

/** JSON without a short rest behind it; any other body as it is. */
export function bareBody(text: string): string {
  if (!/^\s*[{[]/.test(text) || readBody(text).form !== "cut_off") return text;
  const end = endOfJson(text);
  if (end === null || end === text.length) return text;
  const rest = text.slice(end).trim();
  const isOfTerminal = rest.length <= MAX_REST && OF_TERMINAL.test(rest);
  return isOfTerminal && readBody(text.slice(0, end)).form === "json" ? text.slice(0, end) : text;
}

const MAX_REST = 500;
/** What gateways send behind their JSON looks otherwise, and is a fault of theirs. */
const OF_TERMINAL =
  /^(?:(?:[\w ]{1,20}[:=] ?)?\d{3}\b[\w\s.,:;|=-]{0,200}|```|[^\r\n]{0,120}[$%#>❯]|\* [^\r\n]*|curl: \(\d[\s\S]*)$/;

/** Behind the bracket that closes the first one; null: none does. */
export function endOfJson(text: string): number | null {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charAt(at);
    if (isString) {
      if (unit === "\\") at += 1;
      else if (unit === '"') isString = false;
    } else if (unit === '"') isString = true;
    else if (unit === "{" || unit === "[") depth += 1;
    else if (unit === "}" || unit === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}
