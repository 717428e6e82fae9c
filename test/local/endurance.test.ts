/** `npm run endurance`, in little: ended with SIGKILL in the middle and started again, each part goes on where it was. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { expect, test } from "vitest";
import { rounds, seedOf } from "../extent.ts";
import { type Program, start } from "./program.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";

const scratch = await directoryOfFile();
/** Of two pieces. */
const DAYS = rounds(2, 4);

function play(into: string, ...order: readonly string[]): Program {
  return start("node", ["test/endurance/main.ts", "--scratch", join(scratch, into), ...order]);
}

/** Kills it once it has printed that, and starts it again. */
async function playTwice(into: string, printed: RegExp, ...order: readonly string[]): Promise<Program> {
  const first = play(into, ...order);
  await first.printed(printed);
  expect(await first.stop("SIGKILL")).toBe("SIGKILL");
  const second = play(into, ...order);
  expect([await second.ended(), second.output()]).toEqual([0, expect.any(String)]);
  return second;
}

/** Of a year that is over, all that is no pace and no name that is drawn anew. */
async function endOf(into: string, name: string): Promise<unknown> {
  const file = join(scratch, into, `year-${name}-done`);
  const { kept, checks, most } = deserialize(await readFile(file)) as Lived;
  const told = [...kept.told].map(([to, of]) => [
    to,
    [...of.values()].map(({ type, incident }) => `${type} ${incident}`),
  ]);
  const { random, nowMs, alarmMs, log, spells, deployment, paused, count } = kept;
  return { random, nowMs, alarmMs, log, spells, deployment, paused, count, told, checks, rows: rowsOf(most) };
}

interface Lived {
  readonly kept: Readonly<Record<string, unknown>> & {
    readonly told: ReadonlyMap<
      string,
      ReadonlyMap<string, { readonly type: string; readonly incident: string | null }>
    >;
  };
  readonly checks: unknown;
  readonly most: Readonly<Record<string, { readonly rows: number }>>;
}

function rowsOf(most: Lived["most"]): unknown {
  return Object.entries(most).map(([table, { rows }]) => [table, rows]);
}

const days = ["--days", String(DAYS), "--days-a-piece", String(DAYS / 2)];
const FIRST_PIECE = `: 0 of ${DAYS} done`;
const SECOND_PIECE = new RegExp(`: ${DAYS / 2} of ${DAYS} done`, "u");

test.concurrent("a year that was killed between its pieces ends as one that was played at one go", async () => {
  const seed = String(1 + (seedOf("a year that is killed") % 1_000_000));
  const order = ["--only", "year", "--seed", seed, "--monitors", "5", ...days];
  const [killed, whole] = [playTwice("killed", SECOND_PIECE, ...order), play("whole", ...order)];
  expect([await whole.ended(), whole.output()]).toEqual([0, expect.stringContaining(FIRST_PIECE)]);
  const goneOn = (await killed).output();
  expect(goneOn).toMatch(SECOND_PIECE);
  expect(goneOn).not.toContain(FIRST_PIECE);
  expect(await endOf("killed", `${seed}-5`)).toEqual(await endOf("whole", `${seed}-5`));
});

test("kills at random moments lose and double nothing, and go on after the last piece that was done", async () => {
  const kills = rounds(3, 20);
  const seed = String(1 + seedOf("kills of the local runner"));
  const order = ["--only", "kills", "--seed", seed, "--kills", String(kills), "--kills-a-piece", "2"];
  const second = await playTwice("kills", /: 2 of \d+ done/u, ...order);
  expect(second.output()).not.toContain(": 0 of ");
  const report = await readFile(join(scratch, "kills", "kills.md"), "utf8");
  expect(report).toContain(`killed with SIGKILL ${kills} times`);
}, 900_000);

test.concurrent("a part that finds something wrong says what, ends with 1, and writes no result", async () => {
  const order = ["--only", "year", "--monitors", "4", ...days];
  const first = play("wrong", ...order);
  await first.printed(SECOND_PIECE);
  await first.stop("SIGKILL");
  // A day in the plain log that never was so stands for one that the Ledger stored wrongly.
  const file = join(scratch, "wrong", "year-20261005-4");
  const piece = deserialize(await readFile(file)) as PieceOfDays;
  const [ofFirst] = piece.checks.days.values();
  for (const day of ofFirst?.values() ?? []) day.attempts += 1;
  await writeFile(file, serialize(piece));
  const second = play("wrong", ...order);
  expect([await second.ended(), second.output()]).toEqual([1, expect.stringContaining("year FAILS")]);
  expect(second.output()).toMatch(/days of g\d: /u);
  expect(await readdir(join(scratch, "wrong"))).toEqual(["year-20261005-4"]);
});

interface PieceOfDays {
  readonly checks: { readonly days: ReadonlyMap<number, ReadonlyMap<string, { attempts: number }>> };
}

test.concurrent("a part that does not exist, and a number that is none, are refused before anything is played", async () => {
  const refused = ["--only yeer", "--only kills --kills 0", "--seed x"].map(async (order) => {
    const program = play("none", ...order.split(" "));
    expect([order, await program.ended()]).toEqual([order, 1]);
    expect(program.output()).toContain(order.split(" ").at(-1));
  });
  await Promise.all(refused);
});
