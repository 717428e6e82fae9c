/** How values are written in a language: causes, figures, spans, instants, and sentences stored in English. Pure. */
import { MINUTE_MS, spanParts } from "../../domain/calendar.ts";
import { say, toldSentences } from "../../domain/language/words.ts";
import type { Cause, Owner } from "../../protocol/diagnosis.ts";
import { type Child, jsx } from "../jsx/jsx-runtime.ts";
import type { Messages } from "./i18n/messages.ts";

/** A space at which no line ends: a number stays with its unit. */
export const UNPARTED = "\u00a0";

/** @param sent whether a request went out; null: not known. @param owner null: not known. */
export function causeWords(
  cause: Cause,
  sent: boolean | null,
  { causes, operatorCauses, noKey }: Messages,
  owner: Owner | null = null,
): string {
  if (cause === "authentication" && sent === false) return noKey;
  const ofOperator: Partial<Messages["causes"]> = owner === "operator" ? operatorCauses : {};
  return ofOperator[cause] ?? causes[cause];
}

/** `99.82 %`; never rounded up to 100 %. */
export function percent(share: number | null, words: Messages): string {
  if (share === null) return words.noData;
  // 0.57 * 10,000 is a little less than 5,700.
  return say(words.percent, Math.floor(Number((share * 10_000).toFixed(6))) / 100);
}

export function milliseconds(value: number, { units }: Messages): string {
  return `${Math.round(value)}${UNPARTED}${units.ms}`;
}

export function ifKnown<Value>(value: Value | null | undefined, tell: (value: Value) => string): string {
  return value === null || value === undefined ? "" : tell(value);
}

/** `3 d 4 h`. */
export function spanWords(fromMs: number, toMs: number, { units }: Messages): string {
  return spanParts(fromMs, toMs)
    .map(([count, unit]) => `${count}${UNPARTED}${units[unit]}`)
    .join(" ");
}

/** To the nearest minute, in its largest unit: `12 min`. Checks take seconds after their tick. */
export function ageWords(fromMs: number, nowMs: number, { units, underMinute }: Messages): string {
  const [part] = spanParts(0, Math.round((nowMs - fromMs) / MINUTE_MS) * MINUTE_MS);
  return part === undefined || part[1] === "s" ? underMinute : `${part[0]}${UNPARTED}${units[part[1]]}`;
}

/** The region itself if a newer version published one that has no name here. */
export function regionName(region: string, { regions }: Messages): string {
  const names: Readonly<Record<string, string>> = regions.names;
  return (Object.hasOwn(names, region) ? names[region] : null) ?? region;
}

export function sentences(parts: readonly Child[], { gap }: Messages): Child {
  return joined(
    parts.filter((part) => part !== "" && part !== null && part !== false),
    gap,
  );
}

export function joined(parts: readonly Child[], between: string): Child {
  return parts.map((part, index) => [index > 0 && between, part]);
}

export interface ZoneClock {
  readonly timeZone: string;
  /** `2026-11-20 20:00:05 GMT+8`; the text itself where it is no instant. */
  show(instant: string): string;
}

export function hourOf(at: string, clock: ZoneClock): string {
  return clock.show(at).slice(11, 16);
}

export function zoneClock(timeZone: string): ZoneClock {
  // Loading the rules of time zones takes as long as half a page.
  const format = timeZone === "UTC" ? null : new Intl.DateTimeFormat(ISO_LOCALE, { ...TO_SECONDS, timeZone });
  return {
    timeZone,
    show(instant) {
      const date = new Date(instant);
      if (Number.isNaN(date.getTime())) return instant;
      return format === null
        ? `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`
        : format.format(date).replace("\u2212", "-").replace("GMT+0", "UTC");
    },
  };
}

/** Swedish writes dates as ISO 8601 does. */
const ISO_LOCALE = "sv-SE";

const TO_SECONDS = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "shortOffset",
} as const;

/** By the first letter: on a Chinese page Latin ones are usually English, and kana are Japanese. Undefined: the page's, or unknown. */
export function languageOf(text: string, { tag }: Pick<Messages, "tag">): "en" | "zh" | undefined {
  const isPageChinese = tag.startsWith("zh");
  const isHan =
    /^\P{L}*\p{Script=Han}/u.test(text) && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  if (isHan) return isPageChinese ? undefined : "zh";
  return isPageChinese && /\p{Script=Latin}/u.test(text) ? "en" : undefined;
}

/** @param cause the one that the text gives advice about; null: it is no advice. */
export function storedWords(text: string, cause: Cause | null, words: Messages): Child {
  const { stored, gap } = words;
  if (stored === null) return jsx("bdi", { lang: languageOf(text, words), children: text });
  const told = toldSentences(text, cause, stored).map((one) =>
    typeof one === "string" ? one : jsx("q", { lang: "en", children: one.quote }),
  );
  return joined(told, gap);
}
