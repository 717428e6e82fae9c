/** The package as it would be published. */
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { lockDirectory } from "../../../src/local/persist-dir.ts";
import { packagePath } from "../../../src/package/root.ts";
import { eventually } from "../program.ts";

/** What `npm pack` says of what it made. */
export interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

const execute = promisify(execFile);

/** Builds it first. Tests that run at the same time wait for each other: all build in `dist/`. */
export async function pack(directory: string): Promise<Packed> {
  const built = packagePath(".tsbuild");
  mkdirSync(built, { recursive: true });
  const release = await eventually(() => lockDirectory(built));
  try {
    return await npmPack(packagePath(), directory);
  } finally {
    release?.();
  }
}

/** @param source a package, as it is or as npm unpacked it. */
export async function npmPack(
  source: string,
  directory: string,
  ...more: readonly string[]
): Promise<Packed> {
  const args = ["pack", "--json", "--pack-destination", directory, ...more];
  const { stdout } = await execute("npm", args, { cwd: source, maxBuffer: 16 * 1024 * 1024 });
  // What `prepack` prints is before it.
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as [Packed];
  return { ...packed, filename: join(directory, packed.filename) };
}
