import { describe, expect, test } from "vitest";
import { gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { type AdminWorld, type Probe, DOWN, GOOD, openIncident, webhook, withAdmin } from "./admin-world.ts";
import { published } from "./ledger-harness.ts";

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
