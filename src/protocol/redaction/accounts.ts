/** Takes out of a gateway's words what tells strangers whose key was used: ids of accounts, public addresses. Pure. */
import { MAX_MESSAGE_LENGTH, MAX_NAME_LENGTH, mayBeClipped } from "../error-facts.ts";
import { findPublicAddresses } from "./hosts.ts";
import { replaceRanges } from "./ranges.ts";

/** Each keeps its first group. */
const PATTERNS = [
  /(\b(?:object id|identifier)[/ ]["'`]?)[\da-f]{8}-[\da-f-]{8,27}/gi,
  /(\bacs:[\w:-]*:)\d{12,}(?::[\w-]*user\/[^\s"'`]+)?/g,
  // The organization of a fine-tuned model of OpenAI.
  /(\bft:[\w.-]+:)[\w-]+(?=:)/g,
  /(\bdash\.cloudflare\.com\/)[\da-f]{32}/g,
  /(\b)(?:acct|cus|sub)_\w{12,}/g,
  /(\b)gen-lang-client-\d+/g,
  /(\b(?:uin|app[_ ]?id|uid)["']?[\s:=：]{0,3}["']?)(?:\d{4,}|[\da-f]{8}\b)/gi,
  /((?<![每单])(?:用户|账[号户])[(（[【]?(?:\s*ID)?\s*[:：=]?\s*)\d{3,}/gi,
  // LiteLLM's words about budgets.
  /(\b(?:User|Team|Organization|Customer)=)(?!None\b|null\b)[^\s"'`<>,;&]+/gi,
  /(\b(?:account|organization|project|tenant|team|workspace)\s)(["'`])[^"'`<>\n]{1,60}\2/gi,
  /(\barn:[\w:-]*:)\d{12}(?::[\w-]*(?:user|role)\/[^\s"'`]+)?/g,
  // The models of Fireworks have the account `fireworks`.
  /((?:account|organization|project|resourceGroup|subscription|tenant|workspace)s\/)(?!fireworks\b)[\w-]+/g,
  // A digit in the first part: `user_quota_429` is an error's code.
  /(\b)(?:org|proj|user|team|wrk|ak)[-_](?=[A-Za-z]*\d|[A-Za-z]{20})[\w-]{5,}/g,
  // After a word for the account: what is quoted, a long number or token, and after "id" any with a digit. But "per organization:
  // 30000" is a limit, and "account 2026-01-01" has a date.
  /((?<!per[ -]|每|单|[a-z.])(?:account|client|customer|org(?:anization)?(?:'s)?|project|subscription|tenant|team|user(?:name)?|workspace|zone|账[号户]|用户|组织|项目)(?:[ _-]?(?:id|number))?["']?[\s:=：/(]{0,3})(?:["'`<][^\s"'`<>]+["'`>]|[\w.+-]+@[\w.-]+|\[?(?![_-]|\d{4}-\d\d-|\d+\s*(?:tokens?|requests?|[RT]P[MD])\b)(?=[\w-]*\d)(?:[\w-]*\d{5}|[\w-]{12}|(?<=(?:id|number)\W+))[\w-]*\]?)/gi,
];

/** A request id is none: support needs it whole. */
const WORDS = ["message", "errorType", "errorCode", "taskId", "taskState"] as const;

/** With `[id]` and `[address]` in their places. */
export function withoutAccounts<Told extends Partial<Record<(typeof WORDS)[number], string | null>>>(
  told: Told,
): Told {
  const shown = WORDS.flatMap((name) => {
    const text: string | null | undefined = told[name];
    return text == null
      ? []
      : [[name, shownText(text, name === "message" ? MAX_MESSAGE_LENGTH : MAX_NAME_LENGTH)]];
  });
  return { ...told, ...Object.fromEntries(shown) };
}

function shownText(text: string, limit: number): string {
  const nameless = PATTERNS.reduce((left, pattern) => left.replace(pattern, "$1[id]"), text);
  return replaceRanges(nameless, findPublicAddresses(nameless, mayBeClipped(text, limit)), "[address]");
}
