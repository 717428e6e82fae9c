/**
 * How values are told in the words of a catalogue. Pure.
 */
import { spanParts } from "../../../domain/calendar.ts";
import type { Cause } from "../../../protocol/diagnosis.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import type { Messages } from "../i18n/messages.ts";

/** A space at which no line ends: a number stays with its unit. */
export const UNPARTED = "\u00a0";

/**
 * @param sent whether a request went out; null: not known.
 */
export function causeWords(cause: Cause, sent: boolean | null, { causes, noKey }: Messages): string {
  return cause === "authentication" && sent === false ? noKey : causes[cause];
}

/** `99.82 %`; never rounded up to 100 %. */
export function percent(share: number | null, words: Messages): string {
  if (share === null) return words.noData;
  // A product like 0.57 * 10,000 lies a hair below the number that it means.
  return words.percent(Math.floor(Number((share * 10_000).toFixed(6))) / 100);
}

export function milliseconds(value: number | null, { none, units }: Messages): string {
  return value === null ? none : `${Math.round(value)}${UNPARTED}${units.ms}`;
}

/** Of an axis, in as few letters as all its marks need: `10 s`, `5 s`, `0 s`. */
export function axisWords(ms: number, topMs: number, { units }: Messages): string {
  return topMs < SECOND_MS
    ? `${Math.round(ms)}${UNPARTED}${units.ms}`
    : `${ms / SECOND_MS}${UNPARTED}${units.s}`;
}

/** `12.5`: of money or the like, as finely as it is counted, and never as a power of ten. */
export function amount(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/u, "");
}

/** `0.00129 USD`; at least two decimals. */
export function money(cost: number, currency: string | null): string {
  const [whole = "0", part = ""] = amount(cost).split(".");
  const value = `${whole}.${part.padEnd(2, "0")}`;
  return currency === null ? value : `${value}${UNPARTED}${currency}`;
}

export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

/** How long it is: `3 d 4 h`. */
export function spanWords(fromMs: number, toMs: number, { units }: Messages): string {
  return spanParts(fromMs, toMs)
    .map(([count, unit]) => `${count}${UNPARTED}${units[unit]}`)
    .join(" ");
}

/** In its largest unit: `12 min`. */
export function ageWords(fromMs: number, nowMs: number, { units, underMinute }: Messages): string {
  const [part] = spanParts(fromMs, nowMs);
  return part === undefined || part[1] === "s" ? underMinute : `${part[0]}${UNPARTED}${units[part[1]]}`;
}

/** Of a wait between attempts: `650 ms`, `1 min 30 s`. */
export function waitWords(ms: number, words: Messages): string {
  return ms < SECOND_MS ? milliseconds(ms, words) : spanWords(0, ms, words);
}

const SECOND_MS = 1000;

/** What a newer version calls a region has no words here. */
export function regionName(region: string, { regions }: Messages): string {
  const names: Readonly<Record<string, string>> = regions.names;
  return (Object.hasOwn(names, region) ? names[region] : null) ?? region;
}

/** One after the other; those that are empty are none. */
export function sentences(parts: readonly Child[], { gap }: Messages): Child {
  const told = parts.filter((part) => part !== "" && part !== null && part !== false);
  return told.map((part, index) => (index === 0 ? part : [gap, part]));
}
