/**
 * What is told of an incident, and what is not: dependency, planned work, reminders, monitors that leave. Flapping, models
 * and pauses are tests of the domain, the Ledger and its administration. Real Worker, real Ledger, real sockets; the clock is the test's.
 */
import { describe, expect, onTestFinished, test } from "vitest";
import { startSimulator } from "../../src/local/simulator/simulator.ts";
import { admin, alertingHouse, linesAt, minutesAt, passMinutes, toldAt } from "./support/alerting.ts";
import { incidentsOf, monitorOf, statusOf } from "./support/readings.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";
import { MINUTE_MS, type World } from "./support/world.ts";

const { simulator, receiver, start } = await alertingHouse();
const BAD = "envelope_5000";
const UNREACHED = "close_before_headers";
const OPS = { ops: undefined } as const;

const lines = () => linesAt(receiver, "ops");
const minutesOf = (world: World) => minutesAt(world, receiver, "ops");

function times(count: number, ...scenarios: readonly string[]): readonly string[] {
  return Array.from({ length: count }, () => scenarios).flat();
}

describe("a gateway that cannot be reached", () => {
  const MONITORS = ["first", "second", "third"];
  const gatewayOf = (id: string) => ({
    id,
    baseUrl: simulator.named(id),
    apiKey: "KEY",
    monitors: MONITORS.map((monitor) => ({ kind: "models" as const, id: monitor })),
  });

  test("opens one incident for all its monitors and sends one message, and one at the end", async () => {
    const acme = [...times(3 * 4, UNREACHED), "healthy"];
    const world = await start({ acme, other: ["healthy"] }, OPS, { gateways: [gatewayOf("acme")] });
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

  test("all gateways at once: the monitoring's own incident, and nothing else", async () => {
    const elsewhere = await startSimulator();
    onTestFinished(() => elsewhere.close());
    elsewhere.play("far", ...times(3, UNREACHED), "healthy");
    const far = { id: "far", baseUrl: elsewhere.named("far"), apiKey: "KEY" };
    const acme = [...times(3 * 3, UNREACHED), "healthy"];
    const world = await start({ acme }, OPS, { gateways: [gatewayOf("acme"), far] });
    await passMinutes(world, 0, 3);
    expect(lines()).toEqual(["incident.opened -"]);
    expect(minutesOf(world)).toEqual([1]);
    const incident = { monitors: [], owner: "network", health: "unknown" };
    expect(toldAt(receiver, "ops")[0]?.data).toMatchObject({ monitor: null, incident });
    await passMinutes(world, 3, 4);
    expect(lines()).toEqual(["incident.opened -", "incident.resolved -"]);
    expect(minutesOf(world)).toEqual([1, 4]);
  });
});

describe("planned work", () => {
  test("by the configuration: no alert while it lasts, out of uptime; what still fails afterwards is told", async () => {
    const startMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    const [from, to] = [2, 10].map((minute) => new Date(startMs + minute * MINUTE_MS).toISOString());
    const window = { from: from ?? "", to: to ?? "", gateways: ["acme", "longer"] };
    const acme = [...times(2, "healthy"), ...times(6, BAD), ...times(99, "healthy")];
    const longer = [...times(2, "healthy"), ...times(99, BAD)];
    const playing = { acme, longer, other: [...times(2, "healthy"), BAD] };
    const world = await start(playing, OPS, { startMs, config: { maintenance: [window] } });
    await passMinutes(world, 0, 10);
    expect(lines()).toEqual(["incident.opened other"]);
    await passMinutes(world, 10, 4);
    expect(lines()).toEqual(["incident.opened other", "incident.opened longer"]);
    expect(minutesOf(world)).toEqual([3, 11]);
    expect((await monitorOf(world, "acme/models")).uptime["24h"]).toBe(1);
    expect((await monitorOf(world, "other/models")).uptime["24h"]).toBeLessThan(0.5);
  });
});

describe("an incident that lasts", () => {
  test("is told of again as often as asked, until somebody acknowledges it; its end is told all the same", async () => {
    const world = await start({ acme: [...times(31, BAD), "healthy"] }, OPS, {
      config: { remindEvery: "10m" },
    });
    await passMinutes(world, 0, 22);
    const reminded = ["incident.opened acme", ...times(2, "incident.updated acme reminder")];
    expect(lines()).toEqual(reminded);
    expect(minutesOf(world)).toEqual([1, 11, 21]);
    const id = toldAt(receiver, "ops")[0]?.data.incident?.id;
    await admin(world, `POST incidents/${id}/acknowledge`);
    await admin(world, `POST incidents/${id}/notes`, { text: "We wait for the <operator>." });
    await passMinutes(world, 22, 14);
    const { notes } = (await world.get(`/api/v1/incidents/${id}`)).json;
    expect(notes).toMatchObject([{ text: "We wait for the <operator>." }]);
    expect((await world.get(`/incidents/${id}`)).text).toContain("We wait for the &lt;operator&gt;.");
    expect(lines()).toEqual([...reminded, "incident.resolved acme"]);
  });
});

describe("a monitor that leaves", () => {
  test("by the configuration ends its incident as removed", async () => {
    const persistDir = await temporaryDirectory();
    const before = await start({ acme: [BAD], other: ["healthy"] }, OPS, { persistDir });
    await passMinutes(before, 0, 3);
    await before.stop();
    const startMs = before.startMs + 3 * MINUTE_MS;
    const after = await start({ other: ["healthy"] }, OPS, { persistDir, startMs });
    await passMinutes(after, 0, 2);
    expect(lines()).toEqual(["incident.opened acme", "incident.resolved acme removed"]);
    expect((await incidentsOf(after))[0]?.incident).toMatchObject({ resolvedAt: expect.any(String) });
  });
});

describe("a gateway whose causes the public does not see", () => {
  test("is told of with its cause all the same, and without a page for its report", async () => {
    const acme = { id: "acme", baseUrl: simulator.named("acme"), apiKey: "KEY", publish: "health" } as const;
    const world = await start({ acme: ["balance_402"] }, OPS, { gateways: [acme] });
    await passMinutes(world, 0, 4);
    const [told] = toldAt(receiver, "ops");
    expect(told?.data).toMatchObject({
      report: null,
      diagnosis: { cause: "insufficient_balance" },
      incident: { cause: "insufficient_balance", owner: "caller" },
    });
    const shown = (await world.get(`/api/v1/incidents/${told?.data.incident?.id}`)).json;
    expect(shown).toMatchObject({ cause: null, owner: null, health: "blocked" });
  });
});
