/**
 * Requests over all public routes of the local runner while ticks run (see loaded-monitor.ts), so many a piece, each piece with
 * a monitor of its own. What is done is kept: a run that was ended goes on where it was.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Loaded, loadMonitor } from "./loaded-monitor.ts";
import { readPieces, setAside, writeWhole } from "./pieces.ts";
import { loadReport } from "./report.ts";
import type { Whereto } from "./whereto.ts";

export interface LoadWish {
  readonly seed: number;
  readonly requests: number;
  readonly requestsAPiece: number;
  /** Before the load of each piece. */
  readonly quietMs: number;
}

/** @throws where an answer was not as it should be, or a tick was missed, doubled or late. */
export async function playLoad(
  { seed, requests, requestsAPiece, quietMs }: LoadWish,
  to: Whereto,
): Promise<void> {
  const file = join(to.directory, `load-${seed}.json`);
  const pieces = readPieces<Loaded>(file);
  let state = pieces.at(-1)?.found.state ?? { seed, done: 0 };
  console.log(`load: seed ${seed}, from request ${state.done}`);
  while (state.done < requests) {
    const directory = await mkdtemp(join(tmpdir(), "gatepulse-load-"));
    const until = Math.min(requests, state.done + requestsAPiece);
    const piece = await loadMonitor({ state, until, quietMs, directory });
    const faults = [...piece.found.faults, ...piece.ticks.faults];
    if (faults.length > 0) throw new Error(`${faults.join("\n")}\nwhat is stored: ${directory}`);
    await rm(directory, { recursive: true, force: true });
    pieces.push(piece);
    writeWhole(file, JSON.stringify(pieces));
    ({ state } = piece.found);
    console.log(`load: ${state.done} done`, JSON.stringify(piece.found.statuses), `${piece.tookMs} ms`);
  }
  await to.write("load", loadReport({ seed, pieces }));
  setAside(file);
}
