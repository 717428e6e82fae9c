/**
 * Alerts end to end: a gateway begins to fail, and whoever can act is told of it, and of its end. Real Worker, real
 * Ledger, real sockets; the clock is the test's.
 */
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { spread } from "../extent.ts";
import {
  alertingHouse,
  linesAt,
  passMinutes,
  sentAtMs,
  SIGNING_SECRET,
  toldAt,
  urlSecretOf,
  verified,
  webhook,
} from "./support/alerting.ts";
import { firstArrivals } from "./support/alert-history.ts";
import { incidentsOf } from "./support/readings.ts";
import { MINUTE_MS } from "./support/world.ts";

const house = alertingHouse();

const BAD = "envelope_5000";

describe("a gateway that begins to fail", () => {
  const FOUR_MINUTES_AGO = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 4 * MINUTE_MS;

  test("is told of after the second failure, and again after the second good probe, as the API shows it; a single failure is not", async () => {
    const blip = ["healthy", BAD, "healthy", "healthy", BAD, "healthy"];
    const world = await house.start(
      {
        playing: { acme: ["healthy", BAD, BAD, BAD, "healthy"], blip },
        webhooks: { ops: undefined },
      },
      // The library takes signatures of the last and the next five minutes: so much can be shown without touching its clock.
      { startMs: FOUR_MINUTES_AGO, config: { url: "https://status.example" } },
    );
    const counts: number[] = [];
    for (let minute = 0; minute < 7; minute += 1) {
      await passMinutes(world, minute, 1);
      counts.push(house.receiver.at("ops").length);
    }
    expect(counts).toEqual([0, 0, 1, 1, 1, 2, 2]);

    const [opened, resolved] = house.receiver.at("ops").map(({ body, headers }) => {
      const told = new Webhook(SIGNING_SECRET).verify(body, headers as Record<string, string>);
      return { headers, told: told as ReturnType<typeof verified> };
    });
    const id = `acme.models-${stampOf(FOUR_MINUTES_AGO + 2 * MINUTE_MS)}`;
    expect(opened?.told).toMatchObject({
      type: "incident.opened",
      timestamp: iso(FOUR_MINUTES_AGO + 2 * MINUTE_MS),
      data: {
        eventId: opened?.headers["webhook-id"],
        incident: {
          id,
          gateway: "acme",
          monitors: ["acme/models"],
          cause: "business_error",
          resolvedAt: null,
        },
        gateway: "acme",
        monitor: "acme/models",
        diagnosis: { cause: "business_error", owner: "operator", health: "down", businessCode: 5000 },
        report: `https://status.example/reports/${id}-2`,
        url: `https://status.example/incidents/${id}`,
      },
    });
    expect(resolved?.told).toMatchObject({
      type: "incident.resolved",
      timestamp: iso(FOUR_MINUTES_AGO + 5 * MINUTE_MS),
      data: {
        eventId: resolved?.headers["webhook-id"],
        incident: { id, resolvedAt: iso(FOUR_MINUTES_AGO + 5 * MINUTE_MS) },
        diagnosis: { cause: "ok", health: "up" },
      },
    });
    expect(resolved?.told.data.eventId).not.toBe(opened?.told.data.eventId);

    const shown = (await world.get(`/api/v1/incidents/${id}`)).json;
    const { reports: _reports, ...incident } = shown;
    expect(resolved?.told.data.incident).toEqual(incident);
    expect(shown.timeline.map(({ type }: { type: string }) => type)).toEqual(["opened", "resolved"]);
    const page = new URL(opened?.told.data.report ?? "").pathname;
    expect((await world.get(page)).status).toBe(200);
    expect((await world.get(`/api/v1${page}`)).json).toMatchObject({ cause: "business_error" });
    expect((await world.get(new URL(opened?.told.data.url ?? "").pathname)).status).toBe(200);
  });
});

