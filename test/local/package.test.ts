/** The packed package, run where its readers run it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, stop } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { chromium } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { COMPATIBILITY_DATE } from "../../src/local/compatibility.ts";
import { startChromium } from "./support/chromium.ts";
import { examplesOf } from "./support/examples.ts";
import { commandOfMachine, programPath } from "../programs.ts";
import { installPackage, type Installed, ROOT } from "./support/packed.ts";

let installed: Installed;

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
  installed = await installPackage();
  await installed.write("program.js", PROGRAM);
  await installed.write("main.js", `${ESM}console.log(await say(gatepulse, client));\n`);
  await installed.write(
    "main.cjs",
    `import("./program.js").then(async ({ say }) => console.log(await say(require("gatepulse"), require("gatepulse/fetch"))));\n`,
  );
  await installed.write("browser.js", `${ESM}globalThis.said = say(gatepulse, client);\n`);
  const worker = "export default { fetch: async () => new Response(await say(gatepulse, client)) };";
  await installed.write("worker.js", `${ESM}${worker}\n`);
  return async () => {
    await installed.remove();
    await stop();
  };
});

/** One script, as a bundler makes it of what is installed. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(installed.directory, entry)],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text).join("");
}

describe("what is packed", () => {
  test("is what was built, the launcher, and what npm adds", () => {
    const tops = new Set(installed.files.map((path) => path.split("/", 1).join("")));
    expect([...tops].sort()).toEqual(["LICENSE", "README.md", "bin", "dist", "package.json"]);
  });

  test("brings the licences of what is in it", () => {
    expect(installed.files.filter((path) => path.startsWith("dist/licenses/"))).toEqual([
      "dist/licenses/eventsource-parser.txt",
      "dist/licenses/zod.txt",
    ]);
  });

  test("is smaller than 300 kB", () => expect(installed.size).toBeLessThan(300_000));

  test("asks an installer for no other package", async () => {
    const script = `JSON.stringify(require("gatepulse/package.json").dependencies ?? null)`;
    expect((await installed.run(process.execPath, ["-p", script])).trim()).toBe("null");
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
    expect((await installed.run(node, [file])).trim()).toBe(SAID);
  });

  test("runs the command line", async () => {
    const program = "node_modules/gatepulse/bin/gatepulse.js";
    const gateway = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };
    const config = { title: "Acme", gateways: [gateway] };
    await installed.write("good.json", JSON.stringify(config));
    expect(await installed.run(node, [program, "--version"])).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await installed.run(node, [program, "check", "good.json"])).toContain("good.json");
    await installed.write("bad.json", JSON.stringify({ ...config, gateways: [{ id: "ACME" }] }));
    await expect(installed.run(node, [program, "check", "bad.json"])).rejects.toMatchObject({ code: 2 });
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
  expect((await installed.run(deno ?? "", args)).trim()).toBe(SAID);
});

describe("the examples of docs/library.md", () => {
  const examples = examplesOf(readFileSync(join(ROOT, "docs/library.md"), "utf8"));

  test("are there, and each prints something", () => {
    expect(examples.map(({ prints }) => prints === "")).toEqual(Array(5).fill(false));
  });

  test.each(examples)("$name", async ({ program, prints }) => {
    await installed.write("example.js", program);
    expect(await installed.run(process.execPath, ["example.js"])).toBe(prints);
  });
});

describe("TypeScript", () => {
  const CONSUMER = `
import { type Cause, diagnose, type Diagnosis, type Owner, retryDelay } from "gatepulse";
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
`;

  test.each([
    ["preserve", "bundler", "consumer.ts"],
    ["node16", "node16", "consumer.ts"],
    ["node16", "node16", "consumer.cts"],
    ["nodenext", "nodenext", "consumer.ts"],
    ["nodenext", "nodenext", "consumer.cts"],
  ])("with module %s and resolution %s finds the types of %s", async (module, moduleResolution, file) => {
    await installed.write(file, CONSUMER);
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
    const language = { module, moduleResolution, target: "es2022", lib: ["es2022"], types: [] };
    const config = { compilerOptions: { ...language, ...strict }, files: [file] };
    const project = await installed.write("tsconfig.json", JSON.stringify(config));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    expect(await installed.run(process.execPath, [tsc, "-p", project])).toBe("");
  });
});
