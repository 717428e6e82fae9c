/** File systems of a test's own, which go with the program that mounts them. */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";

/** A namespace of one's own, where one may mount. */
const PRIVATE = ["unshare", "--mount", "--map-root-user"];
/** As `PRIVATE`, where devices may be mounted too: only the system's root may. */
export const DEVICES: readonly string[] = ["unshare", "--mount"];

export const mayMount = succeeds([...PRIVATE, "mount", "-t", "tmpfs", "tmpfs", tmpdir()]);

/** Behind the name of a test. */
export const skipped = mayMount ? "" : " (skipped: nothing may be mounted here)";

const TRY_EXT4 =
  'image=$(mktemp) && truncate -s 4m "$image" && mkfs.ext4 -q "$image" && unshare --mount sh -c "mount -o loop $image $(dirname "$image")"; code=$?; rm -f "$image"; exit $code';

export const mayMountExt4 = succeeds(["sh", "-c", TRY_EXT4]);

/** What starts a program, with its words behind it, after the shell has mounted. */
export function mounting(script: string, namespace: readonly string[] = PRIVATE): readonly string[] {
  return [...namespace, "sh", "-c", `${script} && exec "$@"`, "sh"];
}

function succeeds([command = "", ...args]: readonly string[]): boolean {
  return spawnSync(command, args).status === 0;
}
