/** What an object does when it is called and woken: what it owes goes out before all else, and its alarm stays set. */
import { describe, expect, test } from "vitest";
import { GOOD, ONE_DOWN, webhook, withAdmin } from "./admin-world.ts";

const MINUTE_MS = 60_000;

test("a write to KV that hangs holds up no message", async () => {
  await withAdmin({ alerts: [webhook("ops")] }, async (world) => {
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
  });
});

describe("an alarm whose time is over", () => {
  const overdue = async (byMs: number): Promise<{ before: number; after: number | null; nowMs: number }> => {
    let found = { before: 0, after: null as number | null, nowMs: 0 };
    await withAdmin({}, async (world) => {
      await world.tick(GOOD);
      const before = world.alarmMs ?? 0;
      world.nowMs = before + byMs;
      await world.ask("GET", "alerts");
      found = { before, after: world.alarmMs, nowMs: world.nowMs };
    });
    return found;
  };

  test("by more than the platform repeats one that failed is set anew", async () => {
    const { after, nowMs } = await overdue(3 * MINUTE_MS + 1);
    expect(after).toBe(nowMs);
  });

  test("by less is the platform's: it is about to fire", async () => {
    const { before, after } = await overdue(3 * MINUTE_MS);
    expect(before).toBeGreaterThan(0);
    expect(after).toBe(before);
  });
});
