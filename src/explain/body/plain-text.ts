/** A pasted text as it was before a terminal, a letter, an editor or another encoding changed it. Pure; linear. */

export function plainText(text: string): string {
  const whole = withoutColours(withoutNulls(text)).replace(/^[\s\uFEFF]*\uFEFF/, "");
  const lines = whole.includes("\n") ? whole : whole.replaceAll("\r", "\n");
  return withoutFence(withoutNumbers(withoutQuotes(withoutQuotes(withoutMeter(lines)))));
}

/** Where `2>&1` brought curl's meter before what it printed: its two lines of titles, and each of its states. */
function withoutMeter(text: string): string {
  const titles = /^\s{0,8}% Total {1,8}% Received[^\n]{0,100}\n\s{0,60}Dload {1,8}Upload[^\n]{0,100}\n/.exec(
    text.slice(0, 400),
  );
  if (titles === null) return text;
  let start = titles[0].length;
  const state = new RegExp(METER_STATE);
  for (state.lastIndex = start; state.test(text);) start = state.lastIndex;
  return text.slice(start);
}

const METER_STATE =
  /[\r\n]{0,2} {0,2}\d{1,3}(?: {1,8}[\d.]{1,8}[kMGTP]?){7}(?: {1,4}[\d:-]{7,8}){3} {1,8}[\d.]{1,8}[kMGTP]?(?:\r?\n)?/y;

/** What a terminal understands and nobody sees: colours, links, the title of its window. */
export function withoutColours(text: string): string {
  return text.includes("\u001b") ? text.replace(CONTROL, "") : text;
}

const CONTROL =
  // oxlint-disable-next-line no-control-regex -- they begin with one
  /\u001b(?:\[[\d;?]{0,30}[@-~]|\][^\u0007\u001b\n]{0,1000}(?:\u0007|\u001b\\))/g;

/** UTF-16 that somebody read as UTF-8 has one in every other place. */
function withoutNulls(text: string): string {
  if (!text.slice(0, 100).includes("\0")) return text;
  const plain = text.replaceAll("\0", "");
  return plain.length * 5 < text.length * 4 ? plain.replace(/^\uFFFD{1,2}/, "") : text;
}

/** Every line of an answer to a letter begins with `>`; those that `curl -v` prints of a request tell of one. */
function withoutQuotes(text: string): string {
  const quoted = quotedIn(text);
  if (quoted === null) return text;
  if (/^> [A-Z]{3,10} \S{1,8192} HTTP\/\d/m.test(quoted) && !QUOTED_ANSWER.test(quoted)) return text;
  return quoted.replace(/^> ?/gm, "");
}

/** Words of a letter may stand around it, where a status line shows that an answer is quoted; null: nothing is. */
function quotedIn(text: string): string | null {
  if (!/^[^>\s]/m.test(text)) return /^\s*>/.test(text) ? text : null;
  if (!QUOTED_ANSWER.test(text) || OF_OTHERS.test(text)) return null;
  return text
    .split("\n")
    .filter((line) => line.startsWith(">"))
    .join("\n");
}

const QUOTED_ANSWER = /^> ?(?:< )?HTTP\/\d/m;
/** Without a mark before it: an answer, a client's error, a command, whose own text the quoted lines are. */
const OF_OTHERS =
  /^(?:HTTP\/\d|[{[<*$`~]|(?:data|event):|curl )|^[^>\n]{0,1000}(?:Error|Exception|Traceback)/m;

/** As `cat -n`, `grep -n` and editors put them before each line: they count up. */
function withoutNumbers(text: string): string {
  if (!/^\s{0,20}\d{1,6}(?:[:|.)\t]| [ |]?)\S/.test(text.slice(0, 100))) return text;
  const plain: string[] = [];
  let last: number | null = null;
  for (const line of text.trimEnd().split("\n")) {
    const found = /^[ \t]{0,20}(\d{1,6})(?: ?[:|.)] ?|\t| {1,2}|(?=\r?$))/.exec(line);
    const number = Number(found?.[1] ?? Number.NaN);
    if (found === null || (last !== null && number !== last + 1)) return text;
    last = number;
    plain.push(line.slice(found[0].length));
  }
  return plain.length < MIN_NUMBERED ? text : plain.join("\n");
}

const MIN_NUMBERED = 3;

/** What stands in a fence of Markdown, where the text begins with one or leads to an answer in one. */
function withoutFence(text: string): string {
  const opening = /^\s*(`{3,8}|~{3,8})[^\n`]{0,40}\r?\n/.exec(text.slice(0, 1000));
  if (opening === null) return fencedAnswer(text) ?? text;
  const inside = text.slice(opening[0].length);
  const closing = inside.lastIndexOf(`\n${opening[1] ?? ""}`);
  return closing < 0 ? inside : inside.slice(0, closing);
}

/** The first block that holds an answer, where words alone stand before it; null: there is none. */
function fencedAnswer(text: string): string | null {
  const first = FENCE.exec(text.slice(0, MAX_LEAD));
  if (first === null || OF_ANSWER.test(text.slice(0, first.index))) return null;
  const blocks = text.split(/^(?:`{3}|~{3})[^\n`]{0,40}$\n?/m);
  return blocks.find((block, at) => at % 2 === 1 && OF_ANSWER.test(block)) ?? null;
}

const MAX_LEAD = 16_384;
const FENCE = /^(?:`{3}|~{3})[^\n`]{0,40}$/m;
const OF_ANSWER =
  /^[ \t]{0,8}(?:(?:< )?HTTP\/\d|[{[<]|(?:data|event):)|\w(?:Error|Exception)\b|Error code: \d/m;
