import { describe, expect, test } from "vitest";
import { gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import {
  type AdminWorld,
  type Probe,
  DOWN,
  GOOD,
  openIncident,
  webhook,
  withAdmin,
  ONE_DOWN,
} from "./admin-world.ts";
import { published, inLedger, START } from "./ledger-harness.ts";
import { DAY_MS } from "../../src/domain/calendar.ts";

const REFUSED = () => ({ diagnosis: diagnosis("insufficient_balance", "blocked", { httpStatus: 402 }) });

const RUNNING = { monitor: "g0/models", pausedAt: null, pausedUntil: null, pausedBy: null };

const PROBE = "gateways/g0/monitors/models/probe";
const PAUSE = "gateways/g0/monitors/models/pause";
const RESUME = "gateways/g0/monitors/models/resume";

/** What is owed to a channel, or was sent to it: the events' types with their reasons. */
const eventsOf = ({ told }: AdminWorld) =>
  told.map(({ body }) => [body.type, body.data?.reason ?? null] as const);

describe("monitors", () => {
  test("to pause ends the incident as paused, and the probes; to resume begins them at once", () =>
    withAdmin({ alerts: [webhook("ops")] }, async (world) => {
      const incident = await openIncident(world);
      const paused = { ...RUNNING, pausedAt: "2026-11-20T09:02:01.000Z" };
      expect(await world.ask("POST", PAUSE)).toEqual({ status: 200, json: paused });
      await world.wake();
      expect(eventsOf(world)).toEqual([
        ["incident.opened", null],
        ["incident.resolved", "paused"],
      ]);
      expect(world.told[1]?.body.data.incident).toMatchObject({ id: incident });
      for (let minute = 0; minute < 5; minute += 1) expect(await world.tick(DOWN)).toEqual(["g1/models"]);
      const { status, tail } = await published();
      expect(status.incidents.map(({ gateway: of }) => of)).toEqual(["g1"]);
      const shown = { status: "unknown", lastStatus: "down", diagnosis: null, nextProbeAt: null };
      expect(status.gateways[0]).toMatchObject({ status: "unknown", monitors: [shown] });
      const ended = tail.incidents.find(({ incident: { id } }) => id === incident)?.incident;
      expect(ended).toMatchObject({ resolvedAt: paused.pausedAt });
      expect(ended?.timeline.at(-1)).toMatchObject({ type: "paused" });
      expect((await world.ask("POST", RESUME)).json).toEqual(RUNNING);
      expect(await world.tick(GOOD)).toContain("g0/models");
      expect((await published()).status.gateways[0]?.status).toBe("up");
    }));

  test("to pause or resume twice is the same as once", () =>
    withAdmin({}, async (world) => {
      await world.tick(GOOD);
      const first = await world.ask("POST", PAUSE);
      world.nowMs += 5000;
      expect(await world.ask("POST", PAUSE)).toEqual(first);
      expect((await world.ask("POST", RESUME)).status).toBe(200);
      expect((await world.ask("POST", RESUME)).json).toEqual(RUNNING);
    }));

  test("a gateway is paused until a time, and its monitors are probed from then on", () =>
    withAdmin({}, async (world) => {
      await world.tick(GOOD);
      const until = { for: "3m", by: "Anna" };
      const paused = {
        monitor: "g0/models",
        pausedAt: "2026-11-20T09:01:01.000Z",
        pausedUntil: "2026-11-20T09:04:01.000Z",
        pausedBy: "Anna",
      };
      const monitors = [paused];
      expect(await world.ask("POST", "gateways/g0/pause", until)).toEqual({
        status: 200,
        json: { monitors },
      });
      expect((await world.ask("GET", "gateways/g0")).json).toEqual({ monitors });
      for (let minute = 0; minute < 3; minute += 1) expect(await world.tick(GOOD)).toEqual(["g1/models"]);
      expect((await published()).status.gateways[0]?.monitors[0]).toMatchObject({
        pausedAt: paused.pausedAt,
        pausedUntil: paused.pausedUntil,
      });
      expect(await world.tick(GOOD)).toEqual(["g0/models", "g1/models"]);
      expect((await world.ask("GET", "gateways/g0")).json).toEqual({ monitors: [RUNNING] });
    }));

  test("a pause can be given another end, or none, and a paused gateway cannot be probed", () =>
    withAdmin({}, async (world) => {
      await world.tick(GOOD);
      await world.ask("POST", PAUSE, { for: "2m" });
      expect((await world.ask("POST", PAUSE)).json).toMatchObject({ pausedUntil: null });
      for (let minute = 0; minute < 4; minute += 1) expect(await world.tick(GOOD)).toEqual(["g1/models"]);
      expect((await world.ask("POST", "gateways/g0/probe")).status).toBe(409);
      for (const verb of ["probe", "pause", "resume"]) {
        const answer = await world.ask("POST", `gateways/nope/${verb}`);
        expect(answer).toMatchObject({ status: 404, json: { detail: "There is no such gateway." } });
      }
    }));

  test("to probe now ends the growing waits of a refused key", () =>
    withAdmin({}, async (world) => {
      for (let minute = 0; minute < 8; minute += 1) await world.tick(REFUSED);
      // The next probe would come after 8 minutes.
      expect(await world.tick(REFUSED)).toEqual([]);
      const json = { monitor: "g0/models", notBefore: null };
      expect(await world.ask("POST", PROBE)).toEqual({ status: 200, json });
      expect(await world.tick(GOOD)).toEqual(["g0/models"]);
      expect(await world.tick(GOOD)).toEqual(["g0/models"]);
    }));

  test("to probe now does not break a gateway's Retry-After, and says until when", () =>
    withAdmin({}, async (world) => {
      const limited = diagnosis("rate_limited", "degraded", {
        retry: { allowed: true, afterSeconds: 600, hint: null },
      });
      await world.tick((id) => (id === "g0/models" ? { diagnosis: limited } : {}));
      const until = { monitor: "g0/models", notBefore: "2026-11-20T09:11:00.107Z" };
      expect((await world.ask("POST", PROBE)).json).toEqual(until);
      expect(await world.tick(GOOD)).toEqual(["g1/models"]);
    }));

  test("a paused monitor cannot be probed, and one that there is not is told so", () =>
    withAdmin({}, async (world) => {
      await world.tick(GOOD);
      await world.ask("POST", PAUSE);
      expect(await world.ask("POST", PROBE)).toMatchObject({ status: 409, json: { title: "Conflict" } });
      for (const verb of ["probe", "pause", "resume"]) {
        const answer = await world.ask("POST", `gateways/g0/monitors/nope/${verb}`);
        expect(answer).toMatchObject({ status: 404, json: { detail: "There is no such monitor." } });
      }
    }));

  test("a storage that fails is 503, and changes nothing", () =>
    withAdmin({}, async (world) => {
      await world.tick(GOOD);
      world.storageFails = true;
      expect((await world.ask("POST", PAUSE)).status).toBe(503);
      world.storageFails = false;
      expect(await world.tick(GOOD)).toEqual(["g0/models", "g1/models"]);
    }));
});

test("a window and a pause, and their end, are published 5 seconds after the last publish", () =>
  withAdmin({}, async (world) => {
    const soon = async () => {
      world.nowMs += 5000;
      await world.wake();
      const { gateways, maintenance } = (await published()).status;
      return {
        maintenance: maintenance.map(({ title }) => title),
        paused: gateways[0]?.monitors[0]?.pausedAt,
      };
    };
    await world.tick(GOOD);
    await soon();
    const times = { from: "2026-11-20T09:00:00Z", to: "2026-11-20T09:10:00Z" };
    const window = { gateways: ["g0"], ...times, title: "A move" };
    const { id } = (await world.ask("POST", "maintenance", window)).json;
    expect(await soon()).toEqual({ maintenance: ["A move"], paused: undefined });
    await world.ask("DELETE", `maintenance/${id}`);
    expect(await soon()).toEqual({ maintenance: [], paused: undefined });
    await world.ask("POST", PAUSE);
    expect(await soon()).toEqual({ maintenance: [], paused: "2026-11-20T09:01:16.000Z" });
    await world.ask("POST", RESUME);
    expect(await soon()).toEqual({ maintenance: [], paused: undefined });
  }));

describe("incidents", () => {
  const reminding = {
    gateways: [gateway("g0", { monitors: [monitor("g0", { remindEveryMs: 5 * 60_000 })] })],
    alerts: [webhook("ops")],
  };

  test("who has acknowledged one is reminded of it no more", async () => {
    const tenMinutes = async (isAcknowledged: boolean): Promise<unknown> => {
      let events: unknown;
      await withAdmin(reminding, async (world) => {
        const incident = await openIncident(world);
        if (isAcknowledged) {
          const json = { incident, acknowledgedAt: "2026-11-20T09:02:01.000Z", silenced: null, notes: [] };
          const answer = await world.ask("POST", `incidents/${incident}/acknowledge`);
          expect(answer).toEqual({ status: 200, json });
        }
        for (let minute = 0; minute < 11; minute += 1) await world.tick(DOWN);
        expect((await world.ask("GET", "alerts")).json.channels).toMatchObject([{ waiting: null }]);
        events = eventsOf(world);
      });
      return events;
    };
    expect(await tenMinutes(false)).toEqual([
      ["incident.opened", null],
      ["incident.updated", "reminder"],
      ["incident.updated", "reminder"],
    ]);
    expect(await tenMinutes(true)).toEqual([["incident.opened", null]]);
  });

  test("while it is silenced, only its end is sent; what came meanwhile is said once the time is over", async () => {
    const other: Probe = () => ({
      diagnosis: diagnosis("service_misconfigured", "down", { httpStatus: 500 }),
    });
    const said = async (body: object, more: readonly Probe[]): Promise<unknown> => {
      let events: unknown;
      await withAdmin({ alerts: [webhook("ops")] }, async (world) => {
        const incident = await openIncident(world);
        await world.ask("POST", `incidents/${incident}/silence`, body);
        for (const probe of more) await world.tick((id) => (id === "g0/models" ? probe(id) : {}));
        events = eventsOf(world);
      });
      return events;
    };
    const opened = ["incident.opened", null];
    const resolved = ["incident.resolved", null];
    expect(await said({}, [other, other, DOWN, DOWN, GOOD, GOOD])).toEqual([opened, resolved]);
    expect(await said({ for: "3m" }, [other, other, other, other, other])).toEqual([
      opened,
      ["incident.updated", "cause"],
    ]);
    expect(await said({ for: "3m" }, [other, other, DOWN, DOWN, DOWN])).toEqual([
      opened,
      ["incident.updated", "reminder"],
    ]);
    expect(await said({ for: "1m" }, [DOWN, other])).toEqual([opened, ["incident.updated", "cause"]]);
  });

  test("who acknowledged, checked and silenced it is published by the name that was given", () =>
    withAdmin({}, async (world) => {
      const incident = await openIncident(world);
      world.nowMs += 10_000;
      const at = new Date(world.nowMs).toISOString();
      for (const verb of ["acknowledge", "probe"])
        await world.ask("POST", `incidents/${incident}/${verb}`, { by: "Anna <b>" });
      await world.ask("POST", `incidents/${incident}/silence`, { until: "2026-11-20T12:00:00Z" });
      await world.ask("POST", `incidents/${incident}/acknowledge`, { by: "Bob" });
      world.nowMs += 10_000;
      await world.wake();
      const [shown] = (await published()).status.incidents;
      expect(shown?.acknowledgedAt).toBe(at);
      expect(shown?.actions).toEqual([
        { at, type: "acknowledged", by: "Anna <b>", until: null },
        { at, type: "checked", by: "Anna <b>", until: null },
        { at, type: "silenced", by: null, until: "2026-11-20T12:00:00.000Z" },
      ]);
    }));

  test("a note that is not public is shown to administrators alone, and any note can be deleted", () =>
    withAdmin({}, async (world) => {
      const incident = await openIncident(world);
      world.nowMs += 10_000;
      const notes = `incidents/${incident}/notes`;
      await world.ask("POST", notes, { text: "We charge the card." });
      const { json } = await world.ask("POST", notes, { text: "Card 4711 expired.", public: false });
      expect(json.notes).toMatchObject([{ public: true }, { text: "Card 4711 expired.", public: false }]);
      await world.wake();
      expect((await published()).status.incidents[0]?.notes).toMatchObject([{ text: "We charge the card." }]);
      expect((await world.ask("GET", `incidents/${incident}`)).json.notes).toHaveLength(2);
      expect((await world.ask("DELETE", `${notes}/${json.notes[0].at}`)).json.notes).toHaveLength(1);
      expect((await world.ask("DELETE", `${notes}/${json.notes[0].at}`)).status).toBe(404);
      world.nowMs += 10_000;
      await world.wake();
      expect((await published()).status.incidents[0]?.notes).toEqual([]);
    }));

  test("one that is over, or never was, is not there to be acknowledged, nor is what every object has", () =>
    withAdmin({}, async (world) => {
      const incident = await openIncident(world);
      const statuses = async (id: string) => [
        (await world.ask("POST", `incidents/${id}/acknowledge`)).status,
        (await world.ask("POST", `incidents/${id}/notes`, { text: "Late." })).status,
      ];
      const unknown = ["constructor", "__proto__", "toString", "g0.models-20200101t000000z"];
      for (const id of unknown) expect(await statuses(id)).toEqual([404, 404]);
      await world.tick(GOOD);
      await world.tick(GOOD);
      expect(await statuses(incident)).toEqual([404, 404]);
    }));
});

// Maintenance that is planned without a deploy.

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

// Announcements, and incidents that no check finds, from an administrator's request to the published
// document.

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
