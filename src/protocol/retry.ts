/** When to try again: `Retry-After`, and the waits of spec 7.3 and 7.4. Pure. */

const MAX_AFTER_SECONDS = 2_147_483_647;

/** Of a value that is all digits, or of the longest wait where several headers were joined with commas (RFC 9110, 5.3). */
function delaySeconds(value: string | null | undefined): number | null {
  const parts = (value ?? "").split(",").map((part) => part.trim());
  if (!parts.every(isAllDigits)) return null;
  return parts.reduce((longest, part) => Math.max(longest, Math.min(Number(part), MAX_AFTER_SECONDS)), 0);
}

/** An HTTP-date is measured from `date`, the answer's Date header, or from `nowMs` where that is missing. */
export function retryAfterSeconds(
  value: string | null | undefined,
  date: string | null | undefined,
  nowMs: number,
): number | null {
  if (value === null || value === undefined) return null;
  const delay = delaySeconds(value);
  if (delay !== null) return delay;
  const untilMs = httpDateMs(value.trim());
  if (untilMs === null) return null;
  const fromMs = httpDateMs((date ?? "").trim()) ?? nowMs;
  const seconds = Math.ceil((untilMs - fromMs) / 1000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_AFTER_SECONDS) : null;
}

function isAllDigits(text: string): boolean {
  return /^[0-9]+$/.test(text);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const HTTP_DATES = [
  /^[a-z]{3}, (?<day>\d{2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) (?:gmt|utc)$/i,
  /^[a-z]{6,9}, (?<day>\d{2})-(?<month>[a-z]{3})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) gmt$/i,
  /^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/i,
];

/** Unix time in milliseconds of an HTTP-date in any of its three forms, else null. `Date.parse` takes "1.5" for a date. */
function httpDateMs(text: string): number | null {
  const found = HTTP_DATES.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  const { day, month: name = "", year = "", time = "" } = found ?? {};
  const month = MONTHS.indexOf(name.toLowerCase());
  const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number);
  if (month < 0 || hour > 23 || minute > 59 || second > 60) return null;
  const century = year.length > 2 ? "" : Number(year) < 70 ? "20" : "19";
  const ms = Date.UTC(Number(century + year), month, Number(day), hour, minute, second);
  return new Date(ms).getUTCMonth() === month || second === 60 ? ms : null;
}

export const MAX_ATTEMPTS = 4;
/** For headers and body together. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** A longer Retry-After ends the probe. */
export const MAX_RETRY_AFTER_SECONDS = 30;

/** Null: too long a wait. @param attempt from 0. @param random 0 to 1, 1 excluded. @param retryAfter only digits, as the reference client. */
export function retryDelayMs(attempt: number, retryAfter: string | null, random: number): number | null {
  const delay = delaySeconds(retryAfter);
  if (delay !== null) return delay > MAX_RETRY_AFTER_SECONDS ? null : delay * 1000;
  return backoffMs(attempt, random);
}

export function backoffMs(attempt: number, random: number): number {
  return Math.round((Math.min(8, 2 ** attempt) + random * 0.5) * 1000);
}
