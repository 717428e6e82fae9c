import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "./fake-io.ts";
import { folderOfFile } from "./folder.ts";

const folder = folderOfFile();

const ACME = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };
const LIST = { kind: "models" };
const CHAT = { kind: "chat", model: "gpt-4o-mini" };

/** What is printed of a valid configuration. */
async function checked(monitors: readonly object[], more: object = {}): Promise<string> {
  writeFileSync(
    join(folder, "c.json"),
    JSON.stringify({ title: "t", gateways: [{ ...ACME, monitors }], ...more }),
  );
  const env = { ACME_API_KEY: "k1", ACME_LOGIN_TOKEN: "k2" };
  const { code, stdout, stderr } = await runCli(["check", "c.json"], { cwd: folder, env });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

/** The warnings below the table. */
async function warned(monitors: readonly object[], more: object = {}): Promise<string> {
  const text = await checked(monitors, more);
  return text.split("\n\n").slice(2).join("\n\n");
}

test("canaries are told with what they may spend, and with their secrets", async () => {
  const monitors = [
    LIST,
    CHAT,
    { kind: "embeddings", model: "text-embedding-3-small", every: "2h", perDay: 12, retry: true },
    { kind: "console", apiKey: "ACME_LOGIN_TOKEN" },
  ];
  expect(await checked(monitors)).toBe(`c.json is valid

gateways         1 (acme)
monitors         4
canaries         3 (acme/chat-gpt-4o-mini, acme/embeddings-text-embedding-3-small, acme/console); at most 60 requests a day that cost money
alerts           none
secrets          2 (ACME_API_KEY, ACME_LOGIN_TOKEN)
probes a tick    1.08 on average, at most 20 (plan free)
requests a tick  10 if each that may be is repeated 3 times; the plan allows 50
`);
});

test("canaries that spend without a list of models are warned of", async () => {
  const warning =
    'acme has canaries and no monitor of its models: nobody sees whether a model is listed, and nothing keeps canaries from spending while the gateway is down.\nfix: add { kind: "models" } to the monitors of acme\n';
  expect(await warned([CHAT])).toBe(warning);
  expect(await warned([{ kind: "http", path: "/x", body: {}, expect: { "/ok": true } }])).toBe(warning);
  expect(await warned([LIST, CHAT])).toBe("");
  expect(await warned([{ kind: "console" }])).toBe("");
});

test("a cap that leaves out a part of the day is warned of, with what fits", async () => {
  expect(await warned([LIST, { ...CHAT, every: "5m" }])).toBe(
    'acme/chat-gpt-4o-mini falls due 288 times a day and may send 48 requests: for the rest of each day it is skipped.\nfix: write every: "30m", or perDay: 288\n',
  );
  expect(await warned([LIST, { kind: "console", every: "7m", perDay: 7 }])).toBe(
    'acme/console falls due 205 times a day and may send 7 requests: for the rest of each day it is skipped.\nfix: write every: "206m", or perDay: 205\n',
  );
  expect(await warned([LIST, { ...CHAT, every: "24h", perDay: 1 }])).toBe("");
  expect(await warned([LIST, { kind: "console", every: "1m" }])).toBe("");
});

test("canaries share what a tick takes with the lists: however many there are, each tick has requests for them", async () => {
  const many = Array.from({ length: 60 }, (_, index) => ({ ...CHAT, id: `c${index}` }));
  expect(await warned([LIST, ...many])).toBe("");
  expect(await warned([LIST, ...many], { plan: "paid" })).toBe("");
});
