/**
 * Alerts end to end: a gateway begins to fail, and the one who can act is told of it, and of its end. Real Worker, real
 * Ledger, real sockets; the clock is the test's.
 */
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import {
  alertingHouse,
  linesAt,
  passMinutes,
  secondsAt,
  SIGNING_SECRET,
  toldAt,
  urlSecretOf,
  verified,
  webhook,
} from "./support/alerting.ts";
import { firstArrivals } from "./support/alert-history.ts";
import { MINUTE_MS, type Step } from "./support/world.ts";

const { simulator, receiver, start } = await alertingHouse();
const BAD = "envelope_5000";
const OPS = { ops: undefined } as const;

describe("a gateway that begins to fail", () => {
  const FOUR_MINUTES_AGO = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 4 * MINUTE_MS;

  test("is told of after the second failure, and again after the second good probe, as the API shows it; a single failure is not", async () => {
    const blip = ["healthy", BAD, "healthy", "healthy", BAD, "healthy"];
    const playing = { acme: ["healthy", BAD, BAD, BAD, "healthy"], blip };
    // The library takes signatures of the last and the next five minutes: so much can be shown without touching its clock.
    const over = { startMs: FOUR_MINUTES_AGO, config: { url: "https://status.example" } };
    const world = await start(playing, OPS, over);
    const counts: number[] = [];
    for (let minute = 0; minute < 7; minute += 1) {
      await passMinutes(world, minute, 1);
      counts.push(receiver.at("ops").length);
    }
    expect(counts).toEqual([0, 0, 1, 1, 1, 2, 2]);

    const [opened, resolved] = receiver.at("ops").map(({ body, headers }) => {
      const told = new Webhook(SIGNING_SECRET).verify(body, headers as Record<string, string>);
      return { headers, told: told as ReturnType<typeof verified> };
    });
    const monitor = "acme/models";
    const id = `acme.models-${stampOf(FOUR_MINUTES_AGO + 2 * MINUTE_MS)}`;
    expect(opened?.told).toMatchObject({
      type: "incident.opened",
      timestamp: iso(FOUR_MINUTES_AGO + 2 * MINUTE_MS),
      data: {
        eventId: opened?.headers["webhook-id"],
        incident: { id, gateway: "acme", monitors: [monitor], cause: "business_error", resolvedAt: null },
        gateway: "acme",
        monitor,
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
    const world = await start({ acme: [BAD] }, OPS);
    receiver.answer("ops", (_, nth) =>
      nth <= 3 ? { status: [500, 404, 302][nth - 1] ?? 500 } : { status: 200 },
    );
    await passMinutes(world, 0, 50);
    const tries = receiver.at("ops");
    expect(tries).toHaveLength(4);
    expect(new Set(tries.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(tries.map(({ body }) => body)).size).toBe(1);
    expect(new Set(tries.map(({ headers }) => headers["webhook-signature"])).size).toBe(4);
    for (const each of tries) expect(verified(each).type).toBe("incident.opened");
    const at = secondsAt(world, receiver, "ops");
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
    const chat = { kind: "slack", id: "chat", url: urlSecretOf("chat") } as const;
    const gateways = [{ id: "acme", baseUrl: simulator.named("acme"), apiKey: "KEY", monitors }];
    const over = { gateways, config: { alerts: [webhook("ops"), chat] } };
    const world = await start({ acme: [BAD, BAD, BAD, BAD, "healthy"] }, { ...OPS, chat: undefined }, over);
    await passMinutes(world, 0, 5);
    const [opened, resolved] = ["incident.opened acme", "incident.resolved acme"];
    expect(linesAt(receiver, "ops")).toEqual([opened, opened, resolved, resolved]);
    const messages = receiver.at("chat").map(({ body }) => JSON.parse(body) as { text: string });
    expect(messages.map(({ text }) => text)).toEqual([
      "2 events: acme (first) is down: its answers carry a business failure",
      "2 events: acme (first) is up again, after 3 min",
    ]);
  });
});

describe("KV that refuses every write", () => {
  test("keeps nobody from being told", async () => {
    const onStep = ({ name }: Step) =>
      name === "put:before" ? "KV put() limit exceeded for the day." : "go";
    const world = await start({ acme: [BAD, BAD, "healthy"] }, OPS, { onStep });
    await passMinutes(world, 0, 5);
    expect(linesAt(receiver, "ops")).toEqual(["incident.opened acme", "incident.resolved acme"]);
    expect(secondsAt(world, receiver, "ops")).toEqual([60, 180]);
  });
});

describe("the Ledger dies", () => {
  test.each([
    ["before a message goes out", "send:before", 2],
    ["after it arrived, before that is noted", "send:after", 3],
    ["before the change is stored", "record:before", 2],
  ] as const)("%s: it is sent by the next one, with the same id", async (_when, at, messages) => {
    const died: string[] = [];
    const onStep = async ({ name }: Step) => {
      // In the tick that opens the incident.
      if (died.length > 0 || name !== at || (await world.nowMs()) < world.startMs + 2 * MINUTE_MS)
        return "go";
      died.push(name);
      if (!name.startsWith("record")) return "abort";
      await world.abortLedger();
      return "go";
    };
    const world = await start({ acme: ["healthy", BAD, BAD, "healthy"] }, OPS, { onStep });
    await passMinutes(world, 0, 7);
    expect(died).toEqual([at]);
    const arrived = receiver.at("ops");
    expect(firstArrivals(arrived).map(({ type }) => type)).toEqual(["incident.opened", "incident.resolved"]);
    expect(arrived).toHaveLength(messages);
  });
});

test("my key ran dry: its owner is told; the gateway is down: the operator", async () => {
  const operators = { owner: ["operator", "upstream", "network"] } as const;
  const channels = { "key-owners": { owner: ["caller"] }, operators, everybody: undefined } as const;
  const world = await start({ dry: ["balance_402"], down: ["503_always"] }, channels);
  await passMinutes(world, 0, 4);
  expect(linesAt(receiver, "key-owners")).toEqual(["incident.opened dry"]);
  expect(linesAt(receiver, "operators")).toEqual(["incident.opened down"]);
  expect(linesAt(receiver, "everybody").toSorted()).toEqual(["incident.opened down", "incident.opened dry"]);
  const incidentTo = (channel: string) => toldAt(receiver, channel)[0]?.data.incident;
  const dry = { cause: "insufficient_balance", owner: "caller", health: "blocked" };
  expect(incidentTo("key-owners")).toMatchObject(dry);
  const down = { cause: "upstream_unavailable", owner: "upstream", health: "down" };
  expect(incidentTo("operators")).toMatchObject(down);
  // One event has one id, wherever it goes.
  const ids = (channel: string) => toldAt(receiver, channel).map(({ data }) => data.eventId);
  expect([...ids("key-owners"), ...ids("operators")].sort()).toEqual([...ids("everybody")].sort());
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
