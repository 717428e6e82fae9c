/**
 * The local runner killed so many times (see kills.ts), twenty a piece, each piece in a directory of its own. What is done is
 * kept: a run that was ended goes on where it was.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killMonitor, type KillsFound } from "./kills.ts";
import { readPieces, setAside, writeWhole } from "./pieces.ts";
import { killsReport } from "./report.ts";
import type { Whereto } from "./whereto.ts";

export interface KillsWish {
  readonly seed: number;
  readonly kills: number;
  readonly killsAPiece: number;
}

/** @throws where anything was lost or doubled. */
export async function playKills({ seed, kills, killsAPiece }: KillsWish, to: Whereto): Promise<void> {
  const file = join(to.directory, `kills-${seed}.json`);
  const pieces = readPieces<KillsFound>(file);
  let state = pieces.at(-1)?.state ?? { seed, done: 0 };
  console.log(`kills: seed ${seed}, from kill ${state.done}`);
  while (state.done < kills) {
    const data = await mkdtemp(join(tmpdir(), "gatepulse-kills-"));
    const found = await killMonitor(state, Math.min(kills, state.done + killsAPiece), data);
    if (found.faults.length > 0) throw new Error(`${found.faults.join("\n")}\nwhat is stored: ${data}`);
    await rm(data, { recursive: true, force: true });
    pieces.push(found);
    writeWhole(file, JSON.stringify(pieces));
    ({ state } = found);
    console.log(`kills: ${state.done} done`, JSON.stringify(found));
  }
  await to.write("kills", killsReport({ seed, pieces }));
  setAside(file);
}
