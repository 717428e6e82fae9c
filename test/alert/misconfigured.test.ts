/** What is wrong with a channel is told by the names of its secrets, never by their values. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChannelConfig } from "../../src/config/channels.ts";
import type { Config } from "../../src/config/config.ts";
import { parseConfig } from "../../src/config/load.ts";
import { secretProblems } from "../../src/config/secret-forms.ts";
import { CHANNELS, KINDS, render, SECRETS } from "./channel-configs.ts";
import { letterOf, opened } from "./telling.ts";
import { rounds } from "../extent.ts";

async function problemOf(channel: ChannelConfig, secrets: Readonly<Record<string, string>>): Promise<string> {
  const rendered = await render(channel, [opened()], secrets);
  return rendered.type === "misconfigured" ? rendered.problem : "none";
}

function configOf(): Config {
  const parsed = parseConfig({ title: "t", gateways: [] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.config;
}

const HTTP_KINDS = KINDS.filter((kind) => kind !== "email");

test.each(HTTP_KINDS)("%s: a secret that is not set is named", async (kind) => {
  expect(await problemOf(CHANNELS[kind], {})).toMatch(/^the secret [A-Z_]+ is not set$/);
  expect(await problemOf(CHANNELS[kind], { ...SECRETS })).toBe("none");
});

describe("addresses", () => {
  test.each([
    ["hooks.example/x", "the secret HOOK_URL is not an address that begins with https://"],
    ["ftp://hooks.example/x", "the secret HOOK_URL is not an address that begins with https://"],
    ["https://", "the secret HOOK_URL is not an address that begins with https://"],
    ["javascript:alert(1)", "the secret HOOK_URL is not an address that begins with https://"],
    [
      "https://user:hunter2@hooks.example/x",
      "the secret HOOK_URL is an address with user info, which no request can bear",
    ],
    ["http://hooks.example/x", "the secret HOOK_URL is an http: address of a public host; use https:"],
    ["http://127.0.0.1:8080/x", "none"],
    ["http://alertmanager:9093", "none"],
    ["  https://hooks.example/x\n", "none"],
  ])("%j", async (HOOK_URL, problem) => {
    for (const kind of ["webhook", "slack", "discord", "teams"] as const) {
      expect(await problemOf(CHANNELS[kind], { ...SECRETS, HOOK_URL })).toBe(problem);
    }
  });

  test("a topic's address must name a topic", async () => {
    for (const TOPIC_URL of [
      "https://ntfy.sh",
      "https://ntfy.sh/",
      "https://ntfy.sh/a.b",
      `https://ntfy.sh/${"x".repeat(65)}`,
    ]) {
      expect(await problemOf(CHANNELS.ntfy, { ...SECRETS, TOPIC_URL })).toBe(
        "the secret TOPIC_URL is no address of a topic like https://ntfy.sh/my-topic",
      );
    }
  });
});

describe("keys and tokens", () => {
  test.each([
    [
      "webhook",
      { HOOK_SECRET: "hunter2" },
      "the secret HOOK_SECRET is not a signing secret: whsec_ and the base64 of 24 to 64 bytes",
    ],
    [
      "pagerduty",
      { PAGERDUTY_KEY: "hunter2" },
      "the secret PAGERDUTY_KEY is not an integration key of 32 letters and digits",
    ],
    [
      "telegram",
      { BOT_TOKEN: "bot123:hunter2" },
      "the secret BOT_TOKEN is not a bot's token like 123456:ABC-DEF",
    ],
    [
      "telegram",
      { BOT_TOKEN: "1:x/../../y" },
      "the secret BOT_TOKEN is not a bot's token like 123456:ABC-DEF",
    ],
    ["alertmanager", { BEARER: "hun\nter2" }, "the secret BEARER is not a token of visible ASCII"],
    ["ntfy", { BEARER: "hünter2" }, "the secret BEARER is not a token of visible ASCII"],
  ] as const)("%s %j", async (kind, secrets, problem) => {
    expect(await problemOf(CHANNELS[kind], { ...SECRETS, ...secrets })).toBe(problem);
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

  test("is what is told where a message cannot be made, in the same words", async () => {
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
      fc.string({ unit: "binary", minLength: 1 }),
      fc.webUrl(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...HTTP_KINDS),
        fc.constantFrom(...NAMES),
        value,
        async (kind, name, bad) => {
          const secrets = { ...SECRETS, [name]: bad };
          const problem = await problemOf(CHANNELS[kind], secrets);
          const told = toldAtStart(CHANNELS[kind], (of) => secrets[of as keyof typeof secrets]);
          expect(told).toEqual(/^none$| is not set$/.test(problem) ? [] : [problem]);
        },
      ),
      { numRuns: rounds(200, 2000) },
    );
  });

  test("a heartbeat's address is one of them", () => {
    const config = { ...CONFIG, alerts: [], heartbeat: "BEAT_URL" };
    expect(secretProblems(config, () => "beats.example/1")).toEqual([
      "the secret BEAT_URL is not an address that begins with https://",
    ]);
  });

  const NAMES = Object.keys(SECRETS) as (keyof typeof SECRETS)[];
  const CONFIG = configOf();
});

test("no value is ever in a problem, and none makes rendering throw", async () => {
  const value = fc.oneof(
    fc.string({ unit: "binary", minLength: 6 }),
    fc.string({ minLength: 6 }).map((text) => `whsec_${text}`),
    fc.string({ minLength: 6 }).map((text) => `https://user:${text}@hooks.example/${text}`),
    fc.string({ minLength: 6 }).map((text) => `http://${text}`),
    fc.webUrl(),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...HTTP_KINDS), value, async (kind, secret) => {
      const names = Object.keys(SECRETS);
      const problem = await problemOf(
        CHANNELS[kind],
        Object.fromEntries(names.map((name) => [name, secret])),
      );
      expect(problem).not.toContain(secret.trim() || "\0");
      expect(problem).toMatch(/^(?:none|the secret [A-Z_]+ is (?:not|no|an) [\w\s:,;'/.-]+)$/);
    }),
    { numRuns: rounds(100, 1000) },
  );
});
