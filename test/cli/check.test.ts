import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type Ran, runCli } from "./fake-io.ts";
import { folderOfFile, folderOfTest } from "./folder.ts";

const folder = folderOfFile();

let written = 0;

/** A name of its own each time: a module is loaded once a name. */
function checkText(text: string, extension: string, env: Record<string, string> = {}): Promise<Ran> {
  written += 1;
  const name = `c${written}.${extension}`;
  writeFileSync(join(folder, name), text);
  return runCli(["check", name], { cwd: folder, env });
}

function checkJson(config: unknown, env: Record<string, string> = {}): Promise<Ran> {
  return checkText(JSON.stringify(config), "json", env);
}

const NO_NAME = /is not valid JSON \(Expected double-quoted property name at line 3, column 1\)/;
const ACME = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };

test("a valid configuration is told with what it needs, each secret once", async () => {
  const beta = { ...ACME, id: "beta", monitors: [{ kind: "models", every: "4m" }] };
  const { code, stdout, stderr } = await checkJson({
    title: "t",
    gateways: [ACME, beta],
    alerts: [
      { kind: "webhook", url: "ALERT_URL", secret: ["NEW_SECRET", "OLD_SECRET"] },
      { kind: "webhook", id: "second", url: "ALERT_URL", secret: "NEW_SECRET" },
      { kind: "email", from: "gatepulse@acme.example", to: ["oncall@acme.example"] },
    ],
  });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(`c1.json is valid

gateways      2 (acme, beta)
monitors      2
alerts        3 (webhook, second, email)
secrets       4 (ACME_API_KEY, ALERT_URL, NEW_SECRET, OLD_SECRET)
not set here  4 (ACME_API_KEY, ALERT_URL, NEW_SECRET, OLD_SECRET); npm start needs them
bindings      1 (EMAIL)

Alerts do not link to their incidents, because url is not set.
fix: set url to the address of your status page, such as "https://status.example.com"
`);
});

test("without pages nothing can be linked; `otlp` and `push` are no alerts", async () => {
  const { stdout } = await checkJson({
    title: "t",
    gateways: [ACME],
    parts: { pages: false },
    alerts: [{ kind: "slack", url: "SLACK_URL" }],
    otlp: { endpoint: "https://otlp.acme.example" },
  });
  expect(stdout).toContain("alerts        1 (slack)\n");
  expect(stdout).not.toContain("url is not set");
});

test("what is not set on this machine is named, and what is set and cannot be right, never with its value", async () => {
  const config = { title: "t", gateways: [ACME], heartbeat: "HEARTBEAT_URL" };
  const unset = await checkJson(config, { ACME_API_KEY: "k1" });
  expect(unset.stdout).toContain("\nnot set here  1 (HEARTBEAT_URL); npm start needs them\n");
  writeFileSync(join(folder, ".dev.vars"), "HEARTBEAT_URL=beats.example/5c9f5a3e\n");
  const { code, stdout } = await checkJson(config, { ACME_API_KEY: "k1" });
  rmSync(join(folder, ".dev.vars"));
  expect(code).toBe(1);
  expect(stdout).not.toContain("not set here");
  expect(stdout).toContain(
    "\nOn this machine the secret HEARTBEAT_URL is not an address that begins with https://.\nfix: set HEARTBEAT_URL in .dev.vars or the environment\n",
  );
  expect(stdout).not.toContain("5c9f5a3e");
});

test("of each rule of maintenance it says when it comes next", async () => {
  const rule = { duration: "2h", from: "2026-12-06T02:00", timeZone: "Europe/Berlin" };
  const yearly = { ...rule, title: "Inventory", rrule: "FREQ=YEARLY;UNTIL=20991231T000000Z" };
  const maintenance = [yearly, { ...rule, rrule: "FREQ=DAILY;UNTIL=20261207T000000Z" }];
  vi.useFakeTimers({ now: Date.parse("2027-01-01T00:00:00Z"), toFake: ["Date"] });
  const { stdout } = await checkJson({ title: "t", gateways: [ACME], maintenance }).finally(vi.useRealTimers);
  expect(stdout).toContain("\nmaintenance   Inventory: next at 2027-12-06 01:00:00 UTC\n");
  expect(stdout).toContain("\nmaintenance   Planned maintenance: never again: the rule is over\n");
});

