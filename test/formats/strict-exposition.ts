/**
 * A strict reader of the Prometheus text format 0.0.4, written from its description and not from our writer. Whatever that
 * calls undefined or forbids is an error here, also a series that stands twice, which promtool does not see.
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

const TYPES = ["counter", "gauge", "histogram", "summary", "untyped"];
const SAMPLE = /^([\w:]+)(?:\{(.+)\})? ([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)$/is;

/** By the families' names. Each has a HELP, then a TYPE, then its samples. @throws where the text is not of the format. */
export function readExposition(text: string): ReadonlyMap<string, ReadFamily> {
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no line feed");
  if (!text.isWellFormed()) throw new Error("bytes that readers refuse");
  const families = new Map<string, ReadFamily>();
  const groups = text === "" ? [] : text.split(/(?<=^|\n)(?=# HELP )/u);
  for (const group of groups) {
    const [first = "", second, ...rows] = group.slice(0, -1).split("\n");
    const [, name = "", help = ""] = /^# HELP ([a-zA-Z_:][\w:]*) (.*)$/su.exec(first) ?? [];
    const type = TYPES.find((one) => second === `# TYPE ${name} ${one}`);
    if (name === "" || type === undefined) throw new Error(`it is not introduced: ${group}`);
    if (families.has(name)) throw new Error(`${name} is not in one group`);
    const samples = rows.map((row) => readSample(name, row));
    const keys = samples.map(({ labels }) => Object.entries(labels).map((label) => JSON.stringify(label)));
    const written = new Set(keys.map((labels) => labels.sort().join()));
    if (written.size < samples.length) throw new Error(`a series twice: ${group}`);
    families.set(name, { help: unescaped(help, "\\n"), type, samples });
  }
  return families;
}

function readSample(family: string, line: string): ReadSample {
  const [, name, labels, value] = SAMPLE.exec(line) ?? [];
  if (name !== family) throw new Error(`no sample of ${family}: ${line}`);
  return { name, labels: labels === undefined ? {} : readLabels(labels), value: Number(value) };
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  // An empty label is none.
  const form = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)+)"(?:,(?!$)|$)/sy;
  while (form.lastIndex < text.length) {
    const [, name, value = ""] = form.exec(text) ?? [];
    if (name === undefined || Object.hasOwn(labels, name)) throw new Error(`no labels: ${text}`);
    labels[name] = unescaped(value, '\\"n');
  }
  return labels;
}

/** @param known the characters that may follow a backslash. */
function unescaped(text: string, known: string): string {
  return text.replaceAll(/\\(.?)/gs, (_whole, next: string) => {
    if (next === "" || !known.includes(next)) throw new Error(`an unknown escape: ${text}`);
    return next === "n" ? "\n" : next;
  });
}
