/** Makes texts fit channels: cuts them between letters, and breaks links that nobody meant. Pure. */
import { say } from "../domain/language/words.ts";

/** How much of a limit a text uses. The measure of two joined texts is the sum of both. */
export type Measure = (text: string) => number;

/** UTF-16 units: no service counts more. */
export const units: Measure = (text) => text.length;

export const utf8Bytes: Measure = (text) => new TextEncoder().encode(text).length;

/** The text, or its beginning with an ellipsis. @param limit at least the measure of the ellipsis. */
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

/** How many parts of these sizes fit, in order: all of them, or as many as leave room for a note about the rest. */
export function fitting(sizes: readonly number[], limit: number, reserve: number): number {
  if (sizes.reduce((sum, size) => sum + size, 0) <= limit) return sizes.length;
  let used = reserve;
  const over = sizes.findIndex((size) => {
    used += size;
    return used > limit;
  });
  return over < 0 ? sizes.length : over;
}

export interface Room {
  readonly limit: number;
  /** The sentence about what has no room. None of its characters is markup in any channel. */
  readonly rest: string;
  readonly measure?: Measure;
}

/** As many parts of a text as fit, and a note about the rest. */
export function joined(
  parts: readonly string[],
  { separator, limit, rest, measure = units }: Room & { readonly separator: string },
): string {
  const gap = measure(separator);
  const count = fitting(
    parts.map((part, index) => measure(part) + (index === 0 ? 0 : gap)),
    limit,
    gap + measure(say(rest, parts.length)),
  );
  const left = parts.length - count;
  return [...parts.slice(0, count), ...(left > 0 ? [say(rest, left)] : [])].join(separator);
}

/** A letter with more combining marks than this is no real writing, and is cut between code points. */
const LONGEST_CHARACTER = 32;

function boundaryBefore(text: string, end: number): number {
  const { index: start = end } = new Intl.Segmenter().segment(text).containing(end) ?? {};
  return end - start > LONGEST_CHARACTER ? end : start;
}

/** @param characters those of `&<>"` that are markup. */
export function withEntities(text: string, characters: RegExp): string {
  return text.replace(characters, (character) => ENTITIES[character] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** For services without a way to mark a text as plain text. */
export function unlinked(text: string): string {
  // The @ of a mail address.
  const mailbox = /([^\s@])@(?=[\p{L}\p{N}_-]+\.[\p{L}\p{N}_])/gu;
  // Names joined by dots: after two slashes, or before a path or a port.
  const host = /(\/\/)?(?<![\p{L}\p{N}_-])((?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}_-]+)([/?#]|:\d{2,5}(?!\w))?/gu;
  return text.replace(mailbox, `$1${GAP}@${GAP}`).replace(host, parted).replaceAll("://", `:${GAP}//`);
}

const GAP = "\u200b";

/** The gap follows the dot. Some clients take a gap before the dot for a letter of the name. */
function parted(whole: string, slashes = "", name = "", more = ""): string {
  const isLinked = slashes !== "" || LINKED.test(name) || (more !== "" && ENDS_IN_LETTERS.test(name));
  return isLinked ? slashes + name.replaceAll(".", `.${GAP}`) + more : whole;
}

const ENDS_IN_LETTERS = /\.[a-z]{2,}$/i;

/** What is a link by itself: `www.`, four numbers, and names with an end that people abuse, also beside a writing without spaces. */
const LINKED =
  /(?<![\w-])www\.|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])|\.(?:[a-z]{2}|xn--[a-z\d-]+|[^\0-\x7f]{2,}|com|net|org|info|biz|app|dev|xyz|online|site|top|shop|store|club|live|tech|cloud|link|click|page|pro|space|website|world|fun|icu|vip|work|life|support|help|chat|zone|digital|email|gov|edu)(?!\w)/iu;

/** For Markdown that knows no escape: what makes links, tags, code and bold, as the wide characters that look like it. */
export function wide(text: string): string {
  return text.replace(/[*<>[\]`]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfe_e0));
}

/** For GitHub's Markdown. A backslash does not keep names and numbers of issues from being mentioned. */
export function forGitHub(text: string): string {
  return text
    .replaceAll(/[\\`*_{}[\]<>!|~&$^]/g, String.raw`\$&`)
    .replaceAll(/@(?!\u200b)|#|\bGH-/gi, `$&${GAP}`);
}