const SLACK = { kind: "slack", url: "SLACK_URL" };
const WATCHED = { kind: "console", apiKey: "ACME_LOGIN" };
const NO_HEADER = "has a line break or a character beyond ASCII, which no header can carry";

test.each<[name: string, value: string, problem: string, config: object]>([
  ["ACME_API_KEY", "kNm3\nqs", `the secret ACME_API_KEY ${NO_HEADER}`, {}],
  ["ACME_API_KEY", "“kNm3qs”", `the secret ACME_API_KEY ${NO_HEADER}`, {}],
  ["ACME_API_KEY", '"kNm3qs"', "the secret ACME_API_KEY is in quotes, which are no part of a key", {}],
  [
    "ACME_API_KEY",
    "Bearer kNm3qs",
    "the secret ACME_API_KEY begins with Bearer, which Gatepulse adds itself",
    {},
  ],
  ["ACME_API_KEY", "https://api.acme.example", "the secret ACME_API_KEY is an address, not a key", {}],
  [
    "ACME_LOGIN",
    "k\u0007",
    `the secret ACME_LOGIN ${NO_HEADER}`,
    { gateways: [{ ...ACME, monitors: [WATCHED] }] },
  ],
  [
    "SLACK_URL",
    "hooks/kNm3qs",
    "the secret SLACK_URL is not an address that begins with https://",
    { alerts: [SLACK] },
  ],
  ["ADMIN_TOKEN", "kNm3qs", "ADMIN_TOKEN is shorter than 16 characters: administration is off", {}],
  ["VIEW_TOKEN", "kNm3qs", "VIEW_TOKEN is shorter than 16 characters: no page is shown to anyone", {}],
  ["VIEW_TOKEN", "", "VIEW_TOKEN is shorter than 16 characters: no page is shown to anyone", {}],
])("%s set to %j cannot be right: exit code 1", async (name, value, problem, more) => {
  const { code, stdout } = await checkJson({ title: "t", gateways: [ACME], ...more }, { [name]: value });
  expect(code).toBe(1);
  expect(stdout).toContain(
    `\nOn this machine ${problem}.\nfix: set ${name} in .dev.vars or the environment\n`,
  );
  expect(stdout).not.toContain("kNm3");
});

test("a secret of white space is not set, and a canary's own header may have Bearer in its secret", async () => {
  const canary = { ...WATCHED, headers: { authorization: "{key}" } };
  const env = { ACME_API_KEY: " ", ACME_LOGIN: "Bearer kNm3qs" };
  const { code, stdout } = await checkJson({ title: "t", gateways: [{ ...ACME, monitors: [canary] }] }, env);
  expect(code).toBe(0);
  expect(stdout).toContain("not set here  1 (ACME_API_KEY); npm start needs them\n");
});

test("of a signing secret that cannot be right, check says how to make one", async () => {
  const webhook = { kind: "webhook", url: "HOOK_URL", secret: "HOOK_SECRET" };
  const config = { title: "t", gateways: [ACME], alerts: [webhook] };
  const { code, stdout } = await checkJson(config, {
    HOOK_URL: "https://a.example",
    HOOK_SECRET: "whsec_short",
  });
  expect(code).toBe(1);
  expect(stdout).toContain(
    "\nOn this machine the secret HOOK_SECRET is not a signing secret: whsec_ and the base64 of 24 to 64 bytes.\n" +
      'fix: make one with echo "whsec_$(openssl rand -base64 32)", and set HOOK_SECRET in .dev.vars or the environment\n',
  );
});

const acmes = (count: number) => Array.from({ length: count }, (_, n) => ({ ...ACME, id: `g${n}` }));
const LATE =
  "On average, 21 probes are due in a tick, but only 20 can run: each monitor is checked 1.05 times less often than configured";

test.each<readonly [string, object, string]>([
  ["what is more than a tick takes is warned of", { gateways: acmes(21) }, LATE],
  [
    "of many gateways the first 20 are named",
    { gateways: acmes(23), plan: "paid" },
    "g18, g19 and 3 more)\n",
  ],
])("a valid configuration is told with its tick: %s", async (_what, config, words) => {
  const { code, stdout } = await checkJson({ title: "t", ...config });
  expect(code).toBe(0);
  expect(stdout).toContain(words);
});

