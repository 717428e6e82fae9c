/**
 * `npm start` on a disk that is full while ticks run: a small file system of its own, which goes with the program. Nothing
 * that was recorded is missing afterwards, and what is wrong is said.
 */
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "./program.ts";
import { DEVICES, mayMount, mayMountExt4, mounting, skipped } from "./support/mounts.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { showing, watchedScene, type Watching } from "./support/watched-directory.ts";

/** A file that takes all the room, as seen from outside of the program's namespace. */
const fillingOf = ({ program }: Watching, persist: string): string =>
  `/proc/${program.child.pid}/root${persist}/filling`;

test
  .skipIf(!mayMount)
  .concurrent(
    `a full disk loses nothing, is told, and is no gateway's fault${skipped}`,
    async ({ onTestFinished }) => {
      const { simulator, persist, watch } = await watchedScene(onTestFinished);
      const receiver = await startReceiver();
      onTestFinished(() => receiver.stop());
      simulator.play("bad", "envelope_5000");
      const watching = await watch({
        gateways: ["good", "bad", "flips"],
        alerts: receiver.url("ops"),
        wrap: mounting(`mount -t tmpfs -o size=16m tmpfs '${persist}'`),
      });
      await showing(watching, { good: "up", bad: "down", flips: "up" });
      await toldOf(watching, receiver, "bad");
      const before = await recorded(watching);
      const filling = fillingOf(watching, persist);
      await fill(filling);
      simulator.play("flips", "envelope_5000");

      const [, failing] = await eventually(
        () => watching.health(),
        ([status]) => status === 503,
      );
      expect(failing["storage:room"]).toMatch(/^The disk is full: nothing can be written to .*ENOSPC/);
      expect(failing["storage:room"]).toContain(persist);
      await eventually(
        async () => failures(watching),
        (count) => count >= 3,
      );
      expect(watching.program.output().split("The disk is full").length - 1).toBe(1);
      const shown = await watching.status();
      expect(shown?.gateways.map(({ id, status }) => [id, status])).toEqual([
        ["good", "up"],
        ["bad", "down"],
        ["flips", "up"],
      ]);

      await rm(filling);
      await eventually(
        () => watching.health(),
        ([status]) => status === 200,
      );
      await eventually(
        () => watching.probeSoon(),
        (taken) => taken,
      );
      await showing(watching, { good: "up", bad: "down", flips: "down" });
      await toldOf(watching, receiver, "flips");
      expect(opened(receiver.at("ops")).toSorted()).toEqual(["bad", "flips"]);
      await watching.program.printed(/is over: checks go on\./);
      const after = await recorded(watching);
      for (const [id, times] of Object.entries(before))
        expect(after[id]).toEqual(expect.arrayContaining([...times]));
      // What was told is shown with the next publication.
      const incidents = await eventually(
        () => watching.incidents(),
        ({ length }) => length >= 2,
      );
      expect(incidents.toSorted((one, other) => one.gateway.localeCompare(other.gateway))).toEqual([
        { gateway: "bad", resolvedAt: null },
        { gateway: "flips", resolvedAt: null },
      ]);
    },
  );

test
  .skipIf(!mayMount)
  .concurrent(
    `a start on a full disk says so, and the monitor goes on when there is room${skipped}`,
    async ({ onTestFinished }) => {
      const { persist, watch } = await watchedScene(onTestFinished);
      const filled = `mount -t tmpfs -o size=16m tmpfs '${persist}' && ! cat /dev/zero 2>&- >'${persist}/filling'`;
      const watching = await watch({ gateways: ["good"], wrap: mounting(filled) });
      expect(watching.program.output()).toMatch(/The disk is full: nothing can be written to .*\. Make room/);
      const [status, failing] = await watching.health();
      expect([status, failing["storage:room"]]).toEqual([503, expect.stringMatching(/^The disk is full/)]);
      await rm(fillingOf(watching, persist));
      await showing(watching, { good: "up" });
      await watching.program.printed(/is over: checks go on\./);
      expect(await watching.program.stop()).toBe(0);
    },
  );

