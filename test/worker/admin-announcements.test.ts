/** Announcements, and incidents that no check finds, from an administrator's request to the published document. */
import { expect, test } from "vitest";
import { DAY_MS } from "../../src/domain/calendar.ts";
import { GOOD, webhook, withAdmin } from "./admin-world.ts";
import { published } from "./ledger-harness.ts";

const SAID = { kind: "incident", title: "Slow answers", body: "We look into it.", gateways: ["g0"] };

test("an incident is published at once, gets updates, and is over when it is resolved; nobody is alerted", () =>
  withAdmin({ alerts: [webhook("ops")] }, async (world) => {
    await world.tick(GOOD);
    const { json: said, status } = await world.ask("POST", "announcements", SAID);
    expect([status, said.updates]).toMatchObject([
      200,
      [{ status: "investigating", body: "We look into it." }],
    ]);
    world.nowMs += 6000;
    await world.wake();
    expect((await published()).status.announcements).toEqual([said]);
    expect(await world.ask("POST", "announcements", SAID)).toEqual({ status: 200, json: said });
    const update = { body: "It works again.", status: "resolved" };
    const { json: after } = await world.ask("POST", `announcements/${said.id}`, update);
    expect(await world.ask("POST", `announcements/${said.id}`, update)).toEqual({ status: 200, json: after });
    expect(after.updates).toMatchObject([{ status: "investigating" }, update]);
    world.deploy({});
    await world.tick(GOOD);
    const { status: shown, tail } = await published();
    expect(shown).not.toHaveProperty("announcements");
    expect([shown.incidents, tail.announcements]).toEqual([[], [after]]);
    expect(world.told).toEqual([]);
    world.nowMs += 31 * DAY_MS;
    expect((await world.ask("GET", "announcements")).json).toEqual({ announcements: [] });
  }));

test("an announcement ends by itself, has no status, and can be prolonged and deleted", () =>
  withAdmin({}, async (world) => {
    const said = { title: "New region", body: "It opens.", for: "1h" };
    const { id, until, updates } = (await world.ask("POST", "announcements", said)).json;
    expect([until, updates[0].status]).toEqual([new Date(world.nowMs + 3_600_000).toISOString(), null]);
    const later = await world.ask("POST", `announcements/${id}`, {
      body: "Later.",
      for: "2h",
      status: "resolved",
    });
    expect(later.json).toMatchObject({ until: new Date(world.nowMs + 7_200_000).toISOString() });
    expect(later.json.updates[1]).toMatchObject({ status: null, body: "Later." });
    await world.tick(GOOD);
    expect((await published()).status.announcements).toHaveLength(1);
    expect(await world.ask("DELETE", `announcements/${id}`)).toEqual({ status: 200, json: { id } });
    expect((await world.ask("DELETE", `announcements/${id}`)).status).toBe(404);
    expect((await world.ask("POST", `announcements/${id}`, { body: "x" })).status).toBe(404);
  }));

test("at most twenty are open, for gateways that there are, with no more text than a row holds", () =>
  withAdmin({}, async (world) => {
    const say = (title: string, body = "x") => world.ask("POST", "announcements", { ...SAID, title, body });
    expect((await world.ask("POST", "announcements", { ...SAID, gateways: ["g0", "nope"] })).status).toBe(
      404,
    );
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push((await say(`${n}`)).json.id);
    expect(new Set(ids).size).toBe(20);
    expect((await say("20")).status).toBe(409);
    const statuses = new Set<number>();
    for (let n = 0; n < 60; n += 1) {
      const body = `${n} ${"字".repeat(3990)}`;
      statuses.add((await world.ask("POST", `announcements/${ids[0]}`, { body })).status);
    }
    expect([...statuses]).toEqual([200, 409]);
    await world.ask("DELETE", `announcements/${ids[0]}`);
    expect((await say("20")).status).toBe(200);
  }));
