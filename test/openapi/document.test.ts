/** The description is whole and lints clean, and its examples are what it says. What compares answers finds every difference. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { NOTES } from "../../src/explain/pasted.ts";
import { canaryDocumentSchema, monitorDocumentSchema, statusSchema } from "../../src/history/documents.ts";
import { ADMIN_ROUTES } from "../../src/http/admin.ts";
import { createApp } from "../../src/http/app.ts";
import { pointsToCsv } from "../../src/http/history.ts";
import { apiDocument } from "../../src/openapi/document.ts";
import examples from "../../src/openapi/examples.json" with { type: "json" };
import { KINDS } from "../../src/protocol/observation.ts";
import { EVERY_PART } from "../fixtures/config.ts";
import { statusDocument } from "../http/documents.ts";
import { useWorld } from "../http/published-status.ts";
import { ANY_INSTANTS, bodyFaultsOf, DESCRIPTION, faultsOf } from "./description.ts";

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
  const answered = createApp(EVERY_PART)
    .routes.map(({ path }) => path.replaceAll(/:(\w+)/gu, "{$1}"))
    .map((path) => path.replace(/^\/assets\/.*$/u, "/assets/{file}"))
    // Pages of administrators are for browsers alone, and tools for agents describe themselves.
    .filter((path) => path !== "/api/v1/admin/*" && !/^\/(?:mcp|push|admin)/.test(path))
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
    announcement: "a1mcm4tk",
    note: "2026-11-20T12:00:00.000Z",
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

test("each example is of an operation", () => {
  type Methods = Record<string, { operationId: string }>;
  const all = [DESCRIPTION.paths, DESCRIPTION.webhooks].flatMap((part) => Object.values<Methods>(part));
  const ids = new Set(all.flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId)));
  expect(Object.keys(examples).filter((id) => !ids.has(id))).toEqual([]);
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

test("what is explained in the example is explained so", async () => {
  const { request, response } = examples.explain;
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(request) };
  const deps = { now: () => Date.UTC(2026, 10, 20, 12, 0, 10), version: "0.3.0" };
  expect(await (await world.ask("/api/v1/explain", init, deps)).json()).toEqual(response);
});

const DOCS = readFileSync(`${ROOT}docs/api.md`, "utf8");

function documented(what: string): unknown {
  const block = new RegExp(`<!-- example: ${what} -->\n\n\`\`\`json\n([\\s\\S]*?)\n\`\`\``).exec(DOCS)?.[1];
  if (block === undefined) throw new Error(`there is no block ${what}`);
  return JSON.parse(block);
}

function namesIn(cell = ""): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
}

const { paths } = DESCRIPTION;

/** Of what is sent. */
function exampleOf({ content }: { content: Record<string, { example: unknown }> }): unknown {
  const example = content["application/json"]?.example;
  if (example === undefined) throw new Error("there is no example");
  return example;
}

test("what is explained in docs/api.md is the description's example", () => {
  expect(documented("explain request")).toEqual(exampleOf(paths["/api/v1/explain"].post.requestBody));
});

test("every note is documented, and no other, and so is every kind", () => {
  const [, section = ""] = /## Explain\n([\s\S]*?)\n## /.exec(DOCS) ?? [];
  const [, notes = ""] = /\nNotes in `takenFor`:\n\n([\s\S]*?)\n\n/.exec(section) ?? [];
  const told = [...notes.matchAll(/^- `(\w+)`: /gm)].map(([, note]) => note);
  expect(told).toEqual([...NOTES]);
  expect(section).toContain(`(${KINDS.map((kind) => `\`${kind}\``).join(", ")})`);
});

test.each([
  ["a canary", "### Canaries\n\n", canaryDocumentSchema().shape],
  ["a monitor", "<!-- members: monitor -->\n\n", monitorDocumentSchema().shape],
  ["the status", "<!-- members: status -->\n\n", statusSchema().shape],
])("every member of %s is in its list, and no other", (_, before, shape) => {
  const [list = ""] = DOCS.split(before)[1]?.split("\n\n", 1) ?? [];
  const told = list.split("\n- ").flatMap((item) => namesIn(item.split(": ", 1)[0]));
  expect(told.toSorted()).toEqual(Object.keys(shape).toSorted());
});

test("the columns of CSV are listed in their order", () => {
  const columnsOf = (step: string) => {
    const row = DOCS.split("\n").find((line) => line.startsWith(`| ${step} `)) ?? "";
    return namesIn(row.split("|")[2]).join(",");
  };
  expect(`${columnsOf("`probe`")}\r\n`).toBe(pointsToCsv("probe", []));
  expect(`${columnsOf("`1h`, `1d`")}\r\n`).toBe(pointsToCsv("1h", []));
});

const [JSON_TYPE, PROBLEM_JSON] = ["application/json; charset=utf-8", "application/problem+json"];
const HEADERS = { "content-type": JSON_TYPE, etag: '"1"', "access-control-allow-origin": "*" };

interface Answer {
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  /** Undefined: it is left out. */
  readonly headers?: Record<string, string | undefined>;
  readonly body?: unknown;
}

function faults({ method = "GET", path = STATUS, status = 200, headers = HEADERS, body = DOCUMENT }: Answer) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const given = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return faultsOf({ method, path }, { status, headers: new Headers(given), text });
}

const DOCUMENT = statusDocument();
const STATUS = "/api/v1/status";
const TITLES = { title: "Service unavailable", detail: "There is no result yet." };
const PROBLEM = { ...TITLES, type: "about:blank", status: 503, instance: STATUS };
const PROBLEM_TYPE = { "content-type": PROBLEM_JSON };

test("what is as it is described has no faults", () => {
  expect(faults({})).toEqual([]);
  expect(faults({ method: "HEAD", body: "" })).toEqual([]);
  const late = { ...PROBLEM_TYPE, "retry-after": "60" };
  expect(faults({ status: 503, headers: late, body: PROBLEM })).toEqual([]);
});

test.each<[string, Answer, RegExp]>([
  ["a member too many", { body: { ...DOCUMENT, hostname: "10.0.0.1" } }, /hostname/u],
  ["a status that there is not", { status: 418, body: PROBLEM, headers: PROBLEM_TYPE }, /no such status/u],
  ["no tag", { headers: { ...HEADERS, etag: undefined } }, /etag is missing/u],
  ["a 503 that does not say when", { status: 503, headers: PROBLEM_TYPE, body: PROBLEM }, /retry-after/u],
  ["a 304 with a body", { status: 304 }, /has a body/u],
  ["a good answer where there is nothing", { path: "/api/v1/secrets" }, /what is not there takes no GET/u],
  ["a POST that does something", { method: "POST" }, /takes no POST/u],
])("%s is a fault", (_, answer, fault) => {
  expect(faults(answer).join("\n")).toMatch(fault);
});
