/**
 * A stranger's text of which no client makes links by itself: a character of no width stands in its addresses. What no
 * client takes for one, such as the id of a request or a model, or a code, stays as it is. Pure.
 */

/** For services that have no way to say that a text is but text. */
export function unlinked(text: string): string {
  return text.replace(MAILBOX, `$1${GAP}@${GAP}`).replace(HOST, parted).replaceAll("://", `:${GAP}//`);
}

const GAP = "\u200b";

/** What ends where the name of a host follows. */
const MAILBOX = /([^\s@])@(?=[\p{L}\p{N}_-]+\.[\p{L}\p{N}_])/gu;

/** Names with dots between them; before them two slashes, and behind them a path or a port. */
const HOST = /(\/\/)?(?<![\p{L}\p{N}_-])((?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}_-]+)([/?#]|:\d{2,5}(?!\w))?/gu;

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
