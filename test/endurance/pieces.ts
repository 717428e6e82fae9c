/** What a part has done so far, kept whole or not at all: a run may be killed while it writes. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export function writeWhole(file: string, data: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, data);
  renameSync(`${file}.new`, file);
}

export function readPieces<Piece>(file: string): Piece[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Piece[]) : [];
}

/** A part that is over begins anew the next time: else it would tell old figures as those of newer code. */
export function setAside(path: string): void {
  const done = path.replace(/(?=\.json$)|$/u, "-done");
  rmSync(done, { recursive: true, force: true });
  renameSync(path, done);
}
