/** Texts as channels take them: cut to a length between letters, and without links that nobody meant. Pure. */

/** How much of a limit a text takes; of two texts together, as much as of each. */
export type Measure = (text: string) => number;

/** UTF-16 units: no service counts more. */
export const units: Measure = (text) => text.length;

export const utf8Bytes: Measure = (text) => new TextEncoder().encode(text).length;

/** The text, or its beginning with an ellipsis; within the limit, which is at least that of the ellipsis. */
export function cut(text: string, limit: number, measure: Measure = units): string {
  if (measure(text) <= limit) return text;
  const room = limit - measure(ELLIPSIS);
  let end = 0;
  let used = 0;
  for (const character of text) {
    used += measure(character);
    if (used > room) break;
    end += character.length;
  }
  return text.slice(0, boundaryBefore(text, end)).trimEnd() + ELLIPSIS;
}

const ELLIPSIS = "…";

/** How many parts of these sizes fit, in their order: all, or as many as leave the reserve for a word on the rest. */
export function fitting(sizes: readonly number[], limit: number, reserve: number): number {
  if (sizes.reduce((sum, size) => sum + size, 0) <= limit) return sizes.length;
  let used = reserve;
  const over = sizes.findIndex((size) => {
    used += size;
    return used > limit;
  });
  return over < 0 ? sizes.length : over;
}

/** Parts of a text, as many as fit, and a word on the rest. */
export function joined(
  parts: readonly string[],
  { separator, limit, measure = units }: { separator: string; limit: number; measure?: Measure },
): string {
  const gap = measure(separator);
  const count = fitting(
    parts.map((part, index) => measure(part) + (index === 0 ? 0 : gap)),
    limit,
    gap + measure(restWords(parts.length)),
  );
  return [...parts.slice(0, count), ...(count < parts.length ? [restWords(parts.length - count)] : [])].join(
    separator,
  );
}

/** On what a message has no room for. No character of it is markup anywhere. */
export function restWords(count: number): string {
  return `… and ${count} more`;
}

/** Longer piles of marks are nobody's writing: they are cut anywhere between code points. */
const LONGEST_CHARACTER = 32;

function boundaryBefore(text: string, end: number): number {
  const { index: start = end } = new Intl.Segmenter().segment(text).containing(end) ?? {};
  return end - start > LONGEST_CHARACTER ? end : start;
}

/** For services that have no way to say that a text is but text. */
export function unlinked(text: string): string {
  // What ends where the name of a host follows.
  const mailbox = /([^\s@])@(?=[\p{L}\p{N}_-]+\.[\p{L}\p{N}_])/gu;
  // Names with dots between them; before them two slashes, and behind them a path or a port.
  const host = /(\/\/)?(?<![\p{L}\p{N}_-])((?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}_-]+)([/?#]|:\d{2,5}(?!\w))?/gu;
  return text.replace(mailbox, `$1${GAP}@${GAP}`).replace(host, parted).replaceAll("://", `:${GAP}//`);
}

const GAP = "\u200b";

/** The gap comes behind the dot: before it, some clients take it for a letter of the name. */
function parted(whole: string, slashes = "", name = "", more = ""): string {
  const isLinked = slashes !== "" || LINKED.test(name) || (more !== "" && ENDS_IN_LETTERS.test(name));
  return isLinked ? slashes + name.replaceAll(".", `.${GAP}`) + more : whole;
}

const ENDS_IN_LETTERS = /\.[a-z]{2,}$/i;

/**
 * What is a link by itself: `www.`, four numbers, and names with an end that clients know and people abuse. Also where a
 * writing without spaces stands beside it.
 */
const LINKED =
  /(?<![\w-])www\.|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])|\.(?:[a-z]{2}|xn--[a-z\d-]+|[^\0-\x7f]{2,}|com|net|org|info|biz|app|dev|xyz|online|site|top|shop|store|club|live|tech|cloud|link|click|page|pro|space|website|world|fun|icu|vip|work|life|support|help|chat|zone|digital|email|gov|edu)(?!\w)/iu;
