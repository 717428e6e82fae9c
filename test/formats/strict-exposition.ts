/**
 * A strict reader of the Prometheus text format 0.0.4, written from its description and not from our writer: whatever that
 * calls undefined or forbids is an error here, a series told twice too, which promtool does not see.
 */

export interface ReadSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ReadFamily {
  readonly help: string;
  readonly type: string;
  readonly samples: readonly ReadSample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const TYPES = new Set(["counter", "gauge", "histogram", "summary", "untyped"]);

interface Open {
  help: string | null;
  type: string | null;
  samples: ReadSample[];
}

/** By the families' names. @throws where the text is not of the format. */
export function readExposition(text: string): ReadonlyMap<string, ReadFamily> {
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no line feed");
  if (!text.isWellFormed()) throw new Error("bytes that readers refuse");
  const families = new Map<string, Open>();
  const seen = new Set<string>();
  let current = "";
  const enter = (name: string): Open => {
    if (!NAME.test(name)) throw new Error(`no name: ${name}`);
    const known = families.get(name);
    if (known !== undefined && name !== current) throw new Error(`${name} is not in one group`);
    current = name;
    const family = known ?? { help: null, type: null, samples: [] };
    families.set(name, family);
    return family;
  };
  for (const line of text.split("\n").slice(0, -1)) {
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/s.exec(line);
    if (comment !== null) readComment(comment, enter);
    else {
      const sample = readSample(line);
      const family = enter(sample.name);
      if (family.help === null || family.type === null) throw new Error(`${sample.name} is not introduced`);
      const key = JSON.stringify([
        sample.name,
        Object.entries(sample.labels).sort(([a], [b]) => (a < b ? -1 : 1)),
      ]);
      if (seen.has(key)) throw new Error(`twice: ${key}`);
      seen.add(key);
      family.samples.push(sample);
    }
  }
  return new Map([...families].map(([name, family]) => [name, whole(name, family)]));
}

function whole(name: string, { help, type, samples }: Open): ReadFamily {
  if (help === null || type === null) throw new Error(`${name} lacks its HELP or TYPE`);
  return { help, type, samples };
}

function readComment(
  [line, what, name = "", rest = ""]: readonly string[],
  enter: (name: string) => Open,
): void {
  const family = enter(name);
  if (family.samples.length > 0) throw new Error(`${what} after samples: ${line}`);
  if (what === "HELP") {
    if (family.help !== null) throw new Error(`a second HELP: ${line}`);
    family.help = unescaped(rest, "\\n");
  } else {
    if (family.type !== null) throw new Error(`a second TYPE: ${line}`);
    if (!TYPES.has(rest)) throw new Error(`no type: ${line}`);
    family.type = rest;
  }
}

function readSample(line: string): ReadSample {
  const name = /^[^{\s]*/.exec(line)?.[0] ?? "";
  const { labels, rest } = readLabels(line.slice(name.length));
  const [, number = ""] = /^ (\S+)$/.exec(rest) ?? [];
  if (!NUMBER.test(number)) throw new Error(`no sample: ${line}`);
  return { name, labels, value: Number(number) };
}

function readLabels(text: string): { labels: Record<string, string>; rest: string } {
  const labels: Record<string, string> = {};
  if (!text.startsWith("{")) return { labels, rest: text };
  let rest = text.slice(1);
  for (;;) {
    const name = LABEL_NAME.exec(rest)?.[0];
    if (name === undefined) throw new Error(`no label: ${rest}`);
    if (Object.hasOwn(labels, name)) throw new Error(`a label twice: ${name}`);
    const value = /^="((?:[^"\\]|\\.)*)"/s.exec(rest.slice(name.length));
    if (value === null) throw new Error(`no label value: ${rest}`);
    if (value[1] === "") throw new Error(`an empty label is none: ${name}`);
    labels[name] = unescaped(value[1] ?? "", '\\"n');
    rest = rest.slice(name.length + value[0].length);
    if (rest.startsWith("}")) return { labels, rest: rest.slice(1) };
    if (!rest.startsWith(",")) throw new Error(`no comma: ${rest}`);
    rest = rest.slice(1);
  }
}

/** @param known the characters that may follow a backslash. */
function unescaped(text: string, known: string): string {
  return text.replaceAll(/\\(.?)/gs, (_whole, next: string) => {
    if (next === "" || !known.includes(next)) throw new Error(`an unknown escape: ${text}`);
    return next === "n" ? "\n" : next;
  });
}
