/** A pasted text without what a terminal or a chat added to it. Pure; linear. */

export function plainText(text: string): string {
  return withoutFence(withoutMeter(withoutColours(text).replace(/^[\s\uFEFF]*\uFEFF/, "")));
}

/** Removes curl's progress meter, which `2>&1` puts before what it printed: two lines of titles, and each state. */
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

/** Removes what a terminal reads and nobody sees: colours, links, the title of its window. */
export function withoutColours(text: string): string {
  return text.includes("\u001b") ? text.replace(CONTROL, "") : text;
}

const CONTROL =
  // oxlint-disable-next-line no-control-regex -- they begin with one
  /\u001b(?:\[[\d;?]{0,30}[@-~]|\][^\u0007\u001b\n]{0,1000}(?:\u0007|\u001b\\))/g;

/** The content of the Markdown fence that the text begins with. */
function withoutFence(text: string): string {
  const opening = /^\s*(`{3,8}|~{3,8})[^\n`]{0,40}\r?\n/.exec(text.slice(0, 1000));
  if (opening === null) return text;
  const inside = text.slice(opening[0].length);
  const closing = inside.lastIndexOf(`\n${opening[1] ?? ""}`);
  return closing < 0 ? inside : inside.slice(0, closing);
}
