/** What is wrong with a channel is told by the names of its secrets, never by their values. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChannelConfig } from "../../src/config/config.ts";
import { secretProblems } from "../../src/config/secrets.ts";
import { readConfig } from "../../src/config/load.ts";
import { CHANNELS, KINDS, render, SECRETS } from "./channel-configs.ts";
import { letterOf, opened } from "./telling.ts";
import { rounds } from "../extent.ts";

async function problemOf(channel: ChannelConfig, secrets: Readonly<Record<string, string>>): Promise<string> {
  const rendered = await render(channel, [opened()], secrets);
  return rendered.type === "misconfigured" ? rendered.problem : "none";
}

const CONFIG = readConfig({ title: "t", gateways: [] });
const NAMES = Object.keys(SECRETS) as (keyof typeof SECRETS)[];
const HTTP_KINDS = KINDS.filter((kind) => kind !== "email");

test.each(HTTP_KINDS)("%s: a secret that is not set is named", async (kind) => {
  expect(await problemOf(CHANNELS[kind], {})).toMatch(/^the secret [A-Z_]+ is not set$/);
  expect(await problemOf(CHANNELS[kind], { ...SECRETS })).toBe("none");
});

const GOOD = "is good";
const NO_ADDRESS = "is not an address that begins with https://";
const NO_SIGNER = "is not a signing secret: whsec_ and the base64 of 24 to 64 bytes";
const NO_TOPIC = "is no address of a topic like https://ntfy.sh/my-topic";
const NO_BOT = "is not a bot's token like 123456:ABC-DEF";
const NO_TOKEN = "is not a token of visible ASCII";

test.each([
  ["hooks.example/x", NO_ADDRESS],
  ["ftp://hooks.example/x", NO_ADDRESS],
  ["https://", NO_ADDRESS],
  ["javascript:alert(1)", NO_ADDRESS],
  ["https://user:hunter2@hooks.example/x", "is an address with user info, which no request can carry"],
  ["https://user@hooks.example/x", "is an address with user info, which no request can carry"],
  ["http://hooks.example/x", "is an http: address of a public host; use https:"],
  ["http://127.0.0.1:8080/x", GOOD],
  ["http://alertmanager:9093", GOOD],
  ["  https://hooks.example/x\n", GOOD],
])("the address %j %s", async (HOOK_URL, problem) => {
  for (const kind of ["webhook", "slack", "discord", "teams"] as const) {
    const told = await problemOf(CHANNELS[kind], { ...SECRETS, HOOK_URL });
    expect(told).toBe(problem === GOOD ? "none" : `the secret HOOK_URL ${problem}`);
  }
});

describe("keys and tokens", () => {
  test.each<[kind: (typeof KINDS)[number], name: keyof typeof SECRETS, value: string, problem: string]>([
    ["webhook", "HOOK_SECRET", "hunter2", NO_SIGNER],
    ["pagerduty", "PAGERDUTY_KEY", "hunter2", "is not an integration key of 32 letters and digits"],
    ["telegram", "BOT_TOKEN", "bot123:hunter2", NO_BOT],
    ["telegram", "BOT_TOKEN", "1:x/../../y", NO_BOT],
    ["alertmanager", "BEARER", "hun\nter2", NO_TOKEN],
    ["ntfy", "BEARER", "hünter2", NO_TOKEN],
    ["ntfy", "TOPIC_URL", "https://ntfy.sh", NO_TOPIC],
    ["ntfy", "TOPIC_URL", "https://ntfy.sh/", NO_TOPIC],
    ["ntfy", "TOPIC_URL", "https://ntfy.sh/a.b", NO_TOPIC],
    ["ntfy", "TOPIC_URL", `https://ntfy.sh/${"x".repeat(65)}`, NO_TOPIC],
  ])("%s: %s is %j, which %s", async (kind, name, value, problem) => {
    const told = await problemOf(CHANNELS[kind], { ...SECRETS, [name]: value });
    expect(told).toBe(`the secret ${name} ${problem}`);
  });

  test("of several signing secrets the faulty one is named", async () => {
    const channel = { ...CHANNELS.webhook, signingSecrets: ["HOOK_SECRET", "NEXT_SECRET"] };
    expect(await problemOf(channel, { ...SECRETS })).toBe("the secret NEXT_SECRET is not set");
    expect(await problemOf(channel, { ...SECRETS, NEXT_SECRET: "whsec_short" })).toMatch(
      /^the secret NEXT_SECRET /,
    );
  });

  test("white space around a value is no fault", async () => {
    const secrets = { ...SECRETS, BOT_TOKEN: `${SECRETS.BOT_TOKEN}\n` };
    const { url } = letterOf(await render(CHANNELS.telegram, [opened()], secrets));
    expect(url).toBe(`https://api.telegram.org/bot${SECRETS.BOT_TOKEN}/sendMessage`);
  });
});

describe("what is told at the start", () => {
  const toldAtStart = (channel: ChannelConfig, valueOf: (name: string) => string | null) =>
    secretProblems({ ...CONFIG, alerts: [channel] }, valueOf);

  test.each(KINDS)("%s: what is set as it should be, and what is not set, is no problem", (kind) => {
    expect(toldAtStart(CHANNELS[kind], (name) => SECRETS[name as keyof typeof SECRETS])).toEqual([]);
    expect(toldAtStart(CHANNELS[kind], () => null)).toEqual([]);
  });

  test("is what is told where a message cannot be made, in the same words, and never has a value in it", async () => {
    const text = fc.string({ minLength: 6 });
    const signing = fc
      .uint8Array({ minLength: 22, maxLength: 66 })
      .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`);
    const value = fc.oneof(
      signing,
      signing.map((secret) => secret.replace(/=$/, "")),
      fc.constantFrom(
        "https://ntfy.sh/a.b",
        "http://hooks.example/x",
        " https://ntfy.example/topic ",
        "hünter2",
      ),
      fc.string({ unit: "binary", minLength: 6 }),
      text.map((any) => `whsec_${any}`),
      text.map((any) => `https://user:${any}@hooks.example/${any}`),
      text.map((any) => `http://${any}`),
      fc.webUrl(),
    );
    const names = fc.constantFrom([...NAMES], ...NAMES.map((name) => [name]));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...HTTP_KINDS), names, value, async (kind, changed, bad) => {
        const secrets = { ...SECRETS, ...Object.fromEntries(changed.map((name) => [name, bad])) };
        const problem = await problemOf(CHANNELS[kind], secrets);
        expect(problem).not.toContain(bad.trim() || "\0");
        expect(problem).toMatch(/^(?:none|the secret [A-Z_]+ is (?:not|no|an) [\w\s:,;'/.-]+)$/);
        const told = toldAtStart(CHANNELS[kind], (of) => secrets[of as keyof typeof secrets]);
        const isTold = !/^none$| is not set$/.test(problem);
        // A message names the first fault that it meets, the start each of them.
        const alike = changed.length > 1 ? told.filter((of) => of === problem) : told;
        expect(alike).toEqual(isTold ? [problem] : []);
      }),
      { numRuns: rounds(300, 3000) },
    );
  });
});
