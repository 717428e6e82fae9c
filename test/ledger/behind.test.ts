/** Whose alerts go first after a move: what is asked, what waits meanwhile, and for how long. */
import { expect, test } from "vitest";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import { BehindOthers } from "../../src/ledger/behind.ts";
import { type Moves, movesSchema, NO_MOVES } from "../../src/ledger/moves.ts";

const START = Date.parse("2026-11-20T09:00:00Z");

/** Shard 0 owes what is below 700; own events wait from 900 on. */
class World {
  nowMs = START;
  state: Moves = { ...NO_MOVES, behind: [{ from: 0, to: 700, ownFrom: 900, heardMs: START }] };
  readonly asked: string[] = [];
  owed: readonly string[] | null = ["ops"];

  begin(): BehindOthers {
    return new BehindOthers({
      moves: () => this.state,
      note: (behind) => {
        this.state = { ...this.state, behind };
      },
      owing: async (shard, to) => {
        this.asked.push(`${shard} ${to}`);
        if (this.owed === null) throw new Error("no answer");
        return this.owed;
      },
      now: () => this.nowMs,
      released: () => undefined,
      warn: () => undefined,
    });
  }
}

test("every channel waits until the giver says to which it owes nothing", async () => {
  const world = new World();
  const behind = world.begin();
  expect(behind.holdOf("mail")?.fromSeq).toBe(900);
  await behind.hear();
  expect(world.asked).toEqual(["0 700"]);
  expect(behind.holdOf("mail")).toBe(null);
  expect(behind.holdOf("ops")?.fromSeq).toBe(900);
  world.owed = [];
  await behind.hear();
  expect(behind.holdOf("ops")).toBe(null);
  expect(world.state.behind).toEqual([]);
});

test("a giver that owes for hours is waited for as long as it answers; after a quarter of an hour of silence it is not", async () => {
  const world = new World();
  const behind = world.begin();
  for (let n = 0; n < 180; n += 1) {
    world.nowMs += MINUTE_MS;
    await behind.hear();
    expect(behind.holdOf("ops")).not.toBe(null);
  }
  world.owed = null;
  world.nowMs += 15 * MINUTE_MS;
  await behind.hear();
  expect(behind.holdOf("ops")).toBe(null);
  expect(world.begin().holdOf("ops")).toBe(null);
  world.nowMs += 24 * 60 * MINUTE_MS;
  await behind.hear();
  expect(world.state.behind).toEqual([]);
});

test("what was stored before this was known waits for nobody", () => {
  const { behind: _, ...before } = NO_MOVES;
  expect(movesSchema.parse(before).behind).toEqual([]);
});
