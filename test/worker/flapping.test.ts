/** Flapping by a Ledger that begins anew in each tick: what it knows of changes must be stored, and read again. */
import { expect, test } from "vitest";
import { LedgerHost } from "../../src/ledger/host.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { DOWN, GOOD, webhook } from "./admin-world.ts";
import {
  hostSettings,
  hostStorage,
  inObject,
  playTick,
  START,
  TICK_MS,
  untilStill,
} from "./ledger-harness.ts";

const EVERY_MS = 5 * TICK_MS;

test("a monitor that flips at every probe is told of as one flapping incident, and once more when it is steady", () =>
  inObject(async ({ storage }) => {
    const monitors = [monitor("acme", { everyMs: EVERY_MS, open: 1, close: 1, flapping: 4 })];
    let nowMs = START;
    const told: string[] = [];
    const settings = hostSettings(config([gateway("acme", { monitors })], { alerts: [webhook("ops")] }), {
      now: () => nowMs,
      tickIntervalMs: EVERY_MS,
      fetch: async (_url, { body }) => {
        const { type, data } = JSON.parse(body);
        told.push(`${(nowMs - START) / TICK_MS} ${type} ${data.reason} ${data.incident.flapping}`);
        return new Response(null, { status: 204 });
      },
    });
    const watch = { alarmMs: null };
    for (let tick = 0; tick < 24; tick += 1) {
      nowMs = START + tick * EVERY_MS;
      const host = new LedgerHost(hostStorage(storage, watch), settings);
      await playTick(host, nowMs, tick < 12 && tick % 2 === 0 ? DOWN : GOOD);
      await untilStill(() => told.length);
    }
    expect(told).toEqual([
      "0 incident.opened null false",
      "5 incident.resolved null false",
      "10 incident.opened null false",
      "15 incident.resolved null false",
      "20 incident.opened flapping true",
      // An hour after the last change but two, no more than half of four changes are left in it.
      "105 incident.resolved null false",
    ]);
  }));
