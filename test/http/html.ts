/** Just enough of HTML's syntax to see what a browser would see: tags apart from text. */

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

/** The words of a page, with single spaces. */
export function textOf(html: string): string {
  return decoded(html.replaceAll(/<[^>]*>/gu, " "))
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/ ([.,;:)])/gu, "$1")
    .replaceAll("( ", "(")
    .trim();
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
