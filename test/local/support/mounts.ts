/** File systems of a test's own, which go with the program that mounts them. */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";

/** A namespace in which mounting is allowed. */
const PRIVATE = ["unshare", "--mount", "--map-root-user"];

export const mayMount = succeeds([...PRIVATE, "mount", "-t", "tmpfs", "tmpfs", tmpdir()]);

/** Behind the name of a test. */
export const skipped = mayMount ? "" : " (skipped: nothing may be mounted here)";

/** What starts a program, with its words behind it, after the shell has mounted. */
export function mounting(script: string): readonly string[] {
  return [...PRIVATE, "sh", "-c", `${script} && exec "$@"`, "sh"];
}

function succeeds([command = "", ...args]: readonly string[]): boolean {
  return spawnSync(command, args).status === 0;
}
