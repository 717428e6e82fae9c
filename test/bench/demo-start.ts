/** How long the demonstration's past of 90 days takes to make: `npm start` without gateways, beside one with a gateway. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressOf, start } from "../local/program.ts";
import { median, takeTurns } from "./measure.ts";
import { atPaceOf, withPace } from "./pace.ts";
import { type Row, row, timesAtMost } from "./row.ts";

const ROUNDS = 3;
const LOOKS = 10;
/** On the machine of the plan's figures. */
const MOST_MS = 3000;
const OWN = { title: "Own", gateways: [{ id: "own", baseUrl: "https://own.example", apiKey: "NOT_SET" }] };

export async function measureDemo(): Promise<readonly Row[]> {
  const directory = await mkdtemp(join(tmpdir(), "gatepulse-bench-"));
  const startedMs = async (...args: string[]): Promise<number> => {
    const fromMs = performance.now();
    const program = start("node", [
      "bin/gatepulse.js",
      "start",
      "--port",
      "0",
      "--persist",
      directory,
      ...args,
    ]);
    try {
      await addressOf(program);
      return performance.now() - fromMs;
    } finally {
      await program.stop();
    }
  };
  try {
    const file = join(directory, "own.json");
    await writeFile(file, JSON.stringify(OWN));
    return await withPace(async (pace) => {
      const taken = await takeTurns(ROUNDS, {
        demo: () => startedMs(),
        own: () => startedMs("--config", file),
        looks: async () => {
          for (let look = 0; look < LOOKS; look += 1) await pace.look();
          return 0;
        },
      });
      const what =
        "what 90 days of history add to the start of the demonstration; floor: 3 s, at the machine's pace";
      const addedMs = median(taken.demo) - median(taken.own);
      return [
        row("ms", what, addedMs, { floor: atPaceOf(pace.takeListMs(), MOST_MS), limit: timesAtMost(1) }),
      ];
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
