/** Each kind sends to a receiver as strict as its service, over HTTP and with the client of the Ledger. */
import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import type { Letter } from "../../src/alert/channel.ts";
import { channelKind } from "../../src/alert/channels.ts";
import { send } from "../../src/ledger/deliver/channel-client.ts";
import { serveInTurn } from "../probe/small-server.ts";
import { CHANNELS, entryOf, PORTS, SECRETS } from "./channel-configs.ts";
import { EXAMPLES } from "./documented.ts";
import { opened, tested } from "./telling.ts";
import { type Reply, VENDORS, vendorsReply } from "./vendors.ts";

interface Otherwise {
  readonly secrets?: Readonly<Record<string, string>>;
  readonly keyword?: string;
  readonly lateMs?: number;
  readonly spoiled?: (name: string, value: unknown) => unknown;
}

/** What the service says, and what becomes of the message. */
async function sent(kind: keyof typeof VENDORS, events: readonly AlertEvent[], otherwise: Otherwise = {}) {
  const {
    secrets = SECRETS,
    keyword,
    lateMs = 0,
    spoiled = (_: string, value: unknown) => value,
  } = otherwise;
  let reply: Reply = [0, "", "later"];
  const receiver = await serveInTurn((_, response) => {
    const [seen] = receiver.seen;
    const letter = { type: "http", ...seen, url: `http://localhost${seen?.url}` } as Letter;
    reply = vendorsReply(kind, letter, Date.now());
    response.writeHead(reply[0]).end(reply[1]);
  });
  const channel = {
    ...CHANNELS[kind],
    ...(keyword !== undefined && { keyword }),
  } as (typeof CHANNELS)[typeof kind];
  const { verdict } = await send(events, channel, channelKind(channel), {
    ...PORTS,
    secretOf: (name) => secrets[name] ?? null,
    fetch: (url, { body = "null", ...init }) => {
      const { pathname, search } = new URL(url);
      const sentBody = JSON.stringify(JSON.parse(String(body)), spoiled);
      return fetch(receiver.url + pathname + search, { ...init, body: sentBody });
    },
    now: () => Date.now() - lateMs,
  });
  expect(verdict.type).toBe(reply[2]);
  return { reply, vendor: VENDORS[kind] };
}

const changed = (secret: string) =>
  secret.replace(/[a-z0-9](?=[^a-z0-9]*$)/i, (end) => (end === "9" ? "8" : "9"));

/** The others are receivers of your own, or take any length. */
const KINDS = Object.keys(VENDORS) as (keyof typeof VENDORS)[];
const STRICT = KINDS.filter((kind) => !["webhook", "custom", "alertmanager"].includes(kind));

describe.each(KINDS)("%s", (kind) => {
  test.each([...Object.values(EXAMPLES), tested()])("takes $type", async (event) => {
    expect((await sent(kind, [event])).reply[2]).toBe("delivered");
  });

  // Another homeserver is another host.
  const names = Object.keys(entryOf(kind).secrets).filter((name) => name !== "MATRIX_URL");
  test.each(names)("knows nobody with another %s", async (name) => {
    const secrets = { ...SECRETS, [name]: changed(SECRETS[name] ?? "") };
    const { reply, vendor } = await sent(kind, [opened()], { secrets });
    // A wrong signature is judged by itself.
    expect(reply).toEqual(
      name.endsWith("_SECRET") ? expect.not.arrayContaining(["delivered"]) : vendor.stranger,
    );
  });
});

describe.each(STRICT)("%s", (kind) => {
  test("refuses members that it does not know, and what is too long", async () => {
    const unknown = (name: string, value: unknown) =>
      name === "" ? Object.assign({ "x-unknown": 1 }, value) : value;
    const isOwn = (text: string) => Object.values(SECRETS).some((secret) => secret.includes(text));
    const long = (_: string, value: unknown) =>
      typeof value === "string" && !isOwn(value) ? value.repeat(2000) : value;
    for (const spoiled of [unknown, long]) {
      const { reply, vendor } = await sent(kind, [opened()], { spoiled });
      expect(reply).toBe(vendor.wrong);
    }
  });
});

test.each(["feishu", "dingtalk", "webhook"] as const)("%s: an old signature is refused", async (kind) => {
  expect((await sent(kind, [opened()], { lateMs: 7_200_000 })).reply[2]).not.toBe("delivered");
});

test.each(["feishu", "dingtalk"] as const)("%s: a message without the keyword is refused", async (kind) => {
  expect((await sent(kind, [opened()], { keyword: "Portal" })).reply[1]).toMatch(/key ?words/i);
});

test.each([
  ["telegram", "<i>"],
  ["feishu", "<at id=all></at>"],
] as const)("%s refuses the markup %s", async (kind, markup) => {
  const spoiled = (name: string, value: unknown) =>
    typeof value === "string" && /^(?:text|content)$/.test(name) ? value + markup : value;
  const { reply, vendor } = await sent(kind, [opened()], { spoiled });
  expect(reply).toBe(vendor.wrong);
});
