/**
 * Reads the table of synonyms: what codes, types and words of a failed answer stand for. Pure; the words are at most
 * 4096 characters, so no pattern costs much.
 */
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

function meaningOfName(name: string): SynonymCause | null {
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
  const meanings = SYNONYMS.filter(
    (row) => causes.includes(row.cause) && row.words.some((pattern) => pattern.test(text)),
  ).map((row) => row.cause);
  if (meanings[0] === "rate_limited" && causes.includes("quota_exceeded")) {
    return isLongWindow(text) ? "quota_exceeded" : "rate_limited";
  }
  return meanings[0] ?? null;
}

/** Whether the words speak of a limit that renews within the hour. */
export function isShortWindow(words: string): boolean {
  const text = plainWords(words);
  const waitSeconds = waitInWords(text);
  if (waitSeconds !== null && waitSeconds >= LONG_WAIT_SECONDS) return false;
  if (LONG_WINDOW.test(text)) return false;
  return waitSeconds !== null || SHORT_WINDOW.test(text);
}

/** Whether the words speak of a limit a day, a week or a month. */
export function isLongLimit(words: string): boolean {
  return LONG_WINDOW.test(plainWords(words));
}

/** Whether the words name a rate outright, and not only something that a rate may be about. */
export function namesRate(words: string): boolean {
  return /rate[ -]?limit|too many (?:\w+ )?requests|concurrent requests|throttl|速率|限流|频率|频繁|并发/.test(
    plainWords(words),
  );
}

/** Whether the words are about keys and accounts behind the gateway, which the caller does not own. */
export function speaksOfOthers(words: string): boolean {
  return /upstream|channel|provider|administrator|上游|渠道|管理员/i.test(words);
}

/** Names that gateways give to anything, or that only echo a status. */
const SAYS_NOTHING =
  /^(?:error|invalidrequesterror|invalidrequest|apierror|unknownerror|unknown|upstreamerror|newapierror|oneapierror|onehuberror|autherror|none|null|servererror|requesterror|failed|fail|clienterror|\d{3})$/;

/** Keys, channels and accounts behind the gateway are not the caller's. */
const NOT_THE_CALLER = /^(?:channel|upstream|provider)/;

const LONG_WAIT_SECONDS = 3600;
const LONG_WINDOW =
  /(?:per|\/|a)[ _-]?(?:day|week|month)\b|per(?:day|week|month)|daily|weekly|monthly|limit: 0\b|\b[rt]pd\b|每[日天周月]|当[日天]|今[日天]|本[周月]/;
const SHORT_WINDOW =
  /(?:per|\/)[ _-]?min(?:ute)?|(?:per|\/)[ _-]?sec(?:ond)?|\b[rt]p[ms]\b|\bqp[sm]\b|rate[ -]?limit|concurren|token-limit|allocated quota exceeded|too many requests|每分钟|每秒|分钟内|并发|频率|速率|限流/;

/** Lower case, simplified characters, and without hints in brackets such as "(e.g. check quota)", which state nothing. */
function plainWords(words: string): string {
  return words
    .toLowerCase()
    .replace(/\(e\.g\.[^()]*\)/g, " ")
    .replace(TRADITIONAL, (character) => SIMPLIFIED.get(character) ?? character);
}

const PAIRS =
  "餘余額额儲储帳帐戶户頻频並并發发無无過过請请權权錯错誤误鑰钥憑凭證证達达數数調调訪访問问務务處处進进運运驗验簽签還还沒没費费滿满時时單单個个點点帶带參参載载試试後后應应該该號号碼码組组級级當当許许讀读";
const SIMPLIFIED: ReadonlyMap<string, string> = new Map(
  (PAIRS.match(/../gu) ?? []).map((pair) => [pair.charAt(0), pair.charAt(1)]),
);
const TRADITIONAL = new RegExp(`[${[...SIMPLIFIED.keys()].join("")}]`, "g");

function isLongWindow(text: string): boolean {
  const waitSeconds = waitInWords(text);
  if (waitSeconds !== null) return waitSeconds >= LONG_WAIT_SECONDS;
  return LONG_WINDOW.test(text);
}

/** "reset after 161h39m41s", "try again in 7m12s", "retry in 35.2s": the wait in seconds. */
function waitInWords(text: string): number | null {
  const phrase =
    /(?:try again|retry|retrying|reset|resets|wait|available)[^.\n]{0,20}? (?:in|after|for|about) (?:about )?(?:(\d{1,6}) ?d(?:ays?)?[ ,]*)?(?:(\d{1,6}) ?h(?:ours?|rs?)?[ ,]*)?(?:(\d{1,6}) ?m(?:in(?:ute)?s?)?(?!s)[ ,]*)?(?:(\d{1,9})(?:\.\d+)? ?s(?:ec(?:ond)?s?)?)?/.exec(
      text,
    );
  const delay = /^(\d{1,9})(?:\.\d+)?s$/m.exec(text);
  const parts = (phrase ?? []).slice(1).map((part) => (part === undefined ? 0 : Number(part)));
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const waited = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  if (waited > 0) return waited;
  return delay === null ? null : Number(delay[1]);
}
