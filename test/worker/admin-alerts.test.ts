import { expect, test } from "vitest";
import { GOOD, openIncident, slack, webhook, withAdmin } from "./admin-world.ts";
import { START } from "./ledger-harness.ts";

const CALM = { shard: 0, disabled: null, problem: null, waiting: null, undelivered: 0, lost: 0 };
const REASON = "HTTP 400: invalid_payload";

test("what a channel refused is listed, and is sent again with its id when it is replayed", () =>
  withAdmin({ alerts: [slack("chat"), webhook("ops")] }, async (world) => {
    world.receive = (to) =>
      to === "chat" ? new Response("invalid_payload", { status: 400 }) : new Response();
    const incident = await openIncident(world);
    const { channels, undelivered } = (await world.ask("GET", "alerts")).json;
    expect(channels).toEqual([
      { channel: "chat", kind: "slack", ...CALM, problem: REASON, undelivered: 1 },
      { channel: "ops", kind: "webhook", ...CALM },
    ]);
    const event = world.told[1]?.body.data.eventId as string;
    const at = { at: "2026-11-20T09:02:00.007Z", since: "2026-11-20T09:02:01.000Z" };
    const told = { type: "incident.opened", incident, ...at, reason: REASON, tries: 1 };
    expect(undelivered).toEqual([{ shard: 0, channel: "chat", event, ...told }]);
    world.receive = () => new Response("ok");
    const nothing = { replayed: 0, triedNow: 0 };
    expect((await world.ask("POST", "alerts/replay", { channel: "ops" })).json).toEqual(nothing);
    const detail = "There is no such event that waits or could not be delivered there.";
    for (const order of [{ event: "another" }, { channel: "ops", event }])
      expect(await world.ask("POST", "alerts/replay", order)).toMatchObject({
        status: 404,
        json: { detail },
      });
    const order = { channel: "chat", event };
    expect((await world.ask("POST", "alerts/replay", order)).json).toEqual({ replayed: 1, triedNow: 0 });
    await world.wake();
    expect(world.told.map(({ to }) => to)).toEqual(["chat", "ops", "chat"]);
    expect(world.told[2]?.body).toEqual(world.told[0]?.body);
    expect((await world.ask("GET", "alerts")).json).toMatchObject({
      channels: [{ problem: null, undelivered: 0 }, { undelivered: 0 }],
      undelivered: [],
    });
    expect((await world.ask("POST", "alerts/replay")).json).toEqual(nothing);
  }));

test("a test of more channels than one invocation has requests names those that it did not try", async () => {
  const alerts = Array.from({ length: 50 }, (_, n) => webhook(`c${n}`));
  await withAdmin({ alerts }, async (world) => {
    const { channels } = (await world.ask("POST", "alerts/test")).json;
    expect(world.told).toHaveLength(45);
    const tried = { type: "answered", outcome: "delivered", status: 204, body: "" };
    const problem = "one request tests at most 45 channels: ask for this one by its name";
    const untried = { type: "not_tried", problem };
    expect(channels).toEqual(alerts.map(({ id }, n) => ({ channel: id, answer: n < 45 ? tried : untried })));
    expect((await world.ask("POST", "alerts/test", { channel: "c49" })).json.channels).toMatchObject([
      { answer: { type: "answered", status: 204 } },
    ]);
  });
});

test("a test goes to every channel at once, and shows what each answered, without its address", () =>
  withAdmin({ alerts: [slack("chat"), webhook("ops"), webhook("dead")] }, async (world) => {
    world.receive = (to) => {
      if (to === "dead") return Promise.reject(new TypeError(`fetch of https://${to}.example failed`));
      const said = `no such hook: https://${to}.example/hook/5c9f5a3e\n\u001b[31m`;
      return to === "chat" ? new Response(said, { status: 404 }) : new Response(null, { status: 204 });
    };
    const { status, json } = await world.ask("POST", "alerts/test");
    expect(status).toBe(200);
    expect(json.channels).toMatchObject([
      { channel: "chat", answer: { type: "answered", status: 404 } },
      { channel: "ops", answer: { type: "answered", outcome: "delivered", status: 204, body: "" } },
      { channel: "dead", answer: { type: "failed", problem: "the receiver could not be reached" } },
    ]);
    const text = JSON.stringify(json);
    for (const secret of ["5c9f5a3e", "whsec_", "\\u001b"]) expect(text).not.toContain(secret);
    expect(world.told.map(({ to }) => to).sort()).toEqual(["chat", "dead", "ops"]);
    expect(world.told.find(({ to }) => to === "ops")?.body).toMatchObject({
      type: "test",
      data: { eventId: json.event },
    });
    // Nothing of it is owed to anyone.
    expect((await world.ask("GET", "alerts")).json).toMatchObject({
      channels: [{ waiting: null }, { waiting: null }, { waiting: null }],
      undelivered: [],
    });
  }));

test("a test of one channel goes to that one; where there is none it is told so", async () => {
  await withAdmin({ alerts: [slack("chat"), webhook("ops")] }, async (world) => {
    expect((await world.ask("POST", "alerts/test", { channel: "ops" })).json.channels).toHaveLength(1);
    expect(world.told.map(({ to }) => to)).toEqual(["ops"]);
    for (const path of ["alerts/test", "alerts/replay"]) {
      expect((await world.ask("POST", path, { channel: "nope" })).status).toBe(404);
    }
  });
  await withAdmin({}, async (world) => {
    expect((await world.ask("POST", "alerts/test")).status).toBe(404);
    expect((await world.ask("GET", "alerts")).json).toEqual({ channels: [], undelivered: [] });
  });
});

test("ticks go on while a receiver of a test takes its time", () =>
  withAdmin({ alerts: [webhook("ops")] }, async (world) => {
    const { promise: answer, resolve } = Promise.withResolvers<Response>();
    world.receive = () => answer;
    const testing = world.ask("POST", "alerts/test");
    expect(await world.tick(GOOD)).toEqual(["g0/models", "g1/models"]);
    expect(world.nowMs).toBe(START + 61_000);
    resolve(new Response("thanks"));
    expect((await testing).json.channels).toMatchObject([{ answer: { status: 200, body: "thanks" } }]);
  }));
