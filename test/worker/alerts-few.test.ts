/** How few messages an outage takes, by a whole Ledger. */
import { expect, test } from "vitest";
import { diagnosis } from "../fixtures/outcome.ts";
import { gateway, monitor } from "../fixtures/config.ts";
import { type AdminWorld, type Probe, slack, withAdmin } from "./admin-world.ts";

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