/** What a runtime has mapped into its memory may find no room on it: it dies of that, now and then. */
test
  .skipIf(!mayMountExt4)
  .concurrent(
    `on a full ext4, whether or not the runtime dies of it, the monitor says what is wrong and goes on when there is room${mayMountExt4 ? "" : " (skipped: no ext4 may be mounted here)"}`,
    async ({ onTestFinished }) => {
      const { simulator, directory, persist, watch } = await watchedScene(onTestFinished);
      const image = join(directory, "image");
      simulator.play("bad", "envelope_5000");
      const mount = `truncate -s 12m '${image}' && mkfs.ext4 -q -m 0 '${image}' && mount -o loop '${image}' '${persist}'`;
      const watching = await watch({ gateways: ["good", "bad"], wrap: mounting(mount, DEVICES) });
      await showing(watching, { good: "up", bad: "down" });
      const before = await watching.probes("good");
      const filling = fillingOf(watching, persist);
      await fill(filling);
      await eventually(
        () => watching.health(),
        ([status, failing]) => status === 503 && "storage:room" in failing,
      );
      await eventually(
        async () => failures(watching) >= 3 || watching.program.output().includes("The runtime has ended"),
        (isFelt) => isFelt,
      );
      simulator.play("good", "envelope_5000");
      await rm(filling);
      await showing(watching, { good: "down", bad: "down" });
      await watching.program.printed(/is over: checks go on\./);
      expect(await watching.probes("good")).toEqual(expect.arrayContaining([...before]));
      expect(await watching.program.stop()).toBe(0);
    },
  );

test
  .skipIf(!mayMount)
  .concurrent(
    `a start is refused, with what to do, where a directory can be neither made nor written to${skipped}`,
    async ({ onTestFinished }) => {
      const { persist, watch } = await watchedScene(onTestFinished);
      const small = mounting(`mount -t tmpfs -o nr_inodes=1 tmpfs '${persist}'`);
      const sealed = mounting(`mount -t tmpfs -o ro tmpfs '${persist}'`);
      const refused = async (wrap: readonly string[]): Promise<string> => {
        const over = watch({ gateways: ["good"], wrap, persist: join(persist, "data") });
        return over.then(
          () => "it started",
          (error: Error) => error.message,
        );
      };
      expect(await refused(small)).toContain(
        `Gatepulse cannot start: The disk is full: nothing can be written to ${persist}/data (ENOSPC). Make room there, and start again.`,
      );
      expect(await refused(sealed)).toContain(
        `Gatepulse cannot start: The disk takes nothing: nothing can be written to ${persist}/data (EROFS). Let this user write there, and start again.`,
      );
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

/** An incident opens with its second failure. */
async function toldOf(watching: Watching, receiver: Receiver, gatewayId: string): Promise<void> {
  await eventually(
    async () => {
      await watching.probeSoon();
      return opened(receiver.at("ops"));
    },
    (gateways) => gateways.includes(gatewayId),
  );
}

async function recorded(watching: Watching): Promise<Record<string, readonly string[]>> {
  const ids = ["good", "bad", "flips"];
  return Object.fromEntries(
    await Promise.all(ids.map(async (id) => [id, await watching.probes(id)] as const)),
  );
}

function failures({ program }: Watching): number {
  return program.output().split("A tick failed").length - 1;
}

/** Gateways of whose incidents' beginning somebody was told: once an id. */
function opened(arrivals: readonly { readonly body: string }[]): string[] {
  const ids = new Map<string, string>();
  for (const { body } of arrivals) {
    const { type, data } = JSON.parse(body) as {
      type: string;
      data: { incident: { id: string; gateway: string } | null };
    };
    if (type === "incident.opened" && data.incident !== null)
      ids.set(data.incident.id, data.incident.gateway);
  }
  return [...ids.values()];
}
