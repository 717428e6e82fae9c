/** A pasted text without what a terminal or a chat added to it. Pure; linear. */

export function plainText(text: string): string {
  return withoutFence(withoutColours(text).replace(/^[\s\uFEFF]*\uFEFF/, ""));
}

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
