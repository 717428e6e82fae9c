/** Looks for secrets, whole or any 12 characters in a row: plain or in URLs, JSON, HTML, base64 at any offset, hex. Pure. */

export interface Haystack {
  /** Where this is from, for people. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Leak {
  readonly where: string;
  /** What of the secret was seen, in the writing in which it was seen. */
  readonly seen: string;
  readonly around: string;
}

const RUN = 12;

/** Text of one writing in which a secret may stand, and the least of it that counts. */
interface Writing {
  readonly text: string;
  readonly least: number;
}

/** Every leak, at most one a haystack and secret. */
export function findLeaks(haystacks: readonly Haystack[], secrets: readonly string[]): readonly Leak[] {
  const index = indexOf(secrets.flatMap(writingsOf));
  return haystacks.flatMap(({ name, bytes }) => {
    const views = new Set([Buffer.from(bytes).toString("latin1"), Buffer.from(bytes).toString("utf8")]);
    const found = [...views].flatMap(viewsOf).flatMap((view) => searchIn(view, index, name));
    return [...new Map(found.map((leak) => [leak.seen, leak])).values()].slice(0, 3);
  });
}

function writingsOf(secret: string): readonly Writing[] {
  const encoded = [Buffer.from(secret, "latin1"), Buffer.from(secret, "utf8")];
  return [{ text: secret, least: RUN }].concat(
    // A letter beyond ASCII is two bytes of UTF-8.
    encoded.flatMap((bytes) => inHexAndBase64(bytes, bytes.length > secret.length ? 2 * RUN : RUN)),
  );
}

function inHexAndBase64(bytes: Buffer, run: number): Writing[] {
  const hex = bytes.toString("hex");
  const aligned = [0, 1, 2].map((offset) => {
    return bytes.subarray(offset, offset + Math.floor((bytes.length - offset) / 3) * 3);
  });
  const base64 = aligned.flatMap((part) => [part.toString("base64"), part.toString("base64url")]);
  return [
    { text: hex, least: 2 * run },
    { text: hex.toUpperCase(), least: 2 * run },
    ...base64.map((text) => ({ text, least: (4 / 3) * run })),
  ];
}

/** Short pieces by their text: whatever holds a run of `least` holds a piece of half its length at every such step. */
type Index = ReadonlyMap<number, ReadonlyMap<string, readonly Writing[]>>;

function indexOf(writings: readonly Writing[]): Index {
  const index = new Map<number, Map<string, Writing[]>>();
  for (const writing of writings) {
    const size = writing.least / 2;
    const pieces = index.get(size) ?? new Map<string, Writing[]>();
    index.set(size, pieces);
    for (let at = 0; at + size <= writing.text.length; at += 1) {
      const piece = writing.text.slice(at, at + size);
      const known = pieces.get(piece);
      if (known) known.push(writing);
      else pieces.set(piece, [writing]);
    }
  }
  return index;
}

function searchIn(view: string, index: Index, name: string): readonly Leak[] {
  const leaks: Leak[] = [];
  for (const [size, pieces] of index) {
    for (let at = 0; at + size <= view.length; at += size) {
      const candidates = pieces.get(view.slice(at, at + size));
      if (!candidates) continue;
      const around = view.slice(Math.max(0, at - 2 * size), at + 3 * size);
      const seen = candidates.map((writing) => runIn(around, writing)).find((run) => run !== null);
      if (seen) leaks.push({ where: name, seen, around: view.slice(Math.max(0, at - 80), at + 80) });
    }
  }
  return leaks;
}

/** A run of the writing, long enough to count, that stands in the text. */
function runIn(text: string, { text: secret, least }: Writing): string | null {
  for (let at = 0; at + least <= secret.length; at += 1) {
    const run = secret.slice(at, at + least);
    if (text.includes(run)) return run;
  }
  return null;
}

/** The text as it is, and with its escapes undone, one kind after the other. */
function viewsOf(text: string): readonly string[] {
  const views = [text];
  for (const undo of [unescapeJson, unescapeJson, unescapePercent, unescapePercent, unescapeHtml, asUtf8]) {
    const last = views.at(-1) ?? "";
    const next = undo(last);
    if (next !== last) views.push(next);
  }
  return views;
}

function unescapeJson(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/]))/g, (_all, code: string | undefined, letter: string) =>
    code === undefined ? letter : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function unescapePercent(text: string): string {
  const bytes = (run: string) => Buffer.from(run.replaceAll("%", ""), "hex");
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    const letters = bytes(run).toString("utf8");
    return letters.includes("\ufffd") ? bytes(run).toString("latin1") : letters;
  });
}

/** Undoes what a server did that took UTF-8 for Latin-1. */
function asUtf8(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', lt: "<", gt: ">", amp: "&", apos: "'" };

function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(quot|lt|gt|amp|apos));/g, (_all, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? "";
    return String.fromCharCode(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}
