/** Owed alerts on their way to receivers that really listen on this machine, in virtual time. */
import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { instant } from "../../src/domain/calendar.ts";
import type { ChannelFilter } from "../../src/config/config.ts";
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
} from "../fixtures/outbox.ts";
import { refusingUrl, serveHttp, serveTcp } from "../probe/small-server.ts";
import { playOutbox } from "./outbox-sqlite.ts";

const DAY = 24 * HOUR;

const status =
  (code: number, headers: Record<string, string> = {}, body = ""): RequestListener =>
  (_, response) =>
    response.writeHead(code, headers).end(body);

/** Notes what arrives before it answers. */
async function serveReceiver(
  answer: RequestListener,
): Promise<{ url: string; arrivals: { ids: string[] }[] }> {
  const arrivals: { ids: string[] }[] = [];
  const url = await serveHttp((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += String(piece);
    });
    request.on("end", () => {
      arrivals.push({ ids: postedIn(body).events.map(({ id }) => id) });
      answer(request, response);
    });
  });
  return { url, arrivals };
}

/** Channels by the addresses of their receivers. */
function play(
  urls: Record<string, string | null>,
  world: Partial<CourierWorld> = {},
  only: Partial<Pick<ChannelFilter, "events">> = {},
): OutboxPlay {
  const channels = Object.keys(urls).map((id) => channel(id, only));
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
    const hanging = await serveReceiver(() => undefined);
    const prompt = await serveReceiver(status(200));
    const limits = handLimits();
    const of = play({ slow: hanging.url, ops: prompt.url }, { timeoutSignal: limits.timeoutSignal });
    of.append(...drafts(3));
    await of.deliver();
    expect(hanging.arrivals).toEqual([]);
    expect(of.courier.nextWakeMs()).toBe(NOON + 3 * MINUTE);
    await expect.poll(() => prompt.arrivals.length).toBe(3);
    await expect.poll(() => hanging.arrivals.length).toBe(1);
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
    const elsewhere = await serveReceiver(status(200));
    const { url, arrivals } = await serveReceiver(status(307, { location: elsewhere.url }));
    const of = play({ ops: url });
    of.append(draft(1));
    await of.runUntil(NOON + MINUTE);
    expect([arrivals.length, elsewhere.arrivals.length]).toEqual([2, 0]);
    const problem = "HTTP 307: a redirect is not followed: set the secret to the final address";
    expect(of.outbox.statuses(of.nowMs)).toMatchObject([{ problem, waiting: { tries: 2 } }]);
  });

  test("with 410: the channel is out of use and says why; what waits is kept for a day each, then listed", async () => {
    const { url, arrivals } = await serveReceiver(status(410, {}, "this hook was deleted"));
    const of = play({ ops: url });
    const ids = of.append(...drafts(2)).map(({ id }) => id);
    await of.alarm();
    of.nowMs += HOUR;
    ids.push(...of.append(draft(3)).map(({ id }) => id));
    await of.runUntil(NOON + DAY);
    expect(arrivals).toHaveLength(1);
    const reason = "HTTP 410: this hook was deleted";
    const [ops] = of.outbox.statuses(of.nowMs);
    expect(ops).toMatchObject({
      disabled: { reason, at: instant(NOON) },
      waiting: { event: ids[2], count: 1, nextTryAt: null },
      undelivered: 2,
    });
    await of.runUntil(NOON + DAY + HOUR);
    expect(arrivals).toHaveLength(1);
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
    const { url } = await serveReceiver((request, response) => {
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
    const { url } = await serveReceiver((_, response) => response.writeHead(200).write("o"));
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
    const { url, arrivals } = await serveReceiver(status(200));
    const of = play({ ops: null });
    const ids = of.append(...drafts(2)).map(({ id }) => id);
    await of.runUntil(NOON + DAY - MINUTE);
    expect(of.outbox.statuses(of.nowMs)).toMatchObject([
      { problem: "the secret OPS_URL is not set", disabled: null, waiting: { tries: 7, count: 2 } },
    ]);
    of.secrets["OPS_URL"] = url;
    of.restart();
    await of.alarm();
    expect(arrivals.flatMap((arrival) => arrival.ids)).toEqual(ids);
  });
});
