/** Just enough of HTML's syntax to see what a browser would see: tags apart from text. */
import { expect } from "vitest";

export interface Html {
  /** Tags with the names of their attributes, in order: `<a href>`, `</a>`. */
  readonly tags: readonly string[];
  /** Values of attributes, decoded, in order. */
  readonly values: readonly string[];
  /** Pieces of text between the tags, decoded, in order. */
  readonly texts: readonly string[];
}

/** @throws when a tag is not closed, or an attribute is not quoted. */
export function readHtml(html: string): Html {
  const tags: string[] = [];
  const values: string[] = [];
  const texts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const text = html.slice(at, open < 0 ? html.length : open);
    if (text.includes(">")) throw new Error(`a stray > in ${JSON.stringify(text)}`);
    if (text !== "") texts.push(decoded(text));
    if (open < 0) break;
    const tag = /^<(!doctype html|\/?[a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<>]*")?)*)\s*\/?>/u.exec(
      html.slice(open),
    );
    if (tag === null) throw new Error(`no tag at ${JSON.stringify(html.slice(open, open + 80))}`);
    const attributes = [...(tag[2] ?? "").matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/gu)];
    tags.push(`<${[tag[1], ...attributes.map(([, name]) => name)].join(" ")}>`);
    values.push(...attributes.map(([, , value]) => decoded(value ?? "")));
    at = open + tag[0].length;
  }
  return { tags, values, texts };
}

/** Numbers stay with their units at the ends of lines; where that is not what is tested, a space is a space. */
export function plainSpaces(text: string): string {
  return text.replaceAll("\u00a0", " ");
}

/** The words of a page, with single spaces. */
export function textOf(html: string): string {
  return decoded(html.replaceAll(/<[^>]*>/gu, " "))
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/ ([.,;:)])/gu, "$1")
    .replaceAll("( ", "(")
    .trim();
}

export function expectWords(text: string, told: readonly string[], absent: readonly string[] = []): void {
  for (const words of told) expect(text).toContain(words);
  for (const words of absent) expect(text).not.toContain(words);
}

/** Messages of what stands between these first two tags: `<title>`, `</title>`. */
export function wordsIn(html: string, open: string, close: string): string {
  return textOf(html.split(open)[1]?.split(close)[0] ?? "");
}

/** How the page says that it stands. */
export function answerOf(html: string): { tone: string; text: string } {
  const [, tone = "", text = ""] = /<div class="answer (\w+)">(.*?)<\/div>/su.exec(html) ?? [];
  return { tone, text: textOf(text) };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

function decoded(text: string): string {
  return text.replaceAll(/&(?:[a-z]+|#\d+);/gu, (entity) => {
    const character = ENTITIES[entity];
    if (character === undefined) throw new Error(`an entity that nobody wrote: ${entity}`);
    return character;
  });
}

/** A piece of what a reader sees or hears, and in which language it is said to be. */
export interface Spoken {
  readonly text: string;
  readonly lang: string;
  /** Names of the elements around it, the innermost last; for an attribute its own name at the end. */
  readonly within: readonly string[];
}

const SPOKEN_ATTRIBUTES = new Set(["aria-label", "title", "alt", "placeholder"]);
const VOID = new Set(["!doctype html", "br", "hr", "img", "input", "link", "meta"]);

/** @throws when an element is not closed in its order. */
export function spokenIn(html: string): readonly Spoken[] {
  const spoken: Spoken[] = [];
  const open: { readonly name: string; readonly lang: string }[] = [];
  for (const [, tag, text] of html.matchAll(/<([^>]*)>([^<]*)/gu)) {
    const [, close = "", name = "", rest = ""] =
      /^(\/?)(!doctype html|[a-z0-9]+)(.*)$/su.exec(tag ?? "") ?? [];
    const attributes = [...rest.matchAll(/([a-zA-Z-]+)="([^"]*)"/gu)].map(([, key = "", value = ""]) => [
      key,
      decoded(value),
    ]);
    const own = attributes.find(([key]) => key === "lang")?.[1];
    const lang = own ?? open.at(-1)?.lang ?? "";
    if (close !== "" && open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
    if (close === "" && !VOID.has(name) && !rest.endsWith("/")) open.push({ name, lang });
    const within = open.map((element) => element.name);
    const named = attributes.some(([key, value]) => key === "name" && value === "description");
    for (const [key = "", value = ""] of attributes) {
      const isSpoken = SPOKEN_ATTRIBUTES.has(key) || (named && key === "content");
      if (isSpoken) spoken.push({ text: value, lang, within: [...within, key] });
    }
    const inner = open.at(-1)?.lang ?? "";
    if ((text ?? "").trim() !== "") spoken.push({ text: decoded(text ?? ""), lang: inner, within });
  }
  return spoken;
}