test("of an address that Cloudflare cannot reach check and plan warn", async () => {
  const hidden = { ...ACME, id: "b", baseUrl: "http://192.168.1.5:4000" };
  const { code, stdout } = await checkJson({ title: "t", gateways: [ACME, hidden] });
  const warning =
    "Cloudflare cannot reach the private address of b; gatepulse start can.\nfix: before you deploy, write";
  expect([code, stdout]).toEqual([0, expect.stringContaining(warning)]);
  expect((await runCli(["plan", `c${written}.json`], { cwd: folder })).stdout).toContain(warning);
});

test("all faults of one address are printed at once, each with its path and its fix", async () => {
  const { code, stdout } = await checkJson({
    title: "t",
    gateways: [{ ...ACME, baseUrl: "https://u:p@api.acme.example/v1?x=1#f" }],
  });
  expect(code).toBe(2);
  expect(stdout).toContain(`has 4 faults

gateways[0].baseUrl contains user info
  fix: remove everything between // and @; a key belongs in a secret
gateways[0].baseUrl has a query
  fix: remove the ? and everything after it
gateways[0].baseUrl has a fragment
  fix: remove the # and everything after it
gateways[0].baseUrl contains /v1, which every path already has
  fix: remove /v1 and everything after it
`);
});

test("a TypeScript file is read as it is, with defineConfig", async () => {
  const source = new URL("../../src/config/define-config.ts", import.meta.url).href;
  const { code, stdout } = await checkText(
    `import { defineConfig, type ConfigInput } from ${JSON.stringify(source)};
const title: string = "t";
export default defineConfig({ title, gateways: [${JSON.stringify(ACME)}] }) satisfies ConfigInput;`,
    "ts",
  );
  expect([code, stdout.includes("is valid")]).toEqual([0, true]);
});

test("without a file name gatepulse.config.ts is checked", async () => {
  const other = mkdtempSync(join(folder, "default-"));
  writeFileSync(join(other, "gatepulse.config.ts"), 'export default { title: "t", gateways: [] };');
  expect(await runCli(["check"], { cwd: other })).toMatchObject({ code: 0 });
});

test.each([
  ["missing.json is missing; npx gatepulse init creates a project with one", ["missing.json"]],
  [". is not a file", ["."]],
  ["give at most one FILE", ["a.json", "b.json"]],
  ["unknown option; the options are: --config, --help, --lang", ["--fix"]],
])("%s: exit code 2", async (problem, args) => {
  const { code, stdout, stderr } = await runCli(["check", ...args], { cwd: folder });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toBe(`gatepulse check: ${problem}\nSee gatepulse check --help.\n`);
});

test.each([
  ["ts", "export const config = {};", /has no default export/],
  ["ts", "export default { a: b c };", /cannot be loaded/],
  [
    "ts",
    "\nthrow new RangeError('no zone');",
    /cannot be loaded \(RangeError at line 2, column 7: no zone\)/,
  ],
  ["ts", "export default { a: b };", /\(ReferenceError at line 1, column 21: b is not defined\)/],
  ["ts", "import x from './not-there.ts'; export default x;", /Cannot find module '\S*not-there.ts'/],
  ["ts", "throw 'a string';", /\(it throws something that is not an Error\)/],
  ["ts", "throw new Error('x'.repeat(1000));", /: x{200}\)\n/],
  ["json", '{\n  "a": 1,\n}', NO_NAME],
])("a .%s file with %j cannot be used: exit code 2", async (extension, text, words) => {
  const { code, stderr } = await checkText(text, extension);
  expect(code).toBe(2);
  expect(stderr).toMatch(words);
});

test("a secret of the environment that the file throws is not printed", async () => {
  writeFileSync(join(folder, "env.ts"), 'throw new Error("no use: kNm3nqs-99xx");');
  const env = { ACME_API_KEY: "kNm3nqs-99xx" };
  const { stderr } = await runCli(["check", "env.ts"], { cwd: folder, env });
  expect(stderr).toContain("(Error at line 1, column 7: no use: [redacted])");
});

const SECRET = "sk-live-abcdefghijklmnop0123456789";
const ofAcme = (more: object) => JSON.stringify({ title: "t", gateways: [{ ...ACME, ...more }] });

