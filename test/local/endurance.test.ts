/** The local runner, killed at random moments as `npm run endurance` does it; ended in the middle, that goes on where it was. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rounds, seedOf } from "../extent.ts";
import { start } from "./program.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";

const scratch = await directoryOfFile();

test("kills at random moments lose and double nothing, and go on after the last piece that was done", async () => {
  const kills = rounds(3, 20);
  const seed = String(1 + seedOf("kills of the local runner"));
  const order = ["--only", "kills", "--seed", seed, "--kills", String(kills), "--kills-a-piece", "2"];
  const play = () => start("node", ["test/endurance/main.ts", "--scratch", scratch, ...order]);
  const first = play();
  await first.printed(/: 2 of \d+ done/u);
  expect(await first.stop("SIGKILL")).toBe("SIGKILL");
  const second = play();
  expect([await second.ended(), second.output()]).toEqual([0, expect.not.stringContaining(": 0 of ")]);
  const report = await readFile(join(scratch, "kills.md"), "utf8");
  expect(report).toContain(`killed with SIGKILL ${kills} times`);
}, 900_000);
