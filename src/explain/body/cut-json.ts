/** JSON whose end was not copied, or that has a comma too many, made whole again. Pure; linear. */
import { readErrorFacts } from "../../protocol/error-facts.ts";
import { asText, isEmptyValue, readBody } from "../../protocol/json.ts";

/** Longer ones are of a listing, and not of an error. */
const MAX_LENGTH = 65_536;

/**
 * The text that says the same as a whole. Null: it cannot be told, or it names no failure, and half of a good answer is not a
 * good one.
 */
export function repairedFailure(text: string): string | null {
  if (text.length > MAX_LENGTH || !/^\s*\{/.test(text)) return null;
  const whole = closed(text);
  const read = whole === null ? null : readBody(whole);
  if (whole === null || read?.form !== "json") return null;
  const facts = readErrorFacts(read.json);
  const isFailure =
    facts.hasError || facts.saysNoSuccess || facts.hasForeignFault || asText(facts.errorCode) !== null;
  return isFailure || !isEmptyValue(facts.businessCode) ? whole : null;
}

/** Open strings and brackets are closed; what begins at the end and says nothing yet is left out. */
function closed(text: string): string | null {
  const open: string[] = [];
  let isString = false;
  let kept = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charAt(at);
    if (isString) {
      if (unit === "\\") at += 1;
      else if (unit === '"') isString = false;
    } else if (unit === '"') isString = true;
    else if (unit === "{") open.push("}");
    else if (unit === "[") open.push("]");
    else if (unit === "}" || unit === "]") {
      if (open.pop() !== unit) return null;
      kept += withoutTail(text.slice(from, at)) + unit;
      from = at + 1;
    }
  }
  const rest = text.slice(from).replace(/\\(?:u[\da-fA-F]{0,3})?$/, "");
  return kept + withoutTail(isString ? `${rest}"` : rest) + open.toReversed().join("");
}

/** A comma, or a member without its value. */
function withoutTail(piece: string): string {
  const bare = piece.trimEnd();
  if (bare.endsWith(",")) return bare.slice(0, -1);
  return bare.replace(/(^|[{,])\s*"(?:[^"\\]|\\.)*"\s*:?$/, (whole, before: string) =>
    keptName(whole, before),
  );
}

function keptName(whole: string, before: string): string {
  return whole.endsWith(":") || before !== "" ? before.replace(",", "") : whole;
}