test.each([
  ["as a value", "json", ofAcme({ apiKey: SECRET })],
  ["without its quotes in JSON", "json", `{"title": ${SECRET}}`],
  ["without its quotes in TypeScript", "ts", `export default { title: ${SECRET} };`],
  ["in an error that the file throws", "ts", `throw new Error("${SECRET}");`],
  ["as a name that is not defined", "ts", "export default { title: abcdefghijklmnopQRSTUV0123456789 };"],
])("a secret in the file (%s) is not printed", async (_where, extension, text) => {
  const { code, stdout, stderr } = await checkText(text, extension);
  expect(code).toBe(2);
  expect(stdout + stderr).not.toContain("abcdefghijkl");
});

test("on a terminal there is colour; with NO_COLOR, or where TERM is dumb, there is none", async () => {
  const painted = await runCli(["check", "c1.json"], { cwd: folder, isTTY: true });
  expect(painted.stdout).toContain("\u001b[32mc1.json is valid\u001b[0m");
  for (const env of [{ NO_COLOR: "0" }, { TERM: "dumb" }]) {
    const plain = await runCli(["check", "c1.json"], { cwd: folder, isTTY: true, env });
    expect(plain.stdout).not.toContain("\u001b");
  }
});

const LIST = { kind: "models" };
const CHAT = { kind: "chat", model: "gpt-4o-mini" };

/** What is printed of a valid configuration, below its name. */
async function checked(monitors: readonly object[], more: object = {}): Promise<string> {
  const env = { ACME_API_KEY: "k1", ACME_LOGIN_TOKEN: "k2" };
  const config = { title: "t", gateways: [{ ...ACME, monitors }], ...more };
  const { code, stdout, stderr } = await checkJson(config, env);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.slice(stdout.indexOf("\n\n") + 2);
}

/** The warnings below the table. */
async function warned(monitors: readonly object[], more: object = {}): Promise<string> {
  const text = await checked(monitors, more);
  return text.split("\n\n").slice(1).join("\n\n");
}

test("canaries are told with what they may spend, and with their secrets", async () => {
  const monitors = [
    LIST,
    CHAT,
    { kind: "embeddings", model: "text-embedding-3-small", every: "2h", perDay: 12, retry: true },
    { kind: "console", apiKey: "ACME_LOGIN_TOKEN" },
  ];
  expect(await checked(monitors)).toBe(`gateways  1 (acme)
monitors  4
canaries  3 (acme/chat-gpt-4o-mini, acme/embeddings-text-embedding-3-small, acme/console); at most 60 requests a day that cost money
alerts    none
secrets   2 (ACME_API_KEY, ACME_LOGIN_TOKEN)
`);
});

test("canaries that spend without a list of models are warned of", async () => {
  const warning =
    'acme has canaries, but its list of models is not checked. Canaries then keep spending while the gateway is down.\nfix: add { kind: "models" } to the monitors of acme, unless it has no such list\n';
  expect(await warned([CHAT])).toBe(warning);
  expect(await warned([{ kind: "http", path: "/x", body: {}, expect: { "/ok": true } }])).toBe(warning);
  expect(await warned([LIST, CHAT])).toBe("");
  expect(await warned([{ kind: "console" }])).toBe("");
});

test("a cap that leaves out a part of the day is warned of, with what fits", async () => {
  expect(await warned([LIST, { ...CHAT, every: "5m" }])).toBe(
    'acme/chat-gpt-4o-mini is due 288 times a day, but perDay allows 48 requests: it is skipped for the rest of each day.\nfix: write every: "30m", or perDay: 288\n',
  );
  expect(await warned([LIST, { ...CHAT, every: "24h", perDay: 1 }])).toBe("");
  expect(await warned([LIST, { kind: "console", every: "1m" }])).toBe("");
});

test("without gatepulse.config.ts, gatepulse.config.json is the configuration", async () => {
  const own = folderOfTest();
  writeFileSync(join(own, "gatepulse.config.json"), '{ "title": "Acme", "gateways": [] }');
  expect((await runCli(["check"], { cwd: own })).stdout).toContain("gatepulse.config.json is valid");
});

test("a package that is not installed is named", async () => {
  const { code, stderr } = await checkText('import "nowhere-to-be-found";\n', "mjs");
  expect(code).toBe(2);
  expect(stderr).toContain(".mjs needs the package nowhere-to-be-found: run npm install first\n");
});
