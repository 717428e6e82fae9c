/** Owed alerts on their way to receivers that really listen on this machine, in virtual time. */
import { describe, expect, test } from "vitest";
import { instant } from "../../src/domain/calendar.ts";
import type { ChannelConfig } from "../../src/config/config.ts";
import type { CourierWorld } from "../../src/ledger/deliver/courier.ts";
import {
  channel,
  draft,
  drafts,
  HOUR,
  MINUTE,
  NOON,
  type OutboxPlay,
  postedIn,
  SECOND,
  EVERYTHING,
} from "../fixtures/outbox.ts";
import { refusingUrl, serveTcp, serveInTurn, status } from "../probe/small-server.ts";
import { playOutbox } from "./outbox-sqlite.ts";
import { channelKind } from "../../src/alert/channels.ts";
import { send, excerptOf, identifyChannels } from "../../src/ledger/deliver/channel-client.ts";
import { CHANNELS, PORTS, SECRETS } from "../alert/channel-configs.ts";
import { opened } from "../alert/telling.ts";

const DAY = 24 * HOUR;

/** Channels by the addresses of their receivers. */
function play(urls: Record<string, string | null>, world: Partial<CourierWorld> = {}): OutboxPlay {
  const channels = Object.keys(urls).map((id) => channel(id));
  const { of } = playOutbox(channels, { fetch: (url, init) => fetch(url, init), world });
  for (const [id, url] of Object.entries(urls)) {
    if (url === null) delete of.secrets[`${id.toUpperCase()}_URL`];
    else of.secrets[`${id.toUpperCase()}_URL`] = url;
  }
  return of;
}

/** Time limits that pass when told to. */
function handLimits() {
  const limits: { ms: number; controller: AbortController }[] = [];
  return {
    limits,
    timeoutSignal: (ms: number) => {
      const controller = new AbortController();
      limits.push({ ms, controller });
      return controller.signal;
    },
    pass: () => limits.at(-1)?.controller.abort(),
  };
}

describe("a receiver that fails", () => {
  test("by hanging: after 15 seconds it is tried again later, and others have not waited for it", async () => {
    const hanging = await serveInTurn(() => undefined);
    const prompt = await serveInTurn(status(200));
    const limits = handLimits();
    const of = play({ slow: hanging.url, ops: prompt.url }, { timeoutSignal: limits.timeoutSignal });
    of.append(...drafts(3));
    await of.deliver();
    expect(hanging.seen).toEqual([]);
    expect(of.courier.nextWakeMs()).toBe(NOON + 3 * MINUTE);
    await expect.poll(() => prompt.seen.length).toBe(3);
    await expect.poll(() => hanging.seen.length).toBe(1);
    expect(limits.limits.map(({ ms }) => ms)).toEqual([15_000, 15_000, 15_000, 15_000]);
    limits.limits[0]?.controller.abort();
    await of.idle();
    const waiting = { tries: 1, nextTryAt: instant(NOON + 5 * SECOND) };
    expect(of.outbox.statuses(NOON)).toMatchObject([
      { channel: "slow", problem: "no answer within 15 seconds", waiting },
      { channel: "ops", problem: null, waiting: null },
    ]);
  });

  test("by redirecting: nobody is asked but itself, and it is a failure", async () => {
    const elsewhere = await serveInTurn(status(200));
    const { url, seen } = await serveInTurn(status(307, "", { location: elsewhere.url }));
    const of = play({ ops: url });
    of.append(draft(1));
    await of.runUntil(NOON + MINUTE);
    expect([seen.length, elsewhere.seen.length]).toEqual([2, 0]);
    const problem = "HTTP 307: a redirect is not followed: set the secret to the final address";
    expect(of.outbox.statuses(of.nowMs)).toMatchObject([{ problem, waiting: { tries: 2 } }]);
  });

  test("with 410: the channel is out of use and says why; what waits is kept for a day each, then listed", async () => {
    const { url, seen } = await serveInTurn(status(410, "this hook was deleted"));
    const of = play({ ops: url });
    const ids = of.append(...drafts(2)).map(({ id }) => id);
    await of.alarm();
    of.nowMs += HOUR;
    ids.push(...of.append(draft(3)).map(({ id }) => id));
    await of.runUntil(NOON + DAY);
    expect(seen).toHaveLength(1);
    const reason = "HTTP 410: this hook was deleted";
    const [ops] = of.outbox.statuses(of.nowMs);
    expect(ops).toMatchObject({
      disabled: { reason, at: instant(NOON) },
      waiting: { event: ids[2], count: 1, nextTryAt: null },
      undelivered: 2,
    });
    await of.runUntil(NOON + DAY + HOUR);
    expect(seen).toHaveLength(1);
    expect(
      of.outbox
        .queue("ops")
        .undelivered()
        .map((of_) => [of_.eventId, of_.reason, of_.tries]),
    ).toEqual(ids.map((id, index) => [id, reason, index === 0 ? 1 : 0]));
  });

  test("by resetting the connection, or by not listening at all", async () => {
    const resetting = await serveTcp((socket) => socket.once("data", () => socket.resetAndDestroy()));
    const of = play({ reset: resetting, refused: await refusingUrl() });
    of.append(draft(1));
    await of.alarm();
    const tried = { problem: "the receiver could not be reached", waiting: { tries: 1 } };
    expect(of.outbox.statuses(NOON)).toMatchObject([tried, tried]);
  });

  test("by an answer without end: its beginning is enough, and the connection is closed", async () => {
    let closed = false;
    const { url } = await serveInTurn((request, response) => {
      request.socket.once("close", () => {
        closed = true;
      });
      response.writeHead(400);
      const write = (): void => {
        if (!response.destroyed) response.write("no such field. ".repeat(200), () => setImmediate(write));
      };
      write();
    });
    const of = play({ ops: url });
    of.append(draft(1));
    await of.alarm();
    const [entry] = of.outbox.queue("ops").undelivered();
    expect(entry?.reason).toBe(`HTTP 400: ${"no such field. ".repeat(20).slice(0, 200)}`);
    await expect.poll(() => closed).toBe(true);
  });

  test("by an answer whose body never comes: the status has said that it was taken", async () => {
    const limits = handLimits();
    const { url } = await serveInTurn((_, response) => response.writeHead(200).write("o"));
    let answered = false;
    const of = play(
      { ops: url },
      {
        timeoutSignal: limits.timeoutSignal,
        fetch: async (address, init) => {
          const response = await fetch(address, init);
          answered = true;
          return response;
        },
      },
    );
    of.append(draft(1));
    await of.deliver();
    await expect.poll(() => answered).toBe(true);
    expect(of.outbox.statuses(NOON)).toMatchObject([{ waiting: { tries: 0 } }]);
    limits.pass();
    await of.idle();
    expect(of.outbox.statuses(NOON)).toMatchObject([{ problem: null, waiting: null }]);
  });
});

