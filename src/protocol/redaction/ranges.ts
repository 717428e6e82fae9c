/** Ranges that must go, and their replacement: merged, never through an earlier one, nor through JSON's syntax. Pure. */

export interface Range {
  readonly start: number;
  readonly end: number;
}

export function runEnd(text: string, start: number, pattern: RegExp): number {
  pattern.lastIndex = start;
  return start + (pattern.exec(text)?.[0].length ?? 0);
}

/** Puts `marker` in the place of every range. Ranges that touch or overlap become one. */
export function replaceRanges(text: string, found: readonly Range[], marker: string): string {
  if (found.length === 0) return text;
  const ranges = aroundMarkers(text, mergeRanges(found), marker);
  const plain = applyEdits(
    text,
    ranges.map(({ start, end }): Edit => ({ start, end, by: marker })),
  );
  return breaksJson(text, ranges, plain) ? applyEdits(text, insideJson(text, ranges, marker)) : plain;
}

/** The ranges in order; those that touch or overlap are one, empty ones are gone. */
export function mergeRanges(found: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  let last: { start: number; end: number } | null = null;
  for (const { start, end } of [...found].sort((a, b) => a.start - b.start)) {
    if (end <= start) continue;
    if (last !== null && start <= last.end) {
      last.end = Math.max(last.end, end);
    } else {
      last = { start, end };
      merged.push(last);
    }
  }
  return merged;
}

export interface Edit extends Range {
  readonly by: string;
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, by } of edits) {
    parts.push(text.slice(at, start), by);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** What an earlier pass wrote is whole or gone: ranges inside a marker are dropped, others take it in entirely. */
function aroundMarkers(text: string, ranges: readonly Range[], marker: string): readonly Range[] {
  let at = text.indexOf(marker);
  if (at < 0) return ranges;
  const widened: Range[] = [];
  for (const range of ranges) {
    while (at >= 0 && at + marker.length <= range.start) at = text.indexOf(marker, at + marker.length);
    let { start, end } = range;
    if (at >= 0 && at <= start && end <= at + marker.length) continue;
    for (let next = at; next >= 0 && next < end; next = text.indexOf(marker, next + marker.length)) {
      start = Math.min(start, next);
      end = Math.max(end, next + marker.length);
    }
    widened.push({ start, end });
  }
  return mergeRanges(widened);
}

/** A known secret may contain quotes, or only digits; and what looks like a value may include the text after it. */
function breaksJson(text: string, ranges: readonly Range[], result: string): boolean {
  if (!/^\s*["[{\d-]/.test(text)) return false;
  const hasQuote = ranges.some(({ start, end }) => text.slice(start, end).includes('"'));
  return (hasQuote || !isJson(result)) && isJson(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The ranges cut at the quotes of the strings; a number that one touches becomes null as a whole. */
function insideJson(text: string, ranges: readonly Range[], marker: string): readonly Edit[] {
  const edits: Edit[] = [];
  const quotes = stringQuotes(text);
  let next = 0;
  for (const range of ranges) {
    let at = range.start;
    while (at < range.end) {
      while (next < quotes.length && (quotes[next] ?? 0) < at) next += 1;
      const quote = quotes[next] ?? text.length;
      const stop = Math.min(quote, range.end);
      if (next % 2 === 1) {
        if (stop > at) edits.push({ start: at, end: stop, by: marker });
      } else {
        pushNumbers(text, at, stop, edits);
      }
      at = stop === quote ? quote + 1 : stop;
    }
  }
  return edits;
}

function stringQuotes(text: string): readonly number[] {
  const quotes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) quotes.push(at);
    else if (unit === 0x5c) at += 1;
  }
  return quotes;
}

function pushNumbers(text: string, start: number, end: number, edits: Edit[]): void {
  const isNumber = (at: number): boolean => at >= 0 && at < text.length && /[\d.eE+-]/.test(text.charAt(at));
  for (let at = start; at < end; at += 1) {
    if (!/\d/.test(text.charAt(at))) continue;
    let from = at;
    while (isNumber(from - 1)) from -= 1;
    let to = at + 1;
    while (isNumber(to)) to += 1;
    if ((edits.at(-1)?.end ?? 0) <= from) edits.push({ start: from, end: to, by: "null" });
    at = to;
  }
}
