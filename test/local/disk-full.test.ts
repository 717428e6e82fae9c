/**
 * `npm start` on a disk that is full while ticks run: a small file system of its own, which goes with the program. Nothing
 * that was recorded is missing afterwards.
 */
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "./program.ts";
import { mayMount, mounting, skipped } from "./support/mounts.ts";
import { toldIn } from "./support/alerting.ts";
import { type Arrival, type Receiver, startReceiver } from "./support/receiver.ts";
import { showing, watchedScene, type Watching } from "./support/watched-directory.ts";

const mounted = test.skipIf(!mayMount).concurrent;

/** A file that takes all the room, as seen from outside of the program's namespace. */
const fillingOf = ({ program }: Watching, persist: string): string =>
  `/proc/${program.child.pid}/root${persist}/filling`;

mounted(`a full disk loses nothing, and is no gateway's fault${skipped}`, async ({ onTestFinished }) => {
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

  await eventually(() => failures(watching) >= 3);
  const shown = (await watching.status())?.gateways.map(({ id, status }) => `${id} ${status}`);
  expect(shown).toEqual(["good up", "bad down", "flips up"]);

  await rm(filling);
  await eventually(() => watching.probeSoon());
  await showing(watching, { good: "up", bad: "down", flips: "down" });
  await toldOf(watching, receiver, "flips");
  expect(opened(receiver.at("ops")).toSorted()).toEqual(["bad", "flips"]);
  const after = await recorded(watching);
  for (const [id, times] of Object.entries(before))
    expect(after[id]).toEqual(expect.arrayContaining([...times]));
  // What was told is shown with the next publication.
  const incidents = await eventually(
    () => watching.incidents(),
    ({ length }) => length >= 2,
  );
  const seen = incidents.map(({ gateway, resolvedAt }) => `${gateway} ${resolvedAt}`);
  expect(seen.toSorted()).toEqual(["bad null", "flips null"]);
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
    const full = `Gatepulse cannot start: The disk is full: nothing can be written to ${persist}/data (ENOSPC). Make room there, and start again.`;
    await expect(over(mounting(filled))).rejects.toThrow(full);
    await expect(over(small)).rejects.toThrow(full);
    await expect(over(sealed)).rejects.toThrow(
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
  await eventually(async () => {
    await watching.probeSoon();
    return opened(receiver.at("ops")).includes(gatewayId);
  });
}

async function recorded(watching: Watching): Promise<Record<string, readonly string[]>> {
  const seen = ["good", "bad", "flips"].map(async (id) => [id, await watching.probes(id)] as const);
  return Object.fromEntries(await Promise.all(seen));
}

function failures({ program }: Watching): number {
  return program.output().split("A tick failed").length - 1;
}

/** Gateways of whose incidents' beginning somebody was told: once an id. */
function opened(arrivals: readonly Arrival[]): readonly string[] {
  const told = arrivals.map(toldIn).filter(({ type }) => type === "incident.opened");
  const ids = new Map(told.map(({ data: { incident } }) => [incident?.id, incident?.gateway ?? ""]));
  return [...ids.values()];
}
