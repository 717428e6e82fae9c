/**
 * Over what stretch of time a limit is counted, by the words about it: one sentence means a limit a minute at one
 * vendor and an empty plan at another. Pure; takes plain words.
 */

export type LimitWindow = "short" | "long" | "untold";

/** `short`: renewed within the hour, so waiting cures it. `long`: renewed a day or more later, or never. */
export function limitWindow(text: string): LimitWindow {
  if (NEVER_SOON.test(text)) return "long";
  const waitSeconds = waitInWords(text);
  if (waitSeconds !== null) return waitSeconds >= LONG_WAIT_SECONDS ? "long" : "short";
  if (LONG.test(text)) return "long";
  return SHORT.test(text) ? "short" : "untold";
}

/** Whether a day, a week or a month is named, whatever else is. */
export function namesLongWindow(text: string): boolean {
  return NEVER_SOON.test(text) || LONG.test(text);
}

const LONG_WAIT_SECONDS = 3600;

/** Names of quotas by the day come with a wait of seconds that does not renew them. */
const NEVER_SOON = /per(?:day|week|month)|limit: 0\b/;
const LONG =
  /(?:per|\/|an?|this|current)[ _-]?(?:day|week|month|billing)\b|daily|weekly|monthly|\b[rt]pd\b|\b24[ -]?h(?:ours?|rs?)?\b|tomorrow|midnight|next (?:day|week|month)\b|每[日天周月]|明[日天]|次日|当[日天]|今[日天]|本[周月]/;
const SHORT =
  /(?:per|\/)[ _-]?(?:min|sec)|(?:this|current) min(?:ute)?\b|\b[rt]p[ms]\b|\bqp[sm]\b|rate[ -]?limit|concurren|token-limit|allocated quota exceeded|too many requests|[每本]分钟|每秒|分钟内|并发|频率|频繁|速率|限流|限频/;

/** "reset after 161h39m41s", "try again in 7m12s", "retry in 35.2s", or "35s" on a line of its own, in seconds. */
function waitInWords(text: string): number | null {
  const phrase = WAIT.exec(text);
  const [days, hours, minutes, seconds] = (phrase ?? []).slice(1).map((part) => Number(part ?? 0));
  const waited = (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
  if (waited > 0) return waited;
  const delay = /^(\d{1,9})(?:\.\d+)?s$/m.exec(text);
  return delay === null ? null : Number(delay[1]);
}

const WAIT =
  /(?:try again|retry|retrying|resets?|wait|available)[^.\n]{0,20}? (?:in|after|for|about) (?:about )?(?:(\d{1,6}) ?d(?:ays?)?[ ,]*)?(?:(\d{1,6}) ?h(?:ours?|rs?)?[ ,]*)?(?:(\d{1,6}) ?m(?:in(?:ute)?s?)?(?!s)[ ,]*)?(?:(\d{1,9})(?:\.\d+)? ?s(?:ec(?:ond)?s?)?)?/;
