/** Maintenance that is planned without a deploy. */
import { expect, test } from "vitest";
import { DOWN, GOOD, ONE_DOWN, webhook, withAdmin } from "./admin-world.ts";
import { inLedger, published, START } from "./ledger-harness.ts";

const WINDOW = {
  gateways: ["g0"],
  from: "2026-11-20T09:03:00Z",
  to: "2026-11-20T09:10:00Z",
  title: "A move",
};

test("what fails in a planned window is in no incident, no alert and no uptime; after it, it counts", () =>
  withAdmin({ alerts: [webhook("ops")] }, async (world) => {
    await world.tick(GOOD);
    await world.tick(GOOD);
    const planned = await world.ask("POST", "maintenance", WINDOW);
    expect(planned.status).toBe(200);
    const { id } = planned.json;
    for (let minute = 3; minute < 10; minute += 1) await world.tick(ONE_DOWN);
    expect(world.told).toEqual([]);
    const during = (await published()).status;
    expect(during.incidents).toEqual([]);
    expect(during.maintenance).toMatchObject([{ gateways: ["g0"], title: "A move" }]);
    expect(during.gateways.map(({ monitors }) => monitors[0]?.uptime["24h"])).toEqual([1, 1]);
    for (let minute = 10; minute < 13; minute += 1) await world.tick(ONE_DOWN);
    expect(world.told.map(({ body }) => body.type)).toEqual(["incident.opened"]);
    expect((await world.ask("GET", "maintenance")).json).toEqual({ maintenance: [] });
    const { status, tail } = await published();
    expect(status.maintenance).toEqual([]);
    expect(tail.maintenance).toEqual(during.maintenance);
    // It cannot be cancelled any more, and stays known.
    expect((await world.ask("DELETE", `maintenance/${id}`)).status).toBe(404);
    await world.tick(GOOD);
    expect((await published()).tail.maintenance).toMatchObject([{ id, title: "A move" }]);
  }));

test("of what is over the 50 windows that began last are published, in their order, also of the configuration", async () => {
  const over = Array.from({ length: 52 }, (_, index) => {
    const fromMs = START - (60 - index) * 60_000;
    return { gateways: [], fromMs, toMs: fromMs + 1000, title: `${index}` };
  });
  const toCome = { gateways: ["g0"], fromMs: START + 3_600_000, toMs: START + 7_200_000, title: "to come" };
  await inLedger({ maintenance: [toCome, ...over.toReversed()] }, async (harness) => {
    await harness.tick(START, () => ({}));
    const { status, tail } = await published();
    expect(status.maintenance.map(({ title }) => title)).toEqual(["to come"]);
    const told = tail.maintenance.map(({ title }) => title);
    expect(told).toEqual(["to come", ...Array.from({ length: 50 }, (_, index) => `${51 - index}`)]);
  });
});

test("in a window of a rule, failures open no incident; once it is over, they do", async () => {
  const rule = { rrule: "FREQ=WEEKLY;BYDAY=FR", from: "2026-11-20T10:00", timeZone: "Europe/Berlin" };
  const recurring = [{ ...rule, gateways: [], title: "Each week", durationMs: 5 * 60_000 }];
  await inLedger({ gateways: 1, recurring }, async (harness) => {
    for (let minute = 0; minute < 5; minute += 1) await harness.tick(START + minute * 60_000, DOWN);
    const { status, tail } = await published();
    expect([status.incidents, status.inMaintenance?.down]).toEqual([[], 1]);
    expect(status.maintenance).toMatchObject([
      { from: "2026-11-20T09:00:00.000Z", to: "2026-11-20T09:05:00.000Z", title: "Each week" },
      { from: "2026-11-27T09:00:00.000Z" },
    ]);
    expect(tail.maintenance).toHaveLength(2);
    for (let minute = 5; minute < 8; minute += 1) await harness.tick(START + minute * 60_000, DOWN);
    expect((await published()).status.incidents).toHaveLength(1);
  });
});

test("a window is listed until it is cancelled, and then holds nothing back", () =>
  withAdmin({}, async (world) => {
    await world.tick(GOOD);
    const { id } = (await world.ask("POST", "maintenance", WINDOW)).json;
    const listed = { id, ...WINDOW, from: "2026-11-20T09:03:00.000Z", to: "2026-11-20T09:10:00.000Z" };
    expect((await world.ask("GET", "maintenance")).json).toEqual({ maintenance: [listed] });
    expect(await world.ask("DELETE", `maintenance/${id}`)).toEqual({ status: 200, json: { id } });
    expect((await world.ask("DELETE", `maintenance/${id}`)).status).toBe(404);
    for (let minute = 2; minute < 6; minute += 1) await world.tick(ONE_DOWN);
    expect((await published()).status.incidents).toHaveLength(1);
  }));

test("a window for gateways that there are not is refused", () =>
  withAdmin({}, async (world) => {
    const answer = await world.ask("POST", "maintenance", { ...WINDOW, gateways: ["g0", "nope"] });
    expect(answer).toMatchObject({ status: 404, json: { detail: "There is no gateway nope." } });
    expect((await world.ask("GET", "maintenance")).json).toEqual({ maintenance: [] });
  }));

test("fifty windows are planned at most, each with an id of its own, and the very same one once", () =>
  withAdmin({}, async (world) => {
    const plan = async (title: string) => world.ask("POST", "maintenance", { ...WINDOW, title });
    const ids = new Set<string>();
    for (let n = 0; n < 50; n += 1) ids.add((await plan(`${n}`)).json.id);
    expect(ids.size).toBe(50);
    expect((await plan("50")).status).toBe(409);
    expect((await plan("7")).status).toBe(200);
  }));
