/**
 * Texts of strangers inside Markdown (CommonMark 0.31): as code, in which nothing means anything. Pure.
 */
import { oneLine } from "./xml.ts";

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
