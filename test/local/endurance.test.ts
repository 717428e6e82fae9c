/** `npm run endurance`, in little: days of faults, and the local runner killed at random moments. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFull, rounds, seedOf } from "../extent.ts";
import { start } from "./program.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";

const scratch = await directoryOfFile();

test.runIf(isFull)(
  "days of faults and kills at random moments lose and double nothing, and the result is written",
  async () => {
    const kills = rounds(3, 20);
    const seed = String(1 + seedOf("kills of the local runner"));
    const few = ["--days", "2", "--monitors", "4", "--kills", String(kills)];
    const order = ["--scratch", scratch, "--only", "year,kills", "--seed", seed, ...few];
    const program = start("node", ["test/endurance/main.ts", ...order]);
    expect([await program.ended(), program.output()]).toEqual([0, expect.any(String)]);
    const rowsOf = async (name: string): Promise<unknown> =>
      JSON.parse(await readFile(join(scratch, `${name}.json`), "utf8")).rows;
    const row = (what: string, figure: number) =>
      expect.objectContaining({ what: expect.stringContaining(what), figure });
    expect(await rowsOf("year")).toContainEqual(row("days in virtual time", 2));
    expect(await rowsOf("kills")).toContainEqual(row("kills with SIGKILL", kills));
  },
  900_000,
);
