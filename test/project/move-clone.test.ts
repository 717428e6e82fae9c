import { existsSync, globSync, readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { parse } from "smol-toml";
import { beforeEach, describe, expect, test } from "vitest";
import { lockDirectory } from "../../src/local/persist-dir.ts";
import { moveClone, movedText } from "../../src/project/clone.ts";
import { folderOfTest } from "../cli/folder.ts";
import { rounds } from "../extent.ts";
import { cloneFiles, CLONES, CONFIG, writeClone, type CloneFiles } from "./clone.ts";
import { stoppedAtCall } from "./stopped.ts";

let clone = "";
beforeEach(() => {
  clone = join(folderOfTest(), "clone");
});

function move(of = clone) {
  return moveClone({ clone: of, gatepulse: "0.3.0", manager: { name: "npm" }, env: {} }).then(
    (moved) => ({ ok: true, ...moved }) as const,
    ({ message: problem }: Error) => ({ ok: false, problem }) as const,
  );
}

/** Every file with its text. */
function filesIn(directory: string): CloneFiles {
  const paths = globSync("**/*", { cwd: directory, withFileTypes: true }).filter((entry) => entry.isFile());
  const hidden = globSync("**/.*{,/**/*}", { cwd: directory, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const names = [...paths, ...hidden].map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    names.toSorted().map((path) => [path.slice(directory.length + 1), readFileSync(path, "utf8")]),
  );
}

const PROJECT = [
  ".dockerignore",
  ".github/workflows/gatepulse.yml",
  ".gitignore",
  "Dockerfile",
  "gatepulse.config.ts",
  "package.json",
  "src/index.ts",
  "wrangler.toml",
];

describe("in place", () => {
  test("the files of the clone move into one directory, and those of its user stay", async () => {
    writeClone(clone, cloneFiles());
    const before = filesIn(clone);
    const moved = await move();
    expect(moved).toMatchObject({ ok: true, kept: "gatepulse-0.2.0" });
    const after = filesIn(clone);
    const stays = [
      ".dev.vars",
      ".gatepulse/kv/blob",
      ".git/HEAD",
      ".github/workflows/own.yml",
      "gateways/acme.ts",
      "notes.md",
    ];
    expect(after["gatepulse.config.ts"]).toBe(
      CONFIG.replace("./src/config/define-config.ts", "gatepulse/config"),
    );
    for (const path of stays) expect([path, after[path]]).toEqual([path, before[path]]);
    const gone = Object.keys(before).filter((path) => !stays.includes(path));
    for (const path of gone) expect([path, after[`gatepulse-0.2.0/${path}`]]).toEqual([path, before[path]]);
    expect(
      Object.keys(after)
        .filter((path) => !path.startsWith("gatepulse-0.2.0/"))
        .toSorted(),
    ).toEqual([...PROJECT, ...stays, ".gatepulse/lock.sqlite"].toSorted());
    expect(after[".gitignore"]?.split("\n")).toEqual(
      expect.arrayContaining(["/private", "gatepulse-0.2.0/"]),
    );
  });

  test("the command that is printed brings everything back", async () => {
    writeClone(clone, cloneFiles());
    const before = filesIn(clone);
    const moved = await move();
    if (!moved.ok) throw new Error(moved.problem);
    expect(movedText(moved, "../clone", { name: "npm" })).toContain("Next:\n  cd ../clone && npm install\n");
    execFileSync("bash", ["-c", moved.goBack], { cwd: clone });
    const { ".gatepulse/lock.sqlite": _lock, ...after } = filesIn(clone);
    expect(after).toEqual(before);
  });
});

/** Without data: a move that is killed in this process keeps their lock. */
function stateless(): CloneFiles {
  const { ".gatepulse/kv/blob": _state, ...files } = cloneFiles();
  return files;
}

function goBack(problem: string, cwd = clone): void {
  execFileSync("bash", ["-c", /cp -a .*/.exec(problem)?.[0] ?? "false"], { cwd });
}

describe("in place, with an end before it is over:", () => {
  test("killed anywhere, the next run makes the project or says how to go back, and then makes it", async () => {
    const folder = dirname(clone);
    const before = stateless();
    writeClone(clone, before);
    await move();
    const whole = filesIn(clone);
    const backFrom: number[] = [];
    let isStopped = true;
    for (let calls = 1; isStopped; calls += rounds(7, 1)) {
      const stopped = join(folder, `stopped-${calls}`);
      writeClone(stopped, before);
      const again = () => move(stopped);
      isStopped = await stoppedAtCall(calls, again);
      const next = await again();
      if (!next.ok) {
        backFrom.push(calls);
        goBack(next.problem, stopped);
        expect(filesIn(stopped)).toMatchObject(before);
        expect(await again()).toMatchObject({ ok: true });
      }
      // What the stopped move had made of it, whole or in part, is kept like a file of the clone.
      const {
        "gatepulse-0.2.0/src/index.ts": _made,
        "gatepulse-0.2.0/src/index.ts.tmp": _begun,
        ...after
      } = filesIn(stopped);
      expect([calls, after]).toEqual([calls, whole]);
    }
    expect(backFrom.length).toBeGreaterThan(1);
  });

  test("a failure says how to go back", async () => {
    const others = Object.entries(stateless()).filter(([path]) => !path.startsWith(".github/"));
    const before = { ...Object.fromEntries(others), ".github": "" };
    writeClone(clone, before);
    const moved = await move();
    expect(moved).toMatchObject({ ok: false, problem: /not made \(ENOTDIR/ });
    goBack(moved.ok ? "" : moved.problem);
    expect(filesIn(clone)).toMatchObject(before);
  });
});

describe("refused, with nothing changed:", () => {
  const cases: readonly (readonly [string, CloneFiles, RegExp])[] = [
    ["something that is not a clone", { "package.json": '{"name":"other"}' }, /is not a clone of Gatepulse/],
    [
      "a clone of 0.1.0",
      { "package.json": '{"name":"gatepulse","version":"0.1.0"}' },
      /of 0\.1\.0: merge 0\.2\.0/,
    ],
    [
      "a newer clone",
      { "package.json": '{"name":"gatepulse","version":"99.0.0"}' },
      /npx gatepulse@99\.0\.0 init/,
    ],
    [
      "an import from the code of the clone",
      { "gatepulse.config.ts": `import { x } from "./src/other.ts";\n${CONFIG}` },
      /gatepulse\.config\.ts imports \.\/src\/other\.ts, which a project does not have/,
    ],
    [
      "faults in the configuration",
      { "gateways/acme.ts": 'export const acme = { id: "ACME" };\n' },
      /gateways\[0\]\.id/,
    ],
    [
      "a file of the user's with the name of a new one",
      { Dockerfile: "FROM scratch\n" },
      /Dockerfile is your own/,
    ],
    [
      "a directory of an earlier move",
      { "gatepulse-0.2.0/README.md": "" },
      /gatepulse-0\.2\.0 is there already/,
    ],
  ];
  test.each(cases)("%s", async (_what, files, problem) => {
    const before = { ...cloneFiles(), ...files };
    writeClone(clone, before);
    expect(await move()).toMatchObject({ ok: false, problem });
    const { ".gatepulse/lock.sqlite": _lock, ...after } = filesIn(clone);
    expect(after).toEqual(
      Object.fromEntries(Object.entries(before).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    );
  });

  test("a clone whose Gatepulse runs", async () => {
    writeClone(clone, cloneFiles());
    const release = lockDirectory(join(clone, ".gatepulse"));
    const moved = await move();
    release?.();
    expect(moved).toMatchObject({ ok: false, problem: /a Gatepulse runs with .*Stop it first/ });
    expect(existsSync(join(clone, "gatepulse-0.2.0"))).toBe(false);
  });
});

interface Toml {
  readonly name: string;
  readonly routes?: unknown;
  readonly kv_namespaces: unknown;
  readonly durable_objects: unknown;
  readonly migrations: unknown;
  readonly queues?: unknown;
  readonly assets: unknown;
  readonly build: unknown;
  readonly main: unknown;
  readonly no_bundle: unknown;
}

/** What users edit: the name, the id of KV, routes, a build and bindings of their own, queues. */
function edited(toml: string): string {
  return toml
    .replace('name = "gatepulse"', 'name = "acme-status"')
    .replace('binding = "KV"\n', 'binding = "KV"\nid = "0123456789abcdef"\n')
    .replace("workers_dev = true", 'workers_dev = false\nroutes = ["status.acme.example/*"]')
    .replace(/^command = .*$/m, 'command = "make"')
    .replace(/^# \[\[queues\.producers\]\]\n(?:#.*\n)+/m, (lines) => lines.replaceAll(/^# ?/gm, ""))
    .concat('\n[[send_email]]\nname = "MAIL"\n');
}

/** The next deploy has the data of the last one: KV by its id or binding, a Ledger by its class, each migration once. */
describe.each(Object.keys(CLONES) as (keyof typeof CLONES)[])("wrangler.toml of a clone of %s", (of) => {
  test.each([
    ["as it was", (toml: string) => toml],
    ["edited", edited],
  ])("%s: the name, KV, the Ledger and its migrations stay", async (_what, edit) => {
    const files = cloneFiles(of);
    const toml = edit(files["wrangler.toml"] ?? "");
    writeClone(clone, { ...files, "wrangler.toml": toml });
    expect(await move()).toMatchObject({ ok: true });
    const before = parse(toml) as unknown as Toml;
    const after = parse(readFileSync(join(clone, "wrangler.toml"), "utf8")) as unknown as Toml;
    const own = parse(readFileSync(CLONES["0.3.0"], "utf8")) as unknown as Toml;
    const data = ({ name, routes, kv_namespaces: kv, durable_objects: objects, migrations }: Toml) => ({
      name,
      routes,
      kv,
      objects,
      migrations,
    });
    expect(data(after)).toEqual(data(before));
    const { assets, build, main, no_bundle } = own;
    expect(after).toMatchObject({ assets, build, main, no_bundle });
    expect(after.queues).toEqual(before.queues);
    expect(after).not.toHaveProperty("alias");
    expect(after.migrations).toEqual([
      { tag: "v1", new_sqlite_classes: ["Ledger"] },
      { tag: "v2", new_sqlite_classes: ["Vantage"] },
    ]);
  });
});
