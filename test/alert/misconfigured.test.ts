/** What is wrong with a channel is said with the names of its secrets, never with their values. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ChannelConfig } from "../../src/config/config.ts";
import { channelProblem, secretFaults } from "../../src/config/secrets.ts";
import { readConfig } from "../../src/config/load.ts";
import { CHANNELS, ENTRIES, entryOf, KINDS, render, SECRETS } from "./channel-configs.ts";
import { letterOf, opened } from "./telling.ts";
import { rounds } from "../extent.ts";

type Secrets = Readonly<Record<string, string>>;

function problemOf(channel: ChannelConfig, secrets: Secrets): string | null {
  return channelProblem(channel, (name) => secrets[name] ?? null);
}

const CONFIG = readConfig({ title: "t", gateways: [] });
const NAMES = Object.keys(SECRETS);
const HTTP_KINDS = KINDS.filter((kind) => kind !== "email");
/** The kinds whose address is a secret, with its name. */
const URLS = KINDS.flatMap((kind) => {
  const channel = CHANNELS[kind];
  return "url" in channel ? [[channel, channel.url] as const] : [];
});

test.each(HTTP_KINDS)("%s: a secret that is not set is named", (kind) => {
  expect(problemOf(CHANNELS[kind], {})).toMatch(/^the secret [A-Z_]+ is not set$/);
  expect(problemOf(CHANNELS[kind], SECRETS)).toBeNull();
});

const NO_ADDRESS = "is not an address that begins with https://";
const USER_INFO = "is an address with user info, which requests cannot send";

test.each([
  ["hooks.example/x", NO_ADDRESS],
  ["ftp://hooks.example/x", NO_ADDRESS],
  ["https://", NO_ADDRESS],
  ["javascript:alert(1)", NO_ADDRESS],
  ["https://user:hunter2@hooks.example/x", USER_INFO],
  ["https://user@hooks.example/x", USER_INFO],
  ["http://hooks.example/x", "is an http: address of a public host; use https:"],
  ["http://127.0.0.1:8080/x", null],
  ["http://alertmanager:9093/x", null],
  ["  https://hooks.example/x\n", null],
])("the address %j: %s", (address, problem) => {
  for (const [channel, name] of URLS) {
    const told = problemOf(channel, { ...SECRETS, [name]: address });
    expect(told).toBe(problem && `the secret ${name} ${problem}`);
  }
});

const BAD = KINDS.flatMap((kind) =>
  (entryOf(kind).badSecrets ?? []).map(([name, value, problem]) => ({ kind, name, value, problem })),
);

test.each(BAD)("$kind: $name is $value, which $problem", ({ kind, name, value, problem }) => {
  expect(problemOf(CHANNELS[kind], { ...SECRETS, [name]: value })).toBe(`the secret ${name} ${problem}`);
});

const encoded = (length: number) => Buffer.alloc(length, 7).toString("base64");

test.each([
  ["no prefix", encoded(24)],
  ["the prefix alone", "whsec_"],
  ["23 bytes", `whsec_${encoded(23)}`],
  ["65 bytes", `whsec_${encoded(65)}`],
  ["no padding", `whsec_${encoded(25).replaceAll("=", "")}`],
  ["the alphabet of URLs", `whsec_${"-_".repeat(16)}`],
  ["a space", `whsec_ ${encoded(24)}`],
  ["the asymmetric kind", `whsk_${encoded(64)}`],
])("%s is no signing secret, wherever it stands", (_, NEXT_SECRET) => {
  const channel = { ...CHANNELS.webhook, secret: ["HOOK_SECRET", "NEXT_SECRET"] };
  expect(problemOf(channel, { ...SECRETS, NEXT_SECRET })).toBe(
    "the secret NEXT_SECRET is not a signing secret: whsec_ and the base64 of 24 to 64 bytes",
  );
});

test.each(["100%", "%E4", "a%0Ab"])("api-key=%s is no list of headers for a collector", (value) => {
  const otlp = { endpoint: "https://otlp.acme.example", headers: "OTLP_HEADERS" };
  const [channel] = readConfig({ title: "t", gateways: [], otlp }).alerts;
  const told = (header: string) => channel && problemOf(channel, { OTLP_HEADERS: `api-key=${header}` });
  expect(told("Basic%20YTpi")).toBeNull();
  expect(told(value)).toBe("the secret OTLP_HEADERS is not a list of headers like api-key=abc,tenant=def");
});

test("white space around a value is no fault", async () => {
  const { BOT_TOKEN } = ENTRIES.telegram.secrets;
  const secrets = { BOT_TOKEN: `${BOT_TOKEN}\n` };
  expect(problemOf(CHANNELS.telegram, secrets)).toBeNull();
  const { url } = letterOf(await render(CHANNELS.telegram, [opened()], secrets));
  expect(url).toBe(`https://api.telegram.org/bot${BOT_TOKEN}/sendMessage`);
});

test("the start tells the same of what is set, no value is in it, and without a problem a message can be made", async () => {
  const text = fc.string({ minLength: 6 });
  const signing = fc
    .uint8Array({ minLength: 22, maxLength: 66 })
    .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`);
  const value = fc.oneof(
    signing,
    signing.map((secret) => secret.replace(/=$/, "")),
    fc.constantFrom("http://hooks.example/x", " https://ntfy.example/topic ", "hünter2"),
    fc.string({ unit: "binary", minLength: 6 }),
    text.map((any) => `whsec_${any}`),
    text.map((any) => `https://user:${any}@hooks.example/${any}`),
    text.map((any) => `http://${any}`),
    fc.webUrl(),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...HTTP_KINDS),
      fc.constantFrom(...NAMES),
      value,
      async (kind, name, bad) => {
        const secrets: Secrets = { ...SECRETS, [name]: bad };
        const problem = problemOf(CHANNELS[kind], secrets);
        expect(problem ?? "").not.toContain(bad.trim() || "\0");
        const atStart = { ...CONFIG, alerts: [CHANNELS[kind]] };
        const isTold = problem !== null && !problem.endsWith(" is not set");
        expect(secretFaults(atStart, (of) => secrets[of] ?? null).map((of) => of.problem)).toEqual(
          isTold ? [problem] : [],
        );
        if (problem === null) expect(await render(CHANNELS[kind], [opened()], secrets)).toBeDefined();
      },
    ),
    { numRuns: rounds(300, 3000) },
  );
});
