import { describe, expect, test } from "vitest";
import { instant } from "../../src/domain/calendar.ts";
import { UNTRIED } from "../../src/alert/delivery.ts";
import { publishedIncident } from "../http/documents.ts";
import { channel, draft, drafts, HOUR, MINUTE, NOON, SECOND } from "../fixtures/outbox.ts";
import type { NodeStorage } from "./node-storage.ts";
import { playOutbox } from "./outbox-sqlite.ts";

/** What is stored of each channel. */
function recordsIn({ sql }: NodeStorage): object {
  const rows = sql.exec("SELECT body FROM channels").toArray();
  expect(rows).toHaveLength(1);
  return JSON.parse(rows[0].body);
}

describe("the log", () => {
  test("all events of a transaction are one row, and each has an id of its own", () => {
    const { of, storage } = playOutbox(["ops"]);
    const before = storage.rowsWritten;
    const events = of.append(...drafts(30));
    expect(storage.rowsWritten - before).toBe(1);
    expect(new Set(events.map(({ id }) => id)).size).toBe(30);
    expect(events[0]?.id).toBe(`2026-11-20-models-changed-${NOON}`);
  });

  test("events too long for one row are kept in several, in order", async () => {
    const { of, storage, receiver } = playOutbox(["ops"]);
    const events = of.append(...drafts(7, { monitor: "x".repeat(200_000) }));
    expect(storage.count("alert")).toBe(4);
    await of.runUntil(NOON);
    expect(receiver.arrived.get("ops.example")).toEqual(events.map(({ id }) => id));
  });

  test("what began before a new channel was known is told once, though it is open", async () => {
    const began = draft(1, { type: "incident.opened", incident: publishedIncident().incident });
    const { of, receiver } = playOutbox(["ops"], { world: { opened: () => [began] } });
    of.append(began);
    await of.runUntil(NOON);
    expect(receiver.arrived.get("ops.example")).toHaveLength(1);
  });

  test("each of several new channels is told what is open, once", async () => {
    const began = draft(1, { type: "incident.opened", incident: publishedIncident().incident });
    const { of, receiver } = playOutbox(["ops", "dev"], { world: { opened: () => [began] } });
    await of.runUntil(NOON);
    for (const host of ["ops.example", "dev.example"]) expect(receiver.arrived.get(host)).toHaveLength(1);
  });

  test("what no channel wants is not stored", () => {
    const { of, storage } = playOutbox([channel("ops", { gateways: ["other"] })]);
    const before = storage.rowsWritten;
    expect(of.append(draft(1))).toEqual([]);
    expect(storage.rowsWritten).toBe(before);
  });

  test("an alarm without anything owed writes nothing", async () => {
    const { of, storage } = playOutbox(["ops", "dev"]);
    await of.alarm();
    const before = storage.rowsWritten;
    for (let n = 0; n < 10; n += 1) await of.alarm();
    expect(storage.rowsWritten).toBe(before);
    expect(of.courier.nextWakeMs()).toBeNull();
  });

  test("events for three channels cost a row, one for each message, and a row to forget them", async () => {
    const { of, storage } = playOutbox(["a", "b", "c"]);
    await of.alarm();
    const before = storage.rowsWritten;
    of.append(...drafts(13));
    await of.alarm();
    expect([storage.rowsWritten - before, storage.count("alert")]).toEqual([1 + 3 * 13 + 1, 0]);
    expect(of.courier.nextWakeMs()).toBeNull();
  });

  test("a number is never given twice, though all rows are gone and the object is new", async () => {
    const { of, receiver } = playOutbox(["ops"]);
    for (let n = 0; n < 5; n += 1) {
      of.append(...drafts(3));
      await of.alarm();
      of.restart();
    }
    expect(receiver.firstArrivals("ops.example")).toHaveLength(15);
  });

  test("a clock that is set back gives no number again", async () => {
    const { of, receiver } = playOutbox(["ops"]);
    of.append(...drafts(3));
    await of.alarm();
    of.nowMs = NOON - 2 * SECOND;
    of.append(...drafts(3));
    await of.runUntil(NOON);
    expect(receiver.firstArrivals("ops.example")).toHaveLength(6);
  });
});

