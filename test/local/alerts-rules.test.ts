/**
 * What is told of an incident, and what is not: dependency, planned work, reminders, flapping, vanished models, monitors
 * that leave. Real Worker, real Ledger, real sockets; the clock is the test's.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import { startSimulator } from "../../src/local/simulator/simulator.ts";
import {
  admin,
  alertingHouse,
  linesAt,
  passMinutes,
  passTick,
  sentAtMs,
  toldAt,
} from "./support/alerting.ts";
import { incidentsOf, monitorOf, statusOf } from "./support/readings.ts";
import { MINUTE_MS, type World } from "./support/world.ts";

const house = alertingHouse();
const BAD = "envelope_5000";
const UNREACHED = "close_before_headers";
const OPS = { ops: undefined } as const;

const lines = () => linesAt(house.receiver, "ops");

/** Minutes from the start to each message. */
function minutesOf(world: World): readonly number[] {
  return house.receiver.at("ops").map((arrival) => (sentAtMs(arrival) - world.startMs) / MINUTE_MS);
}

function times(count: number, ...scenarios: readonly string[]): readonly string[] {
  return Array.from({ length: count }, () => scenarios).flat();
}

describe("a gateway that cannot be reached", () => {
  const MONITORS = ["first", "second", "third"];
  const gatewayOf = (id: string) => ({
    id,
    baseUrl: house.simulator.named(id),
    apiKey: "KEY",
    monitors: MONITORS.map((monitor) => ({ kind: "models" as const, id: monitor })),
  });

  test("opens one incident for all its monitors and sends one message, and one at the end", async () => {
    const acme = [...times(3 * 4, UNREACHED), "healthy"];
    const world = await house.start(
      { playing: { acme, other: ["healthy"] }, webhooks: OPS },
      { gateways: [gatewayOf("acme")] },
    );
    await passMinutes(world, 0, 4);
    expect(lines()).toEqual(["incident.opened acme"]);
    const [open] = (await statusOf(world)).incidents;
    expect(open?.monitors).toEqual(MONITORS.map((monitor) => `acme/${monitor}`));
    await passMinutes(world, 4, 4);
    expect(lines()).toEqual(["incident.opened acme", "incident.resolved acme"]);
    const published = await incidentsOf(world);
    expect(published.map(({ incident }) => incident.id)).toEqual([open?.id]);
    expect(published[0]?.incident.timeline.map(({ type }) => type).join(" ")).toBe(
      "opened joined joined left left resolved",
    );
  });

  test("one that answers badly has an incident a monitor: each may have a cause of its own", async () => {
    const world = await house.start(
      { playing: { acme: times(9, BAD) }, webhooks: OPS },
      { gateways: [gatewayOf("acme")] },
    );
    await passMinutes(world, 0, 3);
    expect(lines()).toEqual(times(3, "incident.opened acme"));
    const monitors = toldAt(house.receiver, "ops").map(({ data }) => data.monitor);
    expect(monitors).toEqual(MONITORS.map((monitor) => `acme/${monitor}`));
  });

  test("all gateways at once: the monitoring's own incident, and nothing else", async () => {
    const elsewhere = await startSimulator();
    try {
      const far = [...times(3, UNREACHED), "healthy"];
      elsewhere.play("far", ...far);
      const world = await house.start(
        { playing: { acme: [...times(3 * 3, UNREACHED), "healthy"] }, webhooks: OPS },
        {
          gateways: [gatewayOf("acme"), { id: "far", baseUrl: elsewhere.named("far"), apiKey: "KEY" }],
        },
      );
      await passMinutes(world, 0, 3);
      expect(lines()).toEqual(["incident.opened -"]);
      expect(minutesOf(world)).toEqual([1]);
      expect(toldAt(house.receiver, "ops")[0]?.data).toMatchObject({
        monitor: null,
        incident: { monitors: [], owner: "network", health: "unknown" },
      });
      await passMinutes(world, 3, 4);
      expect(lines()).toEqual(["incident.opened -", "incident.resolved -"]);
      expect(minutesOf(world)).toEqual([1, 4]);
    } finally {
      await elsewhere.close();
    }
  });
});

