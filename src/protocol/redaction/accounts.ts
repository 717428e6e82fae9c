/**
 * Takes out of a message what tells strangers whose key was used: ids of accounts, and public addresses. Request ids, models and
 * limits stay. Pure.
 */
import { MAX_MESSAGE_LENGTH, mayBeClipped } from "../error-facts.ts";
import { findPublicAddresses } from "./hosts.ts";
import { replaceRanges } from "./ranges.ts";

/** Each keeps its first group. */
const PATTERNS = [
  /(\bproject_number:)\d+/g,
  /(\b(?:subscriptions?|client|object id|identifier)[/ ]["'`]?)[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/gi,
  /(\bacs:[\w:-]*:)\d{12,}(?::[\w-]*user\/[^\s"'`]+)?/g,
  /(\b)(?:acct|cus|sub)_\w{12,}/g,
  /(\b(?:uin|app_?id|uid)["']?[\s:=：]{0,3}["']?)\d{4,}/gi,
  /((?<![每单])(?:用户|账[号户])(?:\s*ID)?\s*[:：=]?\s*)\d{3,}/gi,
  /(\b(?:account|organization|project|tenant|team|workspace)\s)(["'`])[^"'`<>\n]{1,60}\2/gi,
  /(\barn:[\w:-]*:)\d{12}(?::[\w-]*(?:user|role)\/[^\s"'`]+)?/g,
  // The models of Fireworks have the account `fireworks`.
  /((?:account|organization|project|tenant|workspace)s\/)(?!fireworks\b)[\w-]+/g,
  /(\b)(?:org|proj|user|team|wrk|ak)[-_](?=[\w-]*\d|[A-Za-z]{20})[\w-]{6,}/g,
  // After a word for the account: what is quoted, a long number or token, and after "id" any with a digit. But "per organization:
  // 30000" is a limit, and "account 2026-01-01" has a date.
  /((?<!per[ -]|每|单|[a-z.])(?:account|org(?:anization)?|project|tenant|team|user|workspace|账[号户]|用户|组织|项目)(?:[ _-]?id)?["']?[\s:=：/(]{0,3})(?:["'`<][^\s"'`<>]+["'`>]|[\w.+-]+@[\w.-]+|\[?(?!\d{4}-\d\d-|\d+\s*(?:tokens?|requests?|[RT]P[MD])\b)(?=[\w-]*\d)(?:[\w-]*\d{5}|[\w-]{12}|(?<=id\W+))[\w-]*\]?)/gi,
];

/** With `[id]` and `[address]` in their places. */
export function withoutAccounts<Told extends { readonly message: string | null }>(told: Told): Told {
  if (told.message === null) return told;
  const nameless = PATTERNS.reduce((text, pattern) => text.replace(pattern, "$1[id]"), told.message);
  const addresses = findPublicAddresses(nameless, mayBeClipped(told.message, MAX_MESSAGE_LENGTH));
  return { ...told, message: replaceRanges(nameless, addresses, "[address]") };
}
