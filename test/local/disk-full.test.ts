/** `npm start` on a small file system that is full while ticks run. Nothing that was recorded is missing afterwards. */
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "./program.ts";
import { showing, watchedScene } from "./support/watched-directory.ts";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";

/** A namespace in which mounting is allowed. */
const PRIVATE = ["unshare", "--mount", "--map-root-user"];

const mayMount = succeeds([...PRIVATE, "mount", "-t", "tmpfs", "tmpfs", tmpdir()]);

/** Behind the name of a test. */
const skipped = mayMount ? "" : " (skipped: nothing may be mounted here)";

/** What starts a program, with its words behind it, after the shell has mounted. */
function mounting(script: string): readonly string[] {
  return [...PRIVATE, "sh", "-c", `${script} && exec "$@"`, "sh"];
}

function succeeds([command = "", ...args]: readonly string[]): boolean {
  return spawnSync(command, args).status === 0;
}

const mounted = test.skipIf(!mayMount).concurrent;

mounted(`a full disk loses nothing, and is no gateway's fault${skipped}`, async ({ onTestFinished }) => {
  const { simulator, persist, watch } = await watchedScene(onTestFinished);
  const watching = await watch({
    gateways: ["good", "flips"],
    wrap: mounting(`mount -t tmpfs -o size=16m tmpfs '${persist}'`),
  });
  await showing(watching, { good: "up", flips: "up" });
  const before = await watching.probes("flips");
  // As seen from outside of the program's namespace.
  const filling = `/proc/${watching.program.child.pid}/root${persist}/filling`;
  await fill(filling);
  simulator.play("flips", "envelope_5000");
  await eventually(() => watching.program.output().split("A tick failed").length > 3);
  await showing(watching, { good: "up", flips: "up" });

  await rm(filling);
  await eventually(() => watching.probeSoon());
  await showing(watching, { good: "up", flips: "down" });
  expect(await watching.probes("flips")).toEqual(expect.arrayContaining([...before]));
});

mounted(
  `a start is refused, with what to do, where a directory cannot be made, or takes nothing${skipped}`,
  async ({ onTestFinished }) => {
    const { persist, watch } = await watchedScene(onTestFinished);
    const small = mounting(`mount -t tmpfs -o nr_inodes=1 tmpfs '${persist}'`);
    const sealed = mounting(`mount -t tmpfs -o ro tmpfs '${persist}'`);
    const over = (wrap: readonly string[]) =>
      watch({ gateways: ["good"], wrap, persist: join(persist, "data") });
    const filled = `mount -t tmpfs -o size=16m tmpfs '${persist}' && mkdir '${persist}/data' && ! cat /dev/zero 2>&- >'${persist}/filling'`;
    const problem = `Gatepulse cannot start: nothing can be written to ${persist}/data`;
    const full = `${problem} (ENOSPC: `;
    await expect(over(mounting(filled))).rejects.toThrow(full);
    await expect(over(small)).rejects.toThrow(full);
    await expect(over(sealed)).rejects.toThrow(problem);
  },
);

/** To the last byte. */
async function fill(path: string): Promise<void> {
  const file = await open(path, "w");
  for (let bytes = 1024 * 1024; bytes >= 1;) {
    const isFull = await file.write(new Uint8Array(bytes)).then(
      ({ bytesWritten }) => bytesWritten === 0,
      () => true,
    );
    if (isFull) bytes = Math.floor(bytes / 2);
  }
  await file.sync().catch(() => undefined);
  await file.close();
}
