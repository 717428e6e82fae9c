/** XML 1.0 without DTDs, read strictly: whatever is not well-formed throws. */

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Of the element itself and of all inside it. */
  readonly text: string;
}

/** @throws when it is not well-formed. */
export function readXml(xml: string): XmlElement {
  const allowed = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
  if (!allowed.test(xml)) throw new Error("a character that XML does not allow");
  const start = /^<\?xml version="1\.0" encoding="utf-8"\?>\n/u.exec(xml)?.[0].length ?? 0;
  const { element, end } = readElement(xml, start);
  if (xml.slice(end).trim() !== "") throw new Error(`after the root: ${xml.slice(end, end + 80)}`);
  return element;
}

/** All elements, the root first. */
export function elementsOf(root: XmlElement): XmlElement[] {
  return [root, ...root.children.flatMap(elementsOf)];
}

function readElement(xml: string, from: number): { element: XmlElement; end: number } {
  const tag = /^<([A-Za-z][\w:]*)((?:\s+[A-Za-z][\w:-]*="[^"<]*")*)\s*(\/?)>/u.exec(xml.slice(from));
  if (tag === null) throw new Error(`no tag at ${JSON.stringify(xml.slice(from, from + 80))}`);
  const [open, name = "", written = "", isEmpty] = tag;
  const attributes: Record<string, string> = {};
  for (const [, key = "", value = ""] of written.matchAll(/([\w:-]+)="([^"]*)"/gu)) {
    if (Object.hasOwn(attributes, key)) throw new Error(`${key} twice in ${open}`);
    attributes[key] = decoded(value.replaceAll(/[\t\n\r]/gu, " "));
  }
  let at = from + open.length;
  if (isEmpty === "/") return { element: { name, attributes, children: [], text: "" }, end: at };
  const children: XmlElement[] = [];
  let text = "";
  while (!xml.startsWith("</", at)) {
    const next = xml.indexOf("<", at);
    if (next < 0) throw new Error(`${name} is not closed`);
    const piece = xml.slice(at, next);
    if (piece.includes("]]>")) throw new Error("a stray ]]>");
    text += decoded(piece.replaceAll(/\r\n?/gu, "\n"));
    at = next;
    if (xml.startsWith("</", at)) break;
    const child = readElement(xml, at);
    children.push(child.element);
    text += child.element.text;
    at = child.end;
  }
  const close = `</${name}>`;
  if (!xml.startsWith(close, at)) throw new Error(`${name} is closed by ${xml.slice(at, at + 20)}`);
  return { element: { name, attributes, children, text }, end: at + close.length };
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d+);|([a-z]+);)?/gu, (reference, code?: string, name?: string) => {
    const character = code === undefined ? NAMED[name ?? ""] : String.fromCodePoint(Number(code));
    if (character === undefined) throw new Error(`a stray & or an unknown ${reference}`);
    return character;
  });
}
