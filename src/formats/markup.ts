/** Text inside XML and Markdown. Pure. */
import { oneLine } from "../protocol/error-facts.ts";

/** As text or as an attribute's value; what XML cannot carry even as a reference is gone (XML 1.0, 2.2). */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(FORBIDDEN, "")
    .replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

// oxlint-disable-next-line no-control-regex -- these characters are what is taken out
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/g;

/** Within a line (6.1); nothing where the text is empty. */
export function inlineCode(text: string): string {
  const line = oneLine(text);
  if (line === "") return "";
  const fence = "`".repeat(longestRun(line) + 1);
  // One space on both sides is taken away again, and parts backticks of the text from those around it.
  const gap = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${gap}${line}${gap}${fence}`;
}

/** A line by itself (4.5). @param language of the code, for colours: letters alone. */
export function fencedCode(text: string, language = ""): string {
  const line = oneLine(text);
  const fence = "`".repeat(Math.max(3, longestRun(line) + 1));
  return `${fence}${language}\n${line}\n${fence}\n`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
