/** `npm start` with several shards, which need no queue there. */
import { expect, onTestFinished, test } from "vitest";
import { showing, watchedScene } from "./support/watched-directory.ts";

const NINE = ["g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8"];
const allUp = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, "up"]));

test("three shards are one page, end in good order with messages under way, and go on where they were", async () => {
  const { simulator, watch } = await watchedScene(onTestFinished);
  // Of g0 nothing comes for two minutes: its shard's ticks are under way when the program must end.
  simulator.play("g0", "delay_120000");
  const first = await watch({ gateways: NINE, shards: 3 });
  await showing(first, allUp(NINE.slice(1)));
  expect(await first.program.stop()).toBe(0);
  simulator.play("g0", "healthy");
  const second = await watch({ gateways: NINE, shards: 3 });
  const status = await showing(second, allUp(NINE));
  expect(status?.gateways.map(({ id }) => id)).toEqual(NINE);
  expect(status?.summary.up).toBe(9);
  expect(await second.program.stop()).toBe(0);
  for (const { program } of [first, second]) expect(program.output()).not.toMatch(/error|failed/i);
});