describe("channels", () => {
  test("a new one is not told of what was owed before it came", async () => {
    const { of, receiver } = playOutbox(["ops"]);
    receiver.answer = () => 500;
    of.append(draft(1));
    of.restart([channel("ops"), channel("dev")]);
    of.secrets["DEV_URL"] = "https://dev.example/hook";
    receiver.answer = () => 200;
    const [second] = of.append(draft(2));
    await of.runUntil(NOON + HOUR);
    expect(receiver.arrived.get("dev.example")).toEqual([second?.id]);
    expect(receiver.firstArrivals("ops.example")).toHaveLength(2);
  });

  test("one that comes with the first event of all is told of it, even if the object dies at once", async () => {
    const { of, receiver } = playOutbox(["ops"]);
    const [event] = of.append(draft(1));
    of.restart();
    await of.alarm();
    expect(receiver.arrived.get("ops.example")).toEqual([event?.id]);
  });

  test("one that left the configuration is forgotten, and what only it waited for goes", async () => {
    const { of, storage, receiver } = playOutbox(["ops", "dev"]);
    receiver.answer = (host) => (host === "dev.example" ? 500 : 200);
    of.append(draft(1));
    await of.alarm();
    of.append(draft(2));
    await of.alarm();
    expect(storage.count("alert")).toBe(2);
    of.restart([channel("ops")]);
    await of.alarm();
    expect(storage.count("alert")).toBe(0);
    expect(Object.keys(recordsIn(storage))).toEqual(["ops"]);
  });

  test("a channel that wants nothing of a long log does not look through all of it at each start", async () => {
    const { of, storage, receiver } = playOutbox(["ops", channel("quiet", { gateways: ["other"] })]);
    receiver.answer = () => 500;
    of.append(...drafts(250));
    expect(recordsIn(storage)).toMatchObject({ quiet: { cursor: 0 } });
    await of.alarm();
    expect(recordsIn(storage)).toMatchObject({ quiet: { cursor: NOON + 250 } });
    const before = storage.rowsWritten;
    of.restart();
    await of.alarm();
    expect(storage.rowsWritten).toBe(before);
  });

  test("a changed secret ends a disablement and every wait, and what is unchanged keeps its own", async () => {
    const { of, receiver } = playOutbox(["ops", "dev"]);
    receiver.answer = (host) => (host === "ops.example" ? 410 : 500);
    const [event] = of.append(draft(1));
    await of.alarm();
    const [ops, dev] = of.outbox.statuses(of.nowMs);
    expect(ops).toMatchObject({
      disabled: { reason: "HTTP 410", at: instant(NOON) },
      waiting: { nextTryAt: null },
    });
    const waiting = { tries: 1, nextTryAt: instant(NOON + 5000) };
    expect(dev).toMatchObject({ disabled: null, problem: "HTTP 500", waiting });
    receiver.answer = () => 200;
    of.secrets["OPS_URL"] = "https://ops-2.example/hook";
    of.restart();
    await of.alarm();
    expect(receiver.arrived.get("ops-2.example")).toEqual([event?.id]);
    expect(receiver.arrived.get("dev.example")).toHaveLength(1);
    expect(of.outbox.statuses(of.nowMs)[0]).toMatchObject({ disabled: null, problem: null, waiting: null });
  });

  test("no secret is stored, nor its plain digest", async () => {
    const { of, storage } = playOutbox(["ops"]);
    await of.alarm();
    expect(JSON.stringify(recordsIn(storage))).not.toContain("ops.example");
    expect(recordsIn(storage)).toMatchObject({
      ops: { identity: expect.stringMatching(/^[0-9a-f]{16}$/u), delivery: UNTRIED },
    });
  });
});

