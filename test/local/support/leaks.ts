/**
 * Looks for secrets in everything that a world shows, keeps or logs: whole or any 12 characters in a row, plain or
 * URL-encoded, as JSON or HTML escapes, in base64 at any offset, in hex. Pure.
 */

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
  const encodings = [...new Set(["latin1", "utf8"] as const)].map((encoding) =>
    Buffer.from(secret, encoding),
  );
  const inBase64 = encodings.flatMap((bytes) =>
    [0, 1, 2].flatMap((offset) => {
      const whole = bytes.subarray(offset, offset + Math.floor((bytes.length - offset) / 3) * 3);
      return [whole.toString("base64"), whole.toString("base64url")];
    }),
  );
  return [
    { text: secret, least: RUN },
    // The UTF-8 bytes taken for letters.
    ...encodings.map((bytes) => ({ text: bytes.toString("latin1"), least: RUN })),
    ...encodings.map((bytes) => ({ text: bytes.toString("hex"), least: 2 * RUN })),
    ...encodings.map((bytes) => ({ text: bytes.toString("hex").toUpperCase(), least: 2 * RUN })),
    ...inBase64.map((text) => ({ text, least: (4 / 3) * RUN })),
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
  for (const undo of [unescapeJson, unescapeJson, unescapePercent, unescapePercent, unescapeHtml]) {
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
    const asUtf8 = bytes(run).toString("utf8");
    return asUtf8.includes("\ufffd") ? bytes(run).toString("latin1") : asUtf8;
  });
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', lt: "<", gt: ">", amp: "&", apos: "'" };

function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(quot|lt|gt|amp|apos));/g, (_all, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? "";
    return String.fromCharCode(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}