describe("a message that is not taken", () => {
  test("is sent again with the same id and body, at growing times, each signed anew", async () => {
    const world = await house.start({ playing: { acme: [BAD] }, webhooks: { ops: undefined } });
    house.receiver.answer("ops", (_, nth) =>
      nth <= 3 ? { status: [500, 404, 302][nth - 1] ?? 500 } : { status: 200 },
    );
    await passMinutes(world, 0, 50);
    const tries = house.receiver.at("ops");
    expect(tries).toHaveLength(4);
    expect(new Set(tries.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(tries.map(({ body }) => body)).size).toBe(1);
    expect(new Set(tries.map(({ headers }) => headers["webhook-signature"])).size).toBe(4);
    for (const each of tries) expect(verified(each).type).toBe("incident.opened");
    const at = tries.map((each) => (sentAtMs(each) - world.startMs) / 1000);
    expect(at[0]).toBe(60);
    // 5 s, 5 min and 30 min, each up to a fifth longer; to the second, and the alarm's own millisecond.
    expectBetween(at[1], 65, 66);
    expectBetween(at[2], 65 + 300, 67 + 360);
    expectBetween(at[3], 65 + 300 + 1800, 68 + 360 + 2160);
  });
});

describe("several monitors of a gateway that fail in one tick", () => {
  test("are one message to a chat, and one each to a webhook", async () => {
    const monitors = ["first", "second"].map((id) => ({ kind: "models" as const, id }));
    const world = await house.start(
      { playing: { acme: [BAD, BAD, BAD, BAD, "healthy"] }, webhooks: { ops: undefined, chat: undefined } },
      {
        gateways: [{ id: "acme", baseUrl: house.simulator.named("acme"), apiKey: "KEY", monitors }],
        config: { alerts: [webhook("ops"), { kind: "slack", id: "chat", url: urlSecretOf("chat") }] },
      },
    );
    await passMinutes(world, 0, 5);
    expect(linesAt(house.receiver, "ops")).toEqual([
      "incident.opened acme",
      "incident.opened acme",
      "incident.resolved acme",
      "incident.resolved acme",
    ]);
    const messages = house.receiver.at("chat").map(({ body }) => JSON.parse(body) as { text: string });
    expect(messages.map(({ text }) => text)).toEqual([
      "2 events: acme (first) is down: its answers carry a business failure",
      "2 events: acme (first) is up again, after 3 min",
    ]);
  });
});

describe("KV that refuses every write", () => {
  test("keeps nobody from being told", async () => {
    const world = await house.start(
      { playing: { acme: [BAD, BAD, "healthy"] }, webhooks: { ops: undefined } },
      { onStep: ({ name }) => (name === "put:before" ? "KV put() limit exceeded for the day." : "go") },
    );
    await passMinutes(world, 0, 5);
    expect(linesAt(house.receiver, "ops")).toEqual(["incident.opened acme", "incident.resolved acme"]);
    const seconds = house.receiver.at("ops").map((arrival) => (sentAtMs(arrival) - world.startMs) / 1000);
    expect(seconds).toEqual([60, 180]);
  });
});

describe("the Ledger dies", () => {
  const MOMENTS = [
    ["before a message goes out", "send:before", 2],
    ["after it arrived, before that is noted", "send:after", 3],
    ["before the change is stored", "record:before", 2],
    // The message may be under way already.
    ["after it was stored, before the tick knows", "record:after", null],
    ["while the news are published", "put:before", null],
  ] as const;

  test.each(spread(MOMENTS, 3))(
    "%s: it is sent by the next one, with the same id",
    async (_when, at, messages) => {
      const died: string[] = [];
      const world = await house.start(
        { playing: { acme: ["healthy", BAD, BAD, "healthy"] }, webhooks: { ops: undefined } },
        {
          onStep: async ({ name }) => {
            // In the tick that opens the incident.
            if (died.length > 0 || name !== at || (await world.nowMs()) < world.startMs + 2 * MINUTE_MS)
              return "go";
            died.push(name);
            if (!name.startsWith("record")) return "abort";
            await world.abortLedger();
            return "go";
          },
        },
      );
      await passMinutes(world, 0, 7);
      expect(died).toEqual([at]);
      const first = firstArrivals(house.receiver.at("ops"));
      expect(first.map(({ type }) => type)).toEqual(["incident.opened", "incident.resolved"]);
      if (messages !== null) expect(house.receiver.at("ops")).toHaveLength(messages);
    },
  );
});

describe("who is told", () => {
  const webhooks = {
    "key-owners": { owner: ["caller"] },
    operators: { owner: ["operator", "upstream", "network"] },
    everybody: undefined,
  } as const;

  test("my key ran dry: its owner; the gateway is down: the operator", async () => {
    const playing = { dry: ["balance_402"], down: ["503_always"] };
    const world = await house.start({ playing, webhooks });
    await passMinutes(world, 0, 4);
    expect(linesAt(house.receiver, "key-owners")).toEqual(["incident.opened dry"]);
    expect(linesAt(house.receiver, "operators")).toEqual(["incident.opened down"]);
    expect([...linesAt(house.receiver, "everybody")].sort()).toEqual([
      "incident.opened down",
      "incident.opened dry",
    ]);
    expect(toldAt(house.receiver, "key-owners")[0]?.data.incident).toMatchObject({
      cause: "insufficient_balance",
      owner: "caller",
      health: "blocked",
    });
    expect(toldAt(house.receiver, "operators")[0]?.data.incident).toMatchObject({
      cause: "upstream_unavailable",
      owner: "upstream",
      health: "down",
    });
    // One event has one id, wherever it goes.
    const ids = (channel: string) => toldAt(house.receiver, channel).map(({ data }) => data.eventId);
    expect([...ids("key-owners"), ...ids("operators")].sort()).toEqual([...ids("everybody")].sort());
  });

  test("an incident that becomes another's to mend: who was told of its opening is told of its end", async () => {
    const playing = { acme: ["healthy", BAD, BAD, "balance_402", "healthy"] };
    const world = await house.start({ playing, webhooks });
    await passMinutes(world, 0, 9);
    const whole = ["incident.opened acme", "incident.updated acme cause", "incident.resolved acme"];
    expect(linesAt(house.receiver, "everybody")).toEqual(whole);
    expect(linesAt(house.receiver, "operators")).toEqual(whole);
    expect(linesAt(house.receiver, "key-owners")).toEqual(whole.slice(1));
    expect(toldAt(house.receiver, "key-owners")[0]?.data.incident).toMatchObject({
      cause: "insufficient_balance",
      owner: "caller",
    });
    const [published] = await incidentsOf(world);
    expect(published?.incident.timeline.map(({ type }) => type)).toEqual(["opened", "updated", "resolved"]);
  });

  test("by gateway, by cause and by kind of event", async () => {
    const playing = { one: [BAD, BAD, "healthy"], two: ["529", "529", "healthy"] };
    const world = await house.start({
      playing,
      webhooks: {
        "of-one": { gateway: ["one"] },
        "of-cause": { cause: ["upstream_unavailable"] },
        "of-ends": { event: ["incident.resolved"] },
        "of-nothing": { gateway: ["one"], cause: ["upstream_unavailable"] },
      },
    });
    await passMinutes(world, 0, 6);
    expect(linesAt(house.receiver, "of-one")).toEqual(["incident.opened one", "incident.resolved one"]);
    expect([...linesAt(house.receiver, "of-ends")].sort()).toEqual([
      "incident.resolved one",
      "incident.resolved two",
    ]);
    expect(linesAt(house.receiver, "of-cause")).toEqual(["incident.opened two", "incident.resolved two"]);
    expect(house.receiver.at("of-nothing")).toEqual([]);
  });
});

function expectBetween(value: number | undefined, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(most);
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** As ids bear it. */
function stampOf(atMs: number): string {
  return `${iso(atMs).slice(0, 19).replaceAll(/[-:]/gu, "").toLowerCase()}z`;
}