describe("planned work", () => {
  const iso = (atMs: number): string => new Date(atMs).toISOString();

  test("by the configuration: no alert while it lasts, out of uptime; what still fails afterwards is told", async () => {
    const startMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    const window = { from: iso(startMs + 2 * MINUTE_MS), to: iso(startMs + 10 * MINUTE_MS) };
    const acme = [...times(2, "healthy"), ...times(6, BAD), ...times(99, "healthy")];
    const longer = [...times(2, "healthy"), ...times(99, BAD)];
    const world = await house.start(
      { playing: { acme, longer, other: [...times(2, "healthy"), BAD] }, webhooks: OPS },
      { startMs, config: { maintenance: [{ ...window, gateways: ["acme", "longer"] }] } },
    );
    await passMinutes(world, 0, 10);
    expect(lines()).toEqual(["incident.opened other"]);
    await passMinutes(world, 10, 4);
    expect(lines()).toEqual(["incident.opened other", "incident.opened longer"]);
    expect(minutesOf(world)).toEqual([3, 11]);
    expect((await monitorOf(world, "acme/models")).uptime["24h"]).toBe(1);
    expect((await monitorOf(world, "other/models")).uptime["24h"]).toBeLessThan(0.5);
  });

  test("by an administrator, without a deploy", async () => {
    const world = await house.start({ playing: { acme: [BAD], other: [BAD] }, webhooks: OPS });
    const window = {
      gateways: ["acme"],
      from: iso(world.startMs),
      to: iso(world.startMs + 5 * MINUTE_MS),
      title: "New disks",
    };
    expect(await admin(world, "POST maintenance", window)).toMatchObject(window);
    await passMinutes(world, 0, 5);
    expect(lines()).toEqual(["incident.opened other"]);
    expect((await statusOf(world)).maintenance).toMatchObject([{ title: "New disks", gateways: ["acme"] }]);
    await passMinutes(world, 5, 3);
    expect(lines()).toEqual(["incident.opened other", "incident.opened acme"]);
    expect(minutesOf(world)).toEqual([1, 6]);
  });
});

describe("an incident that lasts", () => {
  test("is told of again as often as asked, until somebody acknowledges it; its end is told all the same", async () => {
    const playing = { acme: [...times(31, BAD), "healthy"] };
    const world = await house.start({ playing, webhooks: OPS }, { config: { remindEvery: "10m" } });
    await passMinutes(world, 0, 22);
    const reminded = ["incident.opened acme", ...times(2, "incident.updated acme reminder")];
    expect(lines()).toEqual(reminded);
    expect(minutesOf(world)).toEqual([1, 11, 21]);
    const id = toldAt(house.receiver, "ops")[0]?.data.incident?.id;
    await admin(world, `POST incidents/${id}/acknowledge`);
    await admin(world, `POST incidents/${id}/notes`, { text: "We wait for the <operator>." });
    await passMinutes(world, 22, 14);
    const { notes } = (await world.get(`/api/v1/incidents/${id}`)).json;
    expect(notes).toMatchObject([{ text: "We wait for the <operator>." }]);
    expect((await world.get(`/incidents/${id}`)).text).toContain("We wait for the &lt;operator&gt;.");
    expect(lines()).toEqual([...reminded, "incident.resolved acme"]);
  });
});

describe("a monitor that flips at every probe", () => {
  test("is told of as one flapping incident, and once more when it is steady", async () => {
    const acme = [...times(6, BAD, "healthy"), ...times(99, "healthy")];
    const every = 5 * MINUTE_MS;
    const world = await house.start(
      { playing: { acme }, webhooks: OPS },
      {
        startMs: Math.ceil(Date.now() / every) * every,
        tickSeconds: every / 1000,
        config: { open: 1, close: 1, flapping: 4 },
        gateways: [
          {
            id: "acme",
            baseUrl: house.simulator.named("acme"),
            apiKey: "KEY",
            monitors: [{ kind: "models", every: "5m" }],
          },
        ],
      },
    );
    for (let tick = 0; tick < 12; tick += 1) await passTick(world, tick * every);
    const flips = [...times(2, "incident.opened acme", "incident.resolved acme")];
    expect(lines()).toEqual([...flips, "incident.opened acme flapping"]);
    expect(toldAt(house.receiver, "ops").at(-1)?.data.incident?.flapping).toBe(true);
    for (let tick = 12; tick < 24; tick += 1) await passTick(world, tick * every);
    expect(lines()).toEqual([...flips, "incident.opened acme flapping", "incident.resolved acme"]);
    // An hour after the last change but two, no more than half of four changes are left in it.
    expect(minutesOf(world).at(-1)).toBe(60 + 45);
  });
});

