/** Alerts of a whole Ledger: how few messages an outage takes, what is stored with them, what they cost, and what is sent again. */
import { expect, test } from "vitest";
import { diagnosis } from "../fixtures/outcome.ts";
import { gateway, monitor, config } from "../fixtures/config.ts";
import { type AdminWorld, type Probe, slack, withAdmin, webhook, GOOD, openIncident } from "./admin-world.ts";
import { channel, drafts } from "../fixtures/outbox.ts";
import { inLedger, minutes, START, TICK_MS } from "./ledger-harness.ts";
import { rounds } from "../extent.ts";

/** `g0/eu`, `g0/us` and `g0/asia`. */
const THREE = gateway("g0", {
  monitors: ["eu", "us", "asia"].map((name) => monitor("g0", { id: `g0/${name}` })),
});

const FAILURES: Readonly<Record<string, ReturnType<Probe>>> = {
  U: {},
  "5": { diagnosis: diagnosis("upstream_unavailable", "down", { owner: "upstream", httpStatus: 502 }) },
  T: { diagnosis: diagnosis("timeout", "down", { layer: "network", httpStatus: null }) },
  S: { diagnosis: diagnosis("slow", "degraded", { ok: true, layer: null, owner: "upstream" }) },
  R: { diagnosis: diagnosis("service_misconfigured", "down", { httpStatus: 500 }) },
  K: { diagnosis: diagnosis("authentication", "blocked", { owner: "caller", httpStatus: 401 }) },
};

/** A letter a tick for each monitor, by its own id. */
async function play(world: AdminWorld, lanes: Readonly<Record<string, string>>): Promise<void> {
  const length = Math.max(...Object.values(lanes).map((letters) => letters.length));
  for (let index = 0; index < length; index += 1) {
    await world.tick((id) => FAILURES[lanes[id.slice("g0/".length)]?.[index] ?? "U"] ?? {});
    await world.wake();
  }
}

/** The titles of the messages that arrived since. */
const titles = (world: AdminWorld): string[] => world.told.splice(0).map(({ body }) => String(body.text));

const OUTAGE = "the provider behind the gateway is unavailable";

test("an outage of all monitors is one incident, which ends with the last of them", () =>
  withAdmin({ gateways: [THREE], alerts: [slack("ops")] }, async (world) => {
    await play(world, { eu: "555TTUUU", us: "555TTUUU", asia: "555TTTUU" });
    expect(titles(world)).toEqual([
      `🔴 Down: G0: ${OUTAGE}, for 1 min`,
      "🔴 Down: G0: now the request timed out, after 3 min",
      "🟢 Recovered: G0, after 7 min",
    ]);
  }));

test("messages name the members of an incident, and a refused key beside them is another one", () =>
  withAdmin({ gateways: [THREE], alerts: [slack("ops")] }, async (world) => {
    await play(world, { eu: "555UU", us: "555UU", asia: "KKK" + "U".repeat(5) });
    expect(titles(world)).toEqual([
      `🔴 Down: G0 (2 of 3 monitors): ${OUTAGE}, for 1 min`,
      "🟠 Blocked: G0 (asia): the key was refused, for 2 min",
      "🟢 Recovered: G0 (2 of 3 monitors), after 4 min",
      "🟢 No longer blocked: G0 (asia), after 7 min",
    ]);
  }));

test("a new channel first hears in one message of what is open, and then of its end", () =>
  withAdmin({ alerts: [slack("ops")] }, async (world) => {
    const down = { g0: FAILURES["5"]!, g1: FAILURES["K"]! };
    const both: Probe = (id) => down[id.slice(0, 2) as keyof typeof down];
    for (let minute = 1; minute <= 3; minute += 1) await world.tick(both);
    expect(titles(world)).toEqual([
      `🔴 Down: G0: ${OUTAGE}, for 1 min`,
      "🟠 Blocked: G1: the key was refused, for 2 min",
    ]);
    world.deploy({ alerts: [slack("ops"), slack("new")] });
    await world.tick(both);
    expect(world.told.map(({ to }) => to)).toEqual(["new"]);
    expect(JSON.stringify(world.told[0]?.body)).toMatch(
      /Down: G0: .*Blocked: G1: the key was refused, for 3 min/u,
    );
    expect(titles(world)).toEqual([`🔴 2 open incidents: Down: G0: ${OUTAGE}, for 3 min`]);
    await world.tick(() => ({}));
    await world.tick(() => ({}));
    expect(world.told.map(({ to }) => to).toSorted()).toEqual(["new", "ops"]);
    expect(titles(world)).toEqual(["🟢 Recovered: G0, after 5 min", "🟢 Recovered: G0, after 5 min"]);
  }));

