/** The packed package, run where its readers run it. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Parser } from "commonmark";
import { build, stop } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { chromium } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { COMPATIBILITY_DATE } from "../../src/local/compatibility.ts";
import { pack, type Packed } from "./support/pack.ts";
import { startChromium } from "./support/chromium.ts";
import { isOfRepository, linksOf } from "../docs/nodes.ts";
import { commandOfMachine, programPath } from "../programs.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Who hangs is ended. */
const LONGEST_RUN_MS = 120_000;

/** Where `node_modules/gatepulse` is, as it would be published, and nothing else is installed. */
const directory = await directoryOfFile();
const execute = promisify(execFile);

let packed: Packed;

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(directory, name), text);
  return join(directory, name);
}

/** What the program prints. Rejects where it fails. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const options = { cwd: directory, timeout: LONGEST_RUN_MS, env: { PATH: process.env["PATH"] } };
  return (await execute(command, args, options)).stdout;
}

/** Says in a few words what a runtime makes of the library. */
const PROGRAM = `
export async function say({ diagnose, diagnoseResponse, redact, retryDelay }, { createFetch, GatewayError }) {
  const headers = new Headers({ "X-Request-ID": "req_7" });
  const spent = diagnose({ status: 429, headers, body: '{"error":{"code":"quota_exceeded"}}' });
  const hidden = await diagnoseResponse(new Response('{"code":5000}'));
  const busy = diagnose({ status: 503, body: new TextEncoder().encode("busy") });
  const gatewayFetch = createFetch({ fetch: async () => new Response('{"code":2001}') });
  const thrown = await gatewayFetch("https://api.acme.example/v1/models").catch((error) => error);
  return [
    spent.cause, spent.requestId, hidden.cause, hidden.owner,
    retryDelay(spent, { attempt: 0 }), retryDelay(busy, { attempt: 1, random: 0 }),
    redact("Bearer sk-proj-Jq3nP0xW7vT2mB8kR5yL1dH6 of req_8"),
    thrown instanceof GatewayError, thrown.diagnosis.cause,
  ].join(" | ");
}
`;
const SAID =
  "quota_exceeded | req_7 | business_error | operator |  | 2000 | Bearer [redacted] of req_8 | true | malformed_request";

const ESM = `import * as gatepulse from "gatepulse";
import * as client from "gatepulse/fetch";
import { say } from "./program.js";
`;

beforeAll(async () => {
  packed = await pack(directory);
  const target = join(directory, "node_modules", "gatepulse");
  await mkdir(target, { recursive: true });
  await run("tar", ["-xzf", packed.filename, "--strip-components=1", "-C", target]);
  await write("package.json", '{"private": true, "type": "module"}\n');
  await write("program.js", PROGRAM);
  await write("main.js", `${ESM}console.log(await say(gatepulse, client));\n`);
  await write(
    "main.cjs",
    `import("./program.js").then(async ({ say }) => console.log(await say(require("gatepulse"), require("gatepulse/fetch"))));\n`,
  );
  await write("browser.js", `${ESM}globalThis.said = say(gatepulse, client);\n`);
  const worker = "export default { fetch: async () => new Response(await say(gatepulse, client)) };";
  await write("worker.js", `${ESM}${worker}\n`);
  return () => stop();
});

/** One script, as a bundler makes it of what is installed. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(directory, entry)],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text).join("");
}

describe("what is packed", () => {
  test("has no sources: what of src/ is in it is used as it is", () => {
    const paths = packed.files.map(({ path }) => path);
    const sources = paths.filter((path) => path.startsWith("src/") && /\.tsx?$/.test(path));
    expect(sources).toEqual(["src/project/template/index.ts"]);
  });

  // The registry's page leads relative links to the repository, and images too, but not a srcset.
  test("has the documents, and whatever they link to", () => {
    const paths = packed.files.map(({ path }) => path);
    const documents = paths.filter((path) => /^(?:docs\/)?[^/]+\.md$/.test(path));
    expect(documents).toEqual(expect.arrayContaining(["README.md", "CHANGELOG.md", "docs/api.md"]));
    const targets = documents.flatMap((document) => {
      const text = readFileSync(join(ROOT, document), "utf8");
      expect([document, text.match(/srcset="(?!https:)[^"]*"/g)]).toEqual([document, null]);
      const links = linksOf(text).filter((link) => isOfRepository(link) && !link.startsWith("#"));
      return links.map((link) => posix.join(posix.dirname(document), link.replace(/#.*$/, "")));
    });
    expect([...new Set(targets)].filter((target) => !paths.includes(target))).toEqual([]);
  });

  test("brings the licences of what is in it", () => {
    const licenses = packed.files.flatMap(({ path }) => /^dist\/licenses\/(.*)\.txt$/.exec(path)?.[1] ?? []);
    expect(licenses).toEqual(
      expect.arrayContaining(["cborg", "eventsource-parser", "hono", "terser", "zod"]),
    );
  });

  test("is smaller than 2.5 MB", () => expect(packed.size).toBeLessThan(2_500_000));

  test("asks an installer for no other package", async () => {
    const script = `JSON.stringify(require("gatepulse/package.json").dependencies ?? null)`;
    expect((await run(process.execPath, ["-p", script])).trim()).toBe("null");
  });
});

const machineNode = commandOfMachine("node");
if (machineNode === null) console.warn("skipped: this machine has no Node besides the project's own");
const NODES: readonly (readonly [string, string])[] = [
  ["the project's Node", process.execPath],
  ...(machineNode === null ? [] : [["the machine's Node", machineNode] as const]),
];

describe.each(NODES)("%s", (_name, node) => {
  test.each(["main.js", "main.cjs"])("runs the library by import and by require: %s", async (file) => {
    expect((await run(node, [file])).trim()).toBe(SAID);
  });

  test("runs the command line", async () => {
    const program = "node_modules/gatepulse/bin/gatepulse.js";
    const gateway = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };
    const config = { title: "Acme", gateways: [gateway] };
    await write("good.json", JSON.stringify(config));
    expect(await run(node, [program, "--version"])).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await run(node, [program, "check", "good.json"])).toContain("good.json");
    await write("bad.json", JSON.stringify({ ...config, gateways: [{ id: "ACME" }] }));
    await expect(run(node, [program, "check", "bad.json"])).rejects.toMatchObject({ code: 2 });
  });
});

const browser = programPath("chromium");
if (browser === null)
  console.warn("skipped: chromium is not installed (apt-get install chromium, or set CHROMIUM)");
test.skipIf(browser === null)("a page in chromium runs the library", async () => {
  const server = await startChromium(browser ?? "");
  try {
    const page = await (await chromium.connect(server.wsEndpoint())).newPage();
    await page.addScriptTag({ type: "module", content: await bundle("browser.js") });
    expect(await page.evaluate("globalThis.said")).toBe(SAID);
  } finally {
    await server.close();
  }
});

test("a Worker in workerd runs the library", async () => {
  const script = await bundle("worker.js");
  const options = { modules: true, script, compatibilityDate: COMPATIBILITY_DATE };
  const miniflare = new Miniflare(convertV4MiniflareOptions(options));
  try {
    expect(await (await miniflare.dispatchFetch("http://worker.example/")).text()).toBe(SAID);
  } finally {
    await miniflare.dispose();
  }
});

const deno = programPath("deno");
test.skipIf(deno === null)("Deno runs the library", async () => {
  const args = ["run", "--no-remote", "--node-modules-dir=manual", "main.js"];
  expect((await run(deno ?? "", args)).trim()).toBe(SAID);
});

interface Example {
  /** The first line that is no import, for people. */
  readonly name: string;
  readonly program: string;
  readonly prints: string;
}

