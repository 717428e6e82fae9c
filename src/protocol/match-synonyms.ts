/**
 * Reads the table of synonyms: what codes, types and words of a failed answer stand for. Pure; the words are at most
 * 4096 characters, so no pattern costs much.
 */
import { limitWindow } from "./limit-window.ts";
import { plainWords } from "./plain-words.ts";
import { SYNONYMS } from "./synonyms.ts";
import type { SynonymCause } from "./synonyms.ts";

/** The meaning of the first name that has one; names are error codes or types as found. */
export function meaningOfNames(names: readonly string[]): SynonymCause | null {
  for (const name of names) {
    const cause = meaningOfName(name);
    if (cause !== null) return cause;
  }
  return null;
}

/** Names of up to 100 letters and digits, and what stands between them. */
const MAX_NAME_LENGTH = 300;

function meaningOfName(name: string): SynonymCause | null {
  if (name.length > MAX_NAME_LENGTH || OF_A_DATABASE.test(name)) return null;
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (plain.length > 100 || SAYS_NOTHING.test(plain)) return null;
  const isOfOthers = NOT_THE_CALLER.test(plain);
  const fits = SYNONYMS.find(
    (row) =>
      (!isOfOthers || row.cause === "upstream_unavailable") &&
      row.names.some((pattern) => pattern.test(plain)),
  );
  return fits?.cause ?? null;
}

/** What the words mean; `causes` are the meanings that the caller of this function accepts here. */
export function meaningOfWords(words: string, causes: readonly SynonymCause[]): SynonymCause | null {
  const text = plainWords(words);
  const meaning = SYNONYMS.find(
    (row) => causes.includes(row.cause) && row.words.some((pattern) => pattern.test(text)),
  )?.cause;
  if (meaning !== "rate_limited" && meaning !== "quota_exceeded") return meaning ?? null;
  if (!causes.includes("rate_limited") || !causes.includes("quota_exceeded")) return meaning;
  const window = limitWindow(text);
  if (window === "long") return "quota_exceeded";
  return window === "short" ? "rate_limited" : meaning;
}

/** Whether the words name a rate outright, and not only something that a rate may be about. */
export function namesRate(words: string): boolean {
  return /rate[ -]?limit|rate exceeded|frequency limit|too many (?:\w+ )?requests|concurrent requests|throttl|速率|限流|限频|频率|频繁|并发/.test(
    plainWords(words),
  );
}

/** Whether the words are about keys and accounts behind the gateway, which the caller does not own. */
export function speaksOfOthers(words: string): boolean {
  return /upstream|channel|provider|administrator|上游|渠道|管理员/i.test(words);
}

/** Whether the words are about an account's money, and not about something else that is overdue or used up. */
export function namesMoney(words: string): boolean {
  return /(?<!load[ -])balance|credits?\b|points|funds|recharge|top[ -]?up|billing|payment|余额|欠费|充值|储值|额度|费用|资金|资源包|积分|点数|算力|账户|帐户|代币/.test(
    plainWords(words),
  );
}

/** Names that gateways give to anything, or that only echo a status. */
const SAYS_NOTHING =
  /^(?:error|invalidrequesterror|invalidrequest|apierror|unknownerror|unknown|upstreamerror|newapierror|oneapierror|onehuberror|autherror|none|null|servererror|requesterror|failed|fail|clienterror|\d{3})$/;

/** MySQL's own: whom it refuses is the service, and not the caller. */
const OF_A_DATABASE = /^ER_[A-Z_]{4,}$/;

/** Keys, channels and accounts behind the gateway are not the caller's. */
const NOT_THE_CALLER = /^(?:channel|upstream|provider)/;
