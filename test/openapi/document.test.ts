/** The description is whole, lints clean, and its examples are what it says. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ADMIN_ROUTES } from "../../src/http/admin.ts";
import { createApp } from "../../src/http/app.ts";
import { apiDocument } from "../../src/openapi/document.ts";
import examples from "../../src/openapi/examples.json" with { type: "json" };
import { useWorld } from "../http/published-status.ts";
import { ANY_INSTANTS, bodyFaultsOf, DESCRIPTION } from "./description.ts";

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const world = useWorld();

test("what is served is what the schemas and their words make", () => {
  expect(DESCRIPTION).toEqual(apiDocument());
});

test("redocly finds nothing to say against it", async () => {
  const directory = await mkdtemp(join(tmpdir(), "gatepulse-openapi-"));
  try {
    await writeFile(join(directory, "openapi.json"), JSON.stringify(DESCRIPTION));
    const redocly = require.resolve("@redocly/cli/bin/cli.js");
    const args = [redocly, "lint", "openapi.json", "--extends=recommended", "--format=json"];
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const run = promisify(execFile)(process.execPath, args, { cwd: directory, env });
    const { stdout } = await run.catch((failed: { stdout: string }) => failed);
    const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf("{"))) as Record<string, unknown>;
    expect({ totals, problems }).toEqual({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

/** `/badge/:file` is described by what files there are. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  "/badge/{file}": ["/badge/{gateway}.svg", "/badge/{gateway}.json"],
  "/badge/{gateway}/{file}": ["/badge/{gateway}/{monitor}.svg", "/badge/{gateway}/{monitor}.json"],
};

test("every address that is answered is described, and no other is", () => {
  const answered = createApp()
    .routes.map(({ path }) => path.replaceAll(/:(\w+)/gu, "{$1}"))
    .map((path) => path.replace(/^\/assets\/.*$/u, "/assets/{file}"))
    .filter((path) => path !== "/api/v1/admin/*")
    .flatMap((path) => FILES[path] ?? [path]);
  const described = Object.keys(DESCRIPTION.paths).filter((path) => !path.startsWith("/api/v1/admin/"));
  expect(new Set(described)).toEqual(new Set(answered));
  expect(EXAMPLES.length).toBeGreaterThan(20);
});

test("so is everything that administration takes", () => {
  const filled: Readonly<Record<string, string>> = {
    gateway: "acme",
    monitor: "models",
    incident: "acme.models-20261120t080000z",
    window: "mb3k2x9q1",
  };
  const described = Object.entries<object>(DESCRIPTION.paths).flatMap(([path, methods]) => {
    const [, below] = /^\/api\/v1\/admin\/(.*)$/u.exec(path) ?? [];
    if (below === undefined) return [];
    const address = below.replaceAll(/\{(\w+)\}/gu, (_, name: string) => filled[name] ?? "");
    return Object.keys(methods).map((method) => ({ method: method.toUpperCase(), address }));
  });
  const taking = ({ method, address }: (typeof described)[number]) =>
    ADMIN_ROUTES.filter((route) => route.method === method && route.path.test(address));
  expect(described.filter((one) => taking(one).length !== 1)).toEqual([]);
  expect(new Set(described.flatMap(taking))).toEqual(new Set(ADMIN_ROUTES));
});

type Example = { readonly of: string; readonly schema: object; readonly example: unknown };

/** Wherever a media type has one. */
function examplesIn(node: unknown, of: string): readonly Example[] {
  if (typeof node !== "object" || node === null) return [];
  if ("schema" in node && "example" in node && !("in" in node)) {
    return [{ of, schema: Object(node.schema), example: node.example }];
  }
  return Object.entries(node).flatMap(([name, part]) => examplesIn(part, `${of} ${name}`));
}

const EXAMPLES = [DESCRIPTION.paths, DESCRIPTION.webhooks].flatMap((part) => examplesIn(part, ""));

test.each(EXAMPLES)("the example of$of is as its schema says", ({ of, schema, example }) => {
  const isSent = of.includes("requestBody") && !of.includes("alert");
  expect(bodyFaultsOf(schema, example, isSent ? ANY_INSTANTS : undefined)).toEqual([]);
});

test("what administration answers in the examples is what docs/admin.md shows", () => {
  const document = readFileSync(`${ROOT}docs/admin.md`, "utf8");
  const blocks = [...document.matchAll(/```json\n([\s\S]*?)\n```/gu)];
  const shown = blocks.map(([, text = ""]) => JSON.parse(text) as unknown);
  const answers = EXAMPLES.filter(({ of }) => of.startsWith(" /api/v1/admin/") && of.includes(" responses "));
  const hidden = /\/resume |maintenance\/\{window\} /u;
  for (const { of, example } of answers) {
    if (!hidden.test(of)) expect(shown, of).toContainEqual(example);
  }
  expect(answers.length).toBeGreaterThan(9);
});

test("what is explained in the example is explained so", async () => {
  const { request, response } = examples.explain;
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(request) };
  const deps = { now: () => Date.UTC(2026, 10, 20, 12, 0, 10), version: "0.2.0" };
  expect(await (await world.ask("/api/v1/explain", init, deps)).json()).toEqual(response);
});
