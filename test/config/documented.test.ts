/** docs/configuration.md, and for channels docs/channels.md, against the schema: every key, with its true default, and no other. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { CANARY_KINDS } from "../../src/config/config.ts";
import { parseConfig, readConfig } from "../../src/config/load.ts";
import { canaryOf, LEAST, withCanaries } from "./canaries.ts";
import { LEAST as LEAST_CHANNELS } from "../alert/channel-configs.ts";
import { ACME as GATEWAY, knownKeys, withGateway } from "./parsed.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCUMENT = readFileSync(`${ROOT}docs/configuration.md`, "utf8");
const OF_CHANNELS = readFileSync(`${ROOT}docs/channels.md`, "utf8");

interface Row {
  readonly key: string;
  /** Of channels, canaries and their pointers: their kinds. */
  readonly kinds: readonly string[];
  readonly default: string;
}

/** What stands below the mark of a level. */
function partOf(level: string): string {
  return (DOCUMENT + OF_CHANNELS).split(`<!-- keys: ${level} -->\n\n`)[1]?.split("\n\n", 1)[0] ?? "";
}

/** The cells of the rows of a table. */
function cellsOf(table: string): readonly (readonly string[])[] {
  return table
    .split("\n")
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map((cells) => cells.slice(1));
}

/** The rows of the table of a level: one for each key. */
function rowsOf(level: string): readonly Row[] {
  return cellsOf(partOf(level)).flatMap(([keys = "", second = "", third = ""]) => {
    const rests = level === "canary" ? defaultsByKind(second) : [restOf(level, second, third)];
    return quoted(keys).flatMap((key) =>
      rests.map(({ kinds, default: usual }) => ({ key, kinds, default: usual })),
    );
  });
}

function restOf(level: string, second: string, third: string): Omit<Row, "key"> {
  const all = KINDS_OF[level];
  if (all === undefined) return { kinds: [], default: second };
  return { kinds: kindsIn(second, all), default: third };
}

/** `chat`, `image`; or all but `http`. */
function kindsIn(cell: string, all: readonly string[]): readonly string[] {
  const named = quoted(cell);
  return cell.startsWith("all") ? all.filter((kind) => !named.includes(kind)) : named;
}

/** Of a canary: `48` for `chat`, `image`; none for `http`. Without kinds it holds for all. */
function defaultsByKind(cell: string): readonly Omit<Row, "key">[] {
  if (cell === "as above")
    return KIND_ROWS.map(([kind = "", path = ""]) => ({ kinds: quoted(kind), default: path }));
  return cell.split("; ").map((group) => {
    const [usual = "", kinds = "all"] = group.split(" for ");
    return { kinds: kindsIn(kinds, CANARY_KINDS), default: usual };
  });
}

/** The documented keys of a level that hold for a kind. */
function keysOf(level: string, kind: string): readonly string[] {
  return rowsOf(level).flatMap((row) => (row.kinds.includes(kind) ? [row.key] : []));
}

const settingsOf = (level: string) => rowsOf(level).filter(({ key }) => key !== "kind");

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
}

/** As the program itself lists them. */
const KINDS = (() => {
  const parsed = parseConfig({ title: "t", gateways: [], alerts: [{ kind: "" }] });
  const fix = parsed.ok ? "" : (parsed.faults[0]?.fix ?? "");
  return fix.replace("use ", "").split(/, | or /);
})();

const KINDS_OF: Readonly<Record<string, readonly string[]>> = {
  channel: KINDS,
  pointers: CANARY_KINDS,
};

/** The kinds of canaries, with the path of each. */
const KIND_ROWS = cellsOf(
  /^\| `kind` +\| default `path` .*\n.*\n(?:\|.*\n)+/m.exec(DOCUMENT)?.[0].trimEnd() ?? "",
);

const WINDOW = { from: "2026-12-01T02:00:00Z", to: "2026-12-01T04:00:00Z" };
const RULE = { rrule: "FREQ=DAILY", from: "2026-12-01T02:00", duration: "2h" };
type Entry = Readonly<Record<string, unknown>>;
const withMaintenance = (entry: Entry) => ({ title: "t", gateways: [GATEWAY], maintenance: [entry] });

/** What is required at a level, and the whole configuration around an entry of it. */
const LEVELS = {
  root: { required: { title: "t", gateways: [GATEWAY] }, around: (entry: Entry): unknown => entry },
  gateway: { required: GATEWAY, around: (entry: Entry) => ({ title: "t", gateways: [entry] }) },
  monitor: { required: { kind: "models" }, around: (entry: Entry) => withGateway({ monitors: [entry] }) },
  theme: {
    required: {},
    around: (theme: Entry) => ({ title: "t", gateways: [GATEWAY], theme }),
  },
  parts: { required: {}, around: (parts: Entry) => ({ title: "t", gateways: [GATEWAY], parts }) },
  maintenance: { required: WINDOW, around: withMaintenance },
  recurring: { required: RULE, around: withMaintenance },
} as const;

