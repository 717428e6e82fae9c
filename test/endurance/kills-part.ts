/**
 * The local runner killed so many times (see kills.ts), twenty a piece, each piece in a directory of its own. What is done is
 * kept in `test-results/endurance/`: a run that was ended goes on where it was.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { killMonitor, type KillsFound } from "./kills.ts";

const KILLS_A_PIECE = 20;

/** @throws where anything was lost or doubled. */
export async function playKills({ seed, kills }: { seed: number; kills: number }): Promise<void> {
  const directory = fileURLToPath(new URL("../../test-results/endurance/", import.meta.url));
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `kills-${seed}.json`);
  const pieces: KillsFound[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  let state = pieces.at(-1)?.state ?? { seed, done: 0 };
  console.log(`kills: seed ${seed}, from kill ${state.done}`);
  while (state.done < kills) {
    const data = await mkdtemp(join(tmpdir(), "gatepulse-kills-"));
    const found = await killMonitor(state, Math.min(kills, state.done + KILLS_A_PIECE), data);
    await rm(data, { recursive: true, force: true });
    console.log("kills:", JSON.stringify(found));
    if (found.faults.length > 0) throw new Error(found.faults.join("\n"));
    pieces.push(found);
    writeFileSync(file, JSON.stringify(pieces));
    ({ state } = found);
  }
}
