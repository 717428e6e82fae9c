/**
 * A part of Markdown: paragraphs, lists, `**bold**`, `*italic*`, `` `code` `` and links to https. Everything else is shown as
 * text: nothing that is written here becomes HTML. Pure.
 */
import { visibleText } from "../../protocol/error-facts.ts";
import type { Child } from "./jsx-runtime.ts";

const ADDRESS = 'https://[^\\s()<>"]*[^\\s()<>".,;:!?*]';
const INLINE = new RegExp(
  `\`([^\`]+)\`|\\*\\*([^*]+)\\*\\*|\\*([^*\\s][^*]*)\\*|\\[([^[\\]]+)\\]\\((${ADDRESS})\\)|(${ADDRESS})`,
  "g",
);
const ITEM = /^ {0,3}(?:[-*]|\d{1,3}[.)]) +/;

export function markdown(text: string): Child {
  const blocks = text.trim().split(/\r?\n(?:[ \t]*\r?\n)+/);
  return blocks.map((block) => {
    const lines = block.split(/\r?\n/).map(visibleText);
    if (lines.every((line) => ITEM.test(line))) {
      const items = lines.map((line) => <li>{inline(line.replace(ITEM, ""))}</li>);
      return /^\s*\d/.test(block) ? <ol dir="auto">{items}</ol> : <ul dir="auto">{items}</ul>;
    }
    return <p dir="auto">{lines.map((line, index) => [index > 0 && <br />, inline(line)])}</p>;
  });
}

export function inline(text: string): Child {
  const parts: Child[] = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(end, found.index), marked(found));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

function marked([whole = "", code, bold, italic, name, address = whole]: readonly (
  | string
  | undefined
)[]): Child {
  if (code !== undefined) return <code>{code}</code>;
  if (bold !== undefined) return <strong>{bold}</strong>;
  if (italic !== undefined) return <em>{italic}</em>;
  if (!URL.canParse(address)) return whole;
  return (
    <a href={address} rel="nofollow noopener">
      {name ?? address}
    </a>
  );
}
