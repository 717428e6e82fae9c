/** The line in which a client says what failed: its class, the status, and the words behind them. Pure. */
import { CLASS_NAME, type ClassMeaning, isOfNode, meaningOfClass } from "./sdk-classes.ts";

export interface Headline {
  /** Null: no class of a client is named. */
  readonly meaning: ClassMeaning | null;
  /** Null: the line tells none. */
  readonly status: number | null;
  /** What stands behind, to the stack or the end; it may be empty. */
  readonly words: string;
}

/** Null: the text has no such line. */
export function readHeadline(text: string): Headline | null {
  return readErrorCode(text) ?? readClass(text) ?? readBareMessage(text);
}

/** `Error code: 429 - {…}`: the clients for Python; the last such line is the newest, and what it quotes is not it. */
function readErrorCode(text: string): Headline | null {
  let last: RegExpExecArray | null = null;
  for (const match of text.matchAll(/^(?:.{0,2000}?[^\w\n])?Error code: ([1-5]\d\d)\b(?: - )?/gm))
    last = match;
  if (last === null) return null;
  const rest = text.slice(last.index + last[0].length);
  return { meaning: null, status: Number(last[1]), words: last[0].endsWith(" - ") ? withoutStack(rest) : "" };
}

/** In Python the last exception is the one that was thrown; Node prints it first, and then its causes. */
function readClass(text: string): Headline | null {
  const isFirst = isOfNode(text);
  let found: RegExpExecArray | null = null;
  for (const match of text.matchAll(CLASS_NAME)) {
    found = match;
    if (isFirst) break;
  }
  if (found === null) return null;
  const meaning = meaningOfClass(found[2] ?? "");
  const words = withoutStack(text.slice(found.index + found[0].length));
  const isRepr = text.startsWith("(", found.index + found[0].length);
  return { meaning, ...statusAndWords(isRepr ? words.replace(/^\(['"]?|['"]?,?\)$/g, "") : words) };
}

/** Without a class of a client that is known: the message alone, or behind somebody's own name for it. */
function readBareMessage(text: string): Headline | null {
  const start = BARE_STARTS.map((pattern) => pattern.exec(text)).find((match) => match !== null);
  if (start !== undefined) {
    const rest = text.slice(start.index + start[0].length);
    return { meaning: "status", ...statusAndWords(withoutStack(rest)) };
  }
  const phrase =
    /Request failed with status code ([1-5]\d\d)|\b(?:Client|Server) error '([1-5]\d\d) |\bstatus code: ([1-5]\d\d), (?:status: [^,\n]{1,60}, )?message: ([^\n]{0,2000})/.exec(
      text,
    );
  const status = phrase?.[1] ?? phrase?.[2] ?? phrase?.[3];
  if (status === undefined) return null;
  return { meaning: "status", status: Number(status), words: phrase?.[4] ?? "" };
}

/** Behind each stands a status of three digits. */
const BARE_STARTS: readonly RegExp[] = [
  /^\s*(?:(?:error|exception)[: ]\s*)?(?:Uncaught )?(?:\[?\w{0,60}Error: )?(?=[45]\d\d \S)/i,
  /\bAPI Error:? \(?(?=[45]\d\d \S)/,
  /^(?:[\w.]{1,100}\.[A-Z]|[A-Z][a-z]{1,30}[A-Z])\w{1,60}(?: \[\w{1,60}\])?: (?=[45]\d\d \S)/m,
  /\b[A-Z]{3,7} "https?:\/\/[^"\s]{1,2000}": (?=[45]\d\d \S)/,
];

/** `429 words`, and the words of the HTTP clients, which say nothing but the status. */
function statusAndWords(words: string): { readonly status: number | null; readonly words: string } {
  const ofHttp =
    /^[^\n]{0,200}?(?:Request failed with status code |(?:Client|Server|Redirect) error ')([1-5]\d\d)\b/.exec(
      words,
    ) ?? /^([1-5]\d\d) (?:Client|Server) Error: /.exec(words);
  if (ofHttp !== null) return { status: Number(ofHttp[1]), words: "" };
  const [whole, status] = /^([1-5]\d\d) (?=\S)/.exec(words) ?? [];
  if (whole === undefined || status === undefined) return { status: null, words };
  return { status: Number(status), words: words.slice(whole.length) };
}

/** The words alone: neither the stack of Node or the members behind it, nor the next exception of Python. */
function withoutStack(words: string): string {
  const end = words.search(
    /\n {2,40}at |\n[ \t]{0,40}During handling of the above|\n[ \t]{0,40}The above exception was|\nTraceback \(/,
  );
  const cut = end < 0 ? words : words.slice(0, end);
  return cut.replace(/\s{1,20}\{\s*$/, "").trim();
}