describe("expected models", () => {
  test("that vanish from the list and return are told of", async () => {
    const playing = { acme: ["healthy", ...times(3, "models_empty"), "healthy"] };
    const expected = ["sim-chat-small", "sim-video"];
    const world = await house.start(
      { playing, webhooks: { ops: { event: ["models.changed"] } } },
      {
        gateways: [
          {
            id: "acme",
            baseUrl: house.simulator.named("acme"),
            apiKey: "KEY",
            monitors: [{ kind: "models", expect: expected }],
          },
        ],
      },
    );
    await passMinutes(world, 0, 8);
    expect(lines()).toEqual(["models.changed acme", "models.changed acme"]);
    expect(minutesOf(world)).toEqual([2, 5]);
    expect(toldAt(house.receiver, "ops").map(({ data }) => data.models)).toEqual([
      { vanished: expected, returned: [], missing: expected },
      { vanished: [], returned: expected, missing: [] },
    ]);
  });
});

describe("a monitor that leaves", () => {
  test("by the configuration ends its incident as removed", async () => {
    const persistDir = await mkdtemp(join(tmpdir(), "gatepulse-"));
    try {
      const playing = { acme: [BAD], other: ["healthy"] };
      const before = await house.start({ playing, webhooks: OPS }, { persistDir });
      await passMinutes(before, 0, 3);
      await before.stop();
      const startMs = before.startMs + 3 * MINUTE_MS;
      const after = await house.start(
        { playing: { other: ["healthy"] }, webhooks: OPS },
        { persistDir, startMs },
      );
      await passMinutes(after, 0, 2);
      expect(lines()).toEqual(["incident.opened acme", "incident.resolved acme removed"]);
      expect((await incidentsOf(after))[0]?.incident).toMatchObject({ resolvedAt: expect.any(String) });
    } finally {
      await rm(persistDir, { recursive: true, force: true });
    }
  });

  test("because a person paused it ends its incident as paused; resumed, it opens another", async () => {
    const world = await house.start({ playing: { acme: [BAD] }, webhooks: OPS });
    await passMinutes(world, 0, 3);
    await admin(world, "POST gateways/acme/monitors/models/pause");
    await passMinutes(world, 3, 5);
    expect(lines()).toEqual(["incident.opened acme", "incident.resolved acme paused"]);
    await admin(world, "POST gateways/acme/monitors/models/resume");
    await passMinutes(world, 8, 3);
    expect(lines().slice(2)).toEqual(["incident.opened acme"]);
    const ids = toldAt(house.receiver, "ops").map(({ data }) => data.incident?.id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });
});

describe("a gateway whose causes the public does not see", () => {
  test("is told of with its cause all the same, and without a page for its report", async () => {
    const world = await house.start(
      { playing: { acme: ["balance_402"] }, webhooks: OPS },
      {
        secrets: { KEY: SIMULATOR_KEYS.good },
        gateways: [{ id: "acme", baseUrl: house.simulator.named("acme"), apiKey: "KEY", publish: "health" }],
      },
    );
    await passMinutes(world, 0, 4);
    const [told] = toldAt(house.receiver, "ops");
    expect(told?.data).toMatchObject({
      report: null,
      diagnosis: { cause: "insufficient_balance" },
      incident: { cause: "insufficient_balance", owner: "caller" },
    });
    const shown = (await world.get(`/api/v1/incidents/${told?.data.incident?.id}`)).json;
    expect(shown).toMatchObject({ cause: null, owner: null, health: "blocked" });
  });
});