describe("what cannot be delivered", () => {
  test("a refused event is listed, and the next one goes on", async () => {
    const { of, receiver } = playOutbox(["ops"]);
    receiver.answer = (_, { events }) =>
      events[0]?.url === "/0" ? new Response("no such field", { status: 400 }) : 200;
    const [refused, next] = of.append(...drafts(2));
    await of.alarm();
    expect(receiver.arrived.get("ops.example")).toEqual([refused?.id, next?.id]);
    expect(of.outbox.queue("ops").undelivered()).toEqual([
      {
        eventId: refused?.id,
        type: "models.changed",
        incidentId: null,
        atMs: NOON,
        sinceMs: NOON,
        reason: "HTTP 400: no such field",
        tries: 1,
      },
    ]);
  });

  test("what is replayed comes behind what waits, in its own order, with its ids, to this channel alone", async () => {
    const { of, storage, receiver } = playOutbox(["ops", "dev"]);
    receiver.answer = (host) => (host === "ops.example" ? 400 : 200);
    const lost = of.append(...drafts(3)).map(({ id }) => id);
    await of.alarm();
    receiver.answer = () => 200;
    receiver.arrived.clear();
    const waiting = of.append(draft(3)).map(({ id }) => id);
    expect(of.replay("ops")).toEqual({ replayed: 3, triedNow: 0 });
    of.restart();
    await of.alarm();
    expect(receiver.arrived.get("ops.example")).toEqual([...waiting, ...lost]);
    expect(receiver.arrived.get("dev.example")).toEqual(waiting);
    expect(of.outbox.queue("ops").undelivered()).toEqual([]);
    expect([storage.count("alert"), storage.count("undelivered")]).toEqual([0, 0]);
  });

  test("one of them can be replayed alone, whatever the filter says by now", async () => {
    const { of, receiver } = playOutbox(["ops"]);
    receiver.answer = () => 400;
    const [, second] = of.append(...drafts(3));
    await of.alarm();
    receiver.answer = () => 200;
    receiver.arrived.clear();
    of.restart([channel("ops", { gateways: ["other"] })]);
    expect(of.replay("ops", "2026-11-20-unknown-1")).toMatchObject({ replayed: 0 });
    expect(of.replay("ops", second?.id ?? "")).toMatchObject({ replayed: 1 });
    await of.alarm();
    expect(receiver.arrived.get("ops.example")).toEqual([second?.id]);
    expect(of.outbox.queue("ops").undelivered()).toHaveLength(2);
    expect(of.outbox.statuses(of.nowMs)[0]).toMatchObject({ undelivered: 2, lost: 0 });
  });

  test("a replay puts a disabled channel back to use, and gives its events another day", async () => {
    const { of, receiver } = playOutbox(["ops"]);
    receiver.answer = () => 410;
    const [event] = of.append(draft(1));
    await of.runUntil(NOON + 24 * HOUR);
    expect(of.outbox.queue("ops").undelivered()).toMatchObject([
      { reason: "HTTP 410", tries: 1, sinceMs: NOON + 24 * HOUR },
    ]);
    receiver.answer = () => 500;
    of.replay("ops");
    await of.alarm();
    receiver.answer = () => 200;
    await of.runUntil(of.nowMs + MINUTE);
    expect(receiver.arrived.get("ops.example")).toEqual([event?.id, event?.id, event?.id]);
    expect(of.outbox.statuses(of.nowMs)[0]).toMatchObject({ disabled: null, undelivered: 0 });
  });

  test("what the channel does not want is not listed either", async () => {
    const { of, receiver } = playOutbox([channel("ops", { events: ["monitoring.stalled"] }), "dev"]);
    receiver.answer = () => 500;
    const stalled = { type: "monitoring.stalled" } as const;
    const events = of.append(draft(0, stalled), draft(1), draft(2, stalled));
    await of.runUntil(NOON + 35 * HOUR);
    const listed = of.outbox
      .queue("ops")
      .undelivered()
      .map(({ eventId }) => eventId);
    expect(listed).toEqual([events[0]?.id, events[2]?.id]);
    expect(of.outbox.queue("dev").undelivered()).toHaveLength(3);
  });
});