/** Its blocks in JavaScript, in their order. */
function examplesOf(markdown: string): readonly Example[] {
  const examples: Example[] = [];
  const walker = new Parser().parse(markdown).walker();
  for (let step = walker.next(); step !== null; step = walker.next()) {
    const { type, info, literal } = step.node;
    if (!step.entering || type !== "code_block" || info !== "js" || literal === null) continue;
    const lines = literal.split("\n");
    const said = lines.flatMap((line, at) =>
      line.startsWith("// ") && (lines[at - 1] ?? "").startsWith("console.log(") ? [line.slice(3)] : [],
    );
    const name = lines.find((line) => line !== "" && !line.startsWith("import ")) ?? "";
    examples.push({ name, program: literal, prints: said.map((line) => `${line}\n`).join("") });
  }
  return examples;
}

describe("the examples of docs/library.md", () => {
  const examples = examplesOf(readFileSync(join(ROOT, "docs/library.md"), "utf8"));

  test("are there, and each prints something", () => {
    expect(examples.map(({ prints }) => prints === "")).toEqual(Array(5).fill(false));
  });

  test.each(examples)("$name", async ({ program, prints }) => {
    await write("example.js", program);
    expect(await run(process.execPath, ["example.js"])).toBe(prints);
  });
});

describe("TypeScript", () => {
  const CONSUMER = `
import { type Cause, diagnose, type Diagnosis, type Owner, retryDelay } from "gatepulse";
import { defineConfig } from "gatepulse/config";
import { createFetch, GatewayError } from "gatepulse/fetch";
const gatewayFetch = createFetch({ maxAttempts: 2 });
export const failed: Promise<Cause | null> = gatewayFetch("https://api.acme.example/v1/models").then(
  () => null,
  (error: unknown) => (error instanceof GatewayError ? error.diagnosis.cause : null),
);
const found: Diagnosis = diagnose({ kind: "models", status: 200, headers: { "x-request-id": "req_7" }, body: "{}" });
const cause: Cause = found.cause;
const owner: Owner = found.owner;
const waitMs: number | null = retryDelay(found, { attempt: 0 });
export { cause, owner, waitMs };
// @ts-expect-error there is no such cause
export const wrong: Cause = "gremlins";
// @ts-expect-error a body that was parsed is no body
diagnose({ status: 200, body: { code: 5000 } });
const acme = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };
export const config = defineConfig({ title: "Acme", gateways: [acme], alerts: [{ kind: "slack", url: "SLACK_URL" }] });
// @ts-expect-error there is no such kind of channel
defineConfig({ title: "Acme", gateways: [acme], alerts: [{ kind: "pigeon", url: "URL" }] });
`;

  test.each([
    ["preserve", "bundler", "consumer.ts"],
    ["node16", "node16", "consumer.ts"],
    ["node16", "node16", "consumer.cts"],
    ["nodenext", "nodenext", "consumer.ts"],
    ["nodenext", "nodenext", "consumer.cts"],
  ])("with module %s and resolution %s finds the types of %s", async (module, moduleResolution, file) => {
    await write(file, CONSUMER);
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
    const language = { module, moduleResolution, target: "es2022", lib: ["es2022"], types: [] };
    const config = { compilerOptions: { ...language, ...strict }, files: [file] };
    const project = await write("tsconfig.json", JSON.stringify(config));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    expect(await run(process.execPath, [tsc, "-p", project])).toBe("");
  });
});