describe("what is told of a receiver", () => {
  test("a secret that is not set is named, and setting it within a day loses nothing", async () => {
    const { url, seen } = await serveInTurn(status(200));
    const of = play({ ops: null });
    const ids = of.append(...drafts(2)).map(({ id }) => id);
    await of.runUntil(NOON + DAY - MINUTE);
    expect(of.outbox.statuses(of.nowMs)).toMatchObject([
      { problem: "the secret OPS_URL is not set", disabled: null, waiting: { tries: 7, count: 2 } },
    ]);
    of.secrets["OPS_URL"] = url;
    of.restart();
    await of.alarm();
    expect(seen.flatMap(({ body }) => postedIn(body).events.map(({ id }) => id))).toEqual(ids);
  });
});

test("a GET has no body, and its query is added to that of the address", async () => {
  const { url, seen } = await serveInTurn(status(200));
  const custom = { ...CHANNELS.custom, method: "GET", json: undefined } as const;
  const secretOf = (name: string) =>
    name.endsWith("_URL") ? `${url}/hook?key=abc` : (SECRETS[name] ?? null);
  const { verdict } = await send([opened()], custom, channelKind(custom), { ...PORTS, secretOf });
  expect(verdict).toEqual({ type: "delivered" });
  expect(seen).toMatchObject([
    { method: "GET", url: "/hook?key=abc&cause=upstream_unavailable&turn=upstream", body: "" },
  ]);
});

const [ONE, ANOTHER] = ["https://a.example/1", "https://a.example/2"];
const DISCORD = { kind: "discord", id: "ops", only: EVERYTHING, url: "OPS_URL" } as const;
const TOPIC = {
  kind: "ntfy",
  id: "ntfy",
  url: "NTFY_URL",
  token: undefined,
  only: EVERYTHING,
} as const;

const identityOf = async (of: ChannelConfig, secret: string | null): Promise<string | undefined> =>
  (await identifyChannels([of], "salt", () => secret))["ops"];

test.each<[is: "the same" | "another", of: ChannelConfig, secret: string | null]>([
  ["the same", channel("ops"), ONE],
  ["another", channel("ops"), ANOTHER],
  ["another", channel("ops"), null],
  ["another", DISCORD, ONE],
  // Its events, and which gateways there are, say nothing about its address.
  ["the same", channel("ops", { gateways: ["acme"] }), ONE],
  ["the same", channel("ops", { owners: ["caller"] }), ONE],
])("%s channel is %o with the secret %s", async (is, of, secret) => {
  const isSame = (await identityOf(of, secret)) === (await identityOf(channel("ops"), ONE));
  expect(isSame).toBe(is === "the same");
});

test.each([
  [TOPIC, "https://ntfy.sh/my-alerts", "topic my-alerts not found", "topic [redacted] not found"],
  [TOPIC, "https://ntfy.example/push/acmeops/", "no acmeops here", "no [redacted] here"],
  [TOPIC, "https://ntfy.sh/a%2Dopsx", "no a-opsx here", "no [redacted] here"],
  [TOPIC, "https://ntfy.sh/ops", "topic ops not found", "topic ops not found"],
  [TOPIC, "https://ntfy.sh", "no ntfy.sh without a topic", "no ntfy.sh without a topic"],
  [channel("a"), "https://a.example/hook/a7f-3c?wait=1", "no hook a7f-3c", "no hook [redacted]"],
  [TOPIC, "tk_0123456789", "the token tk_0123456789 is wrong", "the token [redacted] is wrong"],
  [channel("a"), "https://a.example/send?access_token=a7f-3c", "no token a7f-3c", "no token [redacted]"],
  [channel("a"), "https://a.example/api/webhook", "the webhook is away", "the webhook is away"],
])(
  "of %o at %s an answer is shown without what its address ends with, where that is a secret",
  (kind, url, body, shown) => {
    expect(
      excerptOf({ status: 400, headers: {}, body }, { channel: kind, secretOf: () => url, url: "" }),
    ).toBe(shown);
  },
);