test("what has been paused for more than a day is named once a day, at nine, until it is resumed", () => {
  const ops = slack("ops");
  const only = { ...ops.only, events: ["pauses.reminder" as const] };
  return withAdmin({ alerts: [{ ...ops, only }] }, async (world) => {
    const tickAt = async (time: string) => {
      world.nowMs = Date.parse(time) - 1;
      await world.tick(() => ({}));
      return world.told.splice(0).map(({ body }) => JSON.stringify(body));
    };
    await tickAt("2026-11-20T09:30:00Z");
    await world.ask("POST", "gateways/g0/pause", { until: "2026-11-24T00:00:00Z", by: "Anna" });
    await world.ask("POST", "gateways/g1/monitors/models/pause");
    await tickAt("2026-11-21T08:58:00Z");
    await world.ask("POST", "gateways/g1/resume");
    await world.ask("POST", "gateways/g1/pause");
    expect(await tickAt("2026-11-21T09:00:00Z")).toEqual([]);
    expect(await tickAt("2026-11-22T08:59:00Z")).toEqual([]);
    const [told, ...more] = await tickAt("2026-11-22T09:00:00Z");
    expect(more).toEqual([]);
    expect(told).toContain("🔵 Still paused: Test: 2 monitors");
    expect(told).toContain(
      "*g0/models:* since 2026-11-20 09:30:01 UTC, until 2026-11-24 00:00:00 UTC, by Anna",
    );
    expect(await tickAt("2026-11-22T09:01:00Z")).toEqual([]);
    await world.ask("POST", "gateways/g1/resume");
    expect(await tickAt("2026-11-23T10:00:00Z")).toMatchObject([
      expect.stringContaining("🔵 Still paused: Test: g0/models, for 3 d"),
    ]);
    expect(await tickAt("2026-11-24T09:00:00Z")).toEqual([]);
  });
});

test("an outage whose causes take turns is not flapping: each cause is sent once an hour", () =>
  withAdmin({ gateways: [THREE], alerts: [slack("ops")] }, async (world) => {
    const turns = "5T".repeat(40);
    await play(world, { eu: turns, us: turns, asia: turns });
    expect(titles(world)).toEqual([
      "🔴 Down: G0: the request timed out, for 1 min",
      `🔴 Down: G0: now ${OUTAGE}, after 2 min`,
      "🔴 Down: G0: now the request timed out, after 1 h 1 min",
      `🔴 Down: G0: now ${OUTAGE}, after 1 h 2 min`,
    ]);
  }));

// A change and the alerts that it owes are one write: where either fails, there is neither.

const DOWN = () => ({ diagnosis: diagnosis("upstream_unavailable", "down") });

/** Of a tick that opens an incident, where such statements are refused: what is found after a restart, and a tick later. */
async function foundAfter(refuses: (query: string) => boolean): Promise<unknown> {
  const settings = config([gateway("g0")], { alerts: [channel("ops")] });
  return inLedger({ config: settings }, async (harness, sql) => {
    const found = () => ({
      incidents: Object.keys(harness.service.memory.state.incidents).length,
      events: Number(sql.exec("SELECT coalesce(sum(events), 0) AS n FROM alert").one()["n"]),
    });
    await harness.tick(START, DOWN);
    harness.refuses = refuses;
    await expect(harness.tick(START + TICK_MS, DOWN)).rejects.toThrow("disk I/O error");
    harness.refuses = () => false;
    harness.restart();
    const failed = found();
    // Until the lease of the tick that failed is over, its gateway is left alone.
    for (const at of minutes(START + 2 * TICK_MS, 8)) await harness.tick(at, DOWN);
    return { failed, later: found() };
  });
}

/** `before`: so many such statements are let through first. */
test.each<[what: string, statement: RegExp, before: number]>([
  ["an event that cannot be stored leaves no incident", /^(?:INSERT INTO|UPDATE) alert\b/u, 0],
  // The tick's begin writes the journal first, and owes nothing yet.
  ["an incident that cannot be stored leaves no event", /INTO document\b/u, 1],
])("%s", async (_, statement, before) => {
  let seen = 0;
  const refuses = (query: string): boolean => statement.test(query) && (seen += 1) > before;
  const bothOrNeither = { failed: { incidents: 0, events: 0 }, later: { incidents: 1, events: 1 } };
  expect(await foundAfter(refuses)).toEqual(bothOrNeither);
});

// What one alarm of a Ledger that owes much may send and write.

const FREE_PLAN = 50;
const OWED = rounds(1000, 10_000);
const HOUR_MS = 3_600_000;

test(`${OWED} owed events drain in order, and no alarm sends and writes more than the free plan allows`, () =>
  withAdmin({ gateways: [gateway("g0")], alerts: [webhook("ops")] }, async (world) => {
    let isKvDown = true;
    let puts = 0;
    world.put = (write) => {
      puts += 1;
      return isKvDown ? Promise.reject(new Error("KV PUT failed: 429 Too Many Requests")) : write();
    };
    // Three hours that KV has not taken yet: their segments wait for the first alarm that finds it well.
    for (; world.nowMs < START + 4 * HOUR_MS; world.nowMs += 29 * TICK_MS) await world.tick(GOOD);
    isKvDown = false;
    world.told.length = 0;
    world.host.memory.transact(({ outbox }) => void outbox.append(drafts(OWED), world.nowMs));
    const asked: { messages: number; writes: number }[] = [];
    while (world.told.length < OWED) {
      const [messages, writes] = [world.told.length, puts];
      await world.alarm();
      asked.push({ messages: world.told.length - messages, writes: puts - writes });
      if (asked.length > OWED / 10) throw new Error(`it does not drain: ${world.told.length} have arrived`);
      world.nowMs = Math.max(world.nowMs, world.alarmMs ?? 0);
    }
    expect(asked[0]).toEqual({ messages: 45, writes: 3 + 1 });
    expect(Math.max(...asked.map(({ messages, writes }) => messages + writes))).toBeLessThanOrEqual(
      FREE_PLAN,
    );
    expect(world.told.map(({ body }) => body.data.url)).toEqual(drafts(OWED).map(({ url }) => url));
  }));

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