/** Left out and written, by what the table says of the default. */
function judgeDefault(row: Row, required: Entry, around: (entry: Entry) => unknown): void {
  const { [row.key]: _, ...without } = required;
  const left = parseConfig(around(without));
  if (row.default === "required") {
    expect(left.ok ? [] : left.faults.map(({ problem }) => problem)).toEqual(["is missing"]);
    return;
  }
  expect(left).toMatchObject({ ok: true });
  if (!/^`[^`]+`$/.test(row.default)) return;
  const written: unknown = JSON.parse(quoted(row.default)[0] ?? "");
  expect(parseConfig(around({ ...required, [row.key]: written }))).toEqual(left);
}

describe.each(["root", "theme", "gateway", "monitor", "maintenance", "recurring"] as const)("%s", (level) => {
  test("every key is documented, once, and no other", () => {
    const keys = rowsOf(level).map(({ key }) => key);
    expect(keys.toSorted()).toEqual([...knownKeys(level, "models")].toSorted());
  });

  test.each(rowsOf(level))("$key: default $default", (row) => {
    const { required, around } = LEVELS[level];
    judgeDefault(row, required, around);
  });
});

describe("channel", () => {
  test.each(KINDS)("every key of %s is documented, once, and no other", (kind) => {
    expect(keysOf("channel", kind).toSorted()).toEqual([...knownKeys("channel", kind)].toSorted());
  });

  test.each(settingsOf("channel"))("$key of $kinds: default $default", (row) => {
    expect(row.kinds).not.toEqual([]);
    for (const kind of row.kinds) {
      const around = (entry: Entry) => ({ title: "t", gateways: [GATEWAY], alerts: [{ kind, ...entry }] });
      const { kind: _, ...required } = LEAST_CHANNELS[kind as keyof typeof LEAST_CHANNELS];
      judgeDefault(row, required, around);
    }
  });

  test("every list of a filter is documented, and no other", () => {
    expect(rowsOf("only").map(({ key }) => key)).toEqual(knownKeys("only"));
  });
});

describe("canary", () => {
  /** The kinds have a table of their own; the others are described for `models`. */
  const SHARED = [
    "kind",
    "slowerThan",
    "open",
    "close",
    "remindEvery",
    "flapping",
    "runbook",
    "runbooks",
    "contact",
    "formerly",
  ];

  test.each(CANARY_KINDS)("every key of %s is documented, once, and no other", (kind) => {
    expect([...keysOf("canary", kind), ...SHARED].toSorted()).toEqual(knownKeys("monitor", kind).toSorted());
  });

  test.each(settingsOf("canary"))("$key of $kinds: default $default", (row) => {
    expect(row.kinds).not.toEqual([]);
    for (const kind of CANARY_KINDS.filter((name) => row.kinds.includes(name))) {
      const { kind: _, ...required } = LEAST[kind];
      judgeDefault(row, required, (entry) => withCanaries({ kind, ...entry }));
    }
  });

  test("its kinds are named", () => {
    expect(KIND_ROWS.flatMap(([kind = ""]) => quoted(kind))).toEqual(CANARY_KINDS);
  });

  test.each(CANARY_KINDS)("every pointer of %s is documented, once, and no other", (kind) => {
    expect(keysOf("pointers", kind).toSorted()).toEqual([...knownKeys("pointers", kind)].toSorted());
  });

  test("every price is documented, and no other", () => {
    const told = quoted(partOf("prices")).filter((word) => !word.startsWith('"'));
    expect(told).toEqual(knownKeys("prices"));
  });

  test.each(CANARY_KINDS)("the usual body of %s is told member by member", (kind) => {
    const { body } = canaryOf(LEAST[kind]).request;
    const told =
      new RegExp(`^\\| \`${kind}\` +\\| (\`(?:model|contents)\`.*)\\|$`, "m").exec(DOCUMENT)?.[1] ?? "";
    const members = quoted(told.split(";")[0] ?? "").map((word) => word.split(":")[0]);
    expect(members).toEqual(Object.keys((JSON.parse(body ?? "{}") ?? {}) as object));
  });
});

describe("examples", () => {
  const FENCE = /<!-- config -->\n\n```ts\n([\s\S]*?)\n```/g;
  const WHOLE = /defineConfig\(\{([\s\S]*?)\n\s*\}\);\n/g;
  const OF_GATEWAY = /<!-- config: gateway -->\n\n```ts\n([\s\S]*?)\n```/g;
  const inGateway = (text: string) => `gateways: [{ ...${JSON.stringify(GATEWAY)}, ${text} }],`;
  const examplesIn = (document: string) => [
    ...[...document.matchAll(FENCE), ...document.matchAll(WHOLE)].map(([, text = ""]) => text),
    ...[...document.matchAll(OF_GATEWAY)].map(([, text = ""]) => inGateway(text)),
  ];
  const PATHS = [
    "README.md",
    "docs/configuration.md",
    "docs/admin.md",
    "docs/scale.md",
    "docs/integrations.md",
    "docs/guide.zh.md",
  ];
  const EXAMPLES = PATHS.map((path) => examplesIn(readFileSync(`${ROOT}${path}`, "utf8")));

  test("there are some in each document", () => {
    for (const [index, examples] of EXAMPLES.entries()) expect(examples, PATHS[index]).not.toEqual([]);
    expect(EXAMPLES.flat().length).toBeGreaterThan(10);
  });

  test.each(EXAMPLES.flat())("%s", (text) => {
    const written: unknown = runInNewContext(`({ ${text} })`);
    // Objects of another context are not plain ones here.
    const input = JSON.parse(JSON.stringify(written)) as object;
    const config = readConfig({ title: "t", gateways: [GATEWAY], ...input });
    // The Worker gets it as JSON.
    expect(JSON.parse(JSON.stringify(config))).toStrictEqual(config);
  });
});
