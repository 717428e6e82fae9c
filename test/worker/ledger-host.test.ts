/** What an object does when it is called and woken: what it owes goes out before all else, and its alarm stays set. */
import { expect, test } from "vitest";
import { GOOD, ONE_DOWN, webhook, withAdmin } from "./admin-world.ts";

const MINUTE_MS = 60_000;

test("a write to KV that hangs holds up no message", () =>
  withAdmin({ alerts: [webhook("ops")] }, async (world) => {
    await world.tick(ONE_DOWN);
    const write = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<string[]>();
    world.put = () => {
      asked.resolve(world.told.map(({ body }) => body.type));
      return write.promise;
    };
    const second = world.tick(ONE_DOWN);
    expect(await asked.promise).toEqual(["incident.opened"]);
    write.resolve();
    await second;
  }));

test.each([
  ["by less than the platform repeats one that failed is the platform's: it is about to fire", 0],
  ["by more is set anew", 1],
])("an alarm whose time is over %s", (_, moreMs) =>
  withAdmin({}, async (world) => {
    await world.tick(GOOD);
    const before = world.alarmMs ?? 0;
    expect(before).toBeGreaterThan(0);
    world.nowMs = before + 3 * MINUTE_MS + moreMs;
    await world.ask("GET", "alerts");
    expect(world.alarmMs).toBe(moreMs === 0 ? before : world.nowMs);
  }),
);
