/** The npm package as it would be published, installed in a directory of its own, and the programs that can run it. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const run = promisify(execFile);

/** Who hangs is ended. */
const LONGEST_RUN_MS = 120_000;

export interface Installed {
  /** Where `node_modules/gatepulse` is, and nothing else is installed. */
  readonly directory: string;
  /** Of the packed file, in bytes. */
  readonly size: number;
  /** Paths of what is in it. */
  readonly files: readonly string[];
  write(name: string, text: string): Promise<string>;
  /** What the program prints. Rejects where it fails. */
  run(command: string, args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

export async function installPackage(): Promise<Installed> {
  const directory = await mkdtemp(join(tmpdir(), "gatepulse-package-"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", directory], { cwd: ROOT });
  // What `prepack` prints stands before it.
  const [packed]: Packed[] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  if (packed === undefined) throw new Error("nothing was packed");
  const target = join(directory, "node_modules", "gatepulse");
  await mkdir(target, { recursive: true });
  await run("tar", ["-xzf", join(directory, packed.filename), "--strip-components=1", "-C", target]);
  await writeFile(join(directory, "package.json"), '{"private": true, "type": "module"}\n');
  return {
    directory,
    size: packed.size,
    files: packed.files.map(({ path }) => path),
    write: async (name, text) => {
      await writeFile(join(directory, name), text);
      return join(directory, name);
    },
    run: async (command, args) => {
      const options = { cwd: directory, timeout: LONGEST_RUN_MS, env: { PATH: process.env["PATH"] } };
      return (await run(command, args, options)).stdout;
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
