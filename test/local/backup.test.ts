/** `gatepulse backup` and `gatepulse restore` as a user runs them: on this machine, at a running Gatepulse, and killed halfway. */
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { request as send } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isFull } from "../extent.ts";
import { openBackup } from "../../src/backup/backup-file.ts";
import { serveHttp } from "../probe/small-server.ts";
import { eventually, type Program, start } from "./program.ts";
import { ADMIN_TOKEN } from "./support/alerting.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { healthIn, showing, watchedScene, type Watching } from "./support/watched-directory.ts";

const GATEWAYS = ["acme", "beta"];

function gatepulse(...args: string[]): Program {
  return start("node", ["bin/gatepulse.js", ...args], { env: { ADMIN_TOKEN } });
}

/** What it prints. @throws if it ends with another code. */
async function ran(code: number, ...args: string[]): Promise<string> {
  const program = gatepulse(...args);
  const end = await program.ended();
  expect([end, program.output()]).toEqual([code, expect.any(String)]);
  return program.output();
}

/** An incident of acme is open, and the alert about it cannot be delivered. */
async function startOwing(whenOver: (clean: () => Promise<void>) => void) {
  const scene = await watchedScene(whenOver);
  const receiver = await startReceiver();
  whenOver(() => receiver.stop());
  receiver.answer("ops", { status: 500 });
  scene.simulator.play("acme", "envelope_5000");
  const watch = (persist: string, gateways: readonly string[] = GATEWAYS) =>
    scene.watch({ gateways, persist, alerts: receiver.url("ops") });
  const first = await watch(scene.persist);
  await eventually(async () => (await first.probeSoon()) && (await first.owed()) > 0);
  return { ...scene, receiver, first, watch, file: join(scene.directory, "saved.backup") };
}

const idsAt = (receiver: Receiver) => receiver.at("ops").map(({ headers }) => headers["webhook-id"]);

async function askAdmin({ address }: Watching, method: string, path: string) {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, connection: "close" };
  const answer = await fetch(`${address}/api/v1/admin/${path}`, { method, headers });
  return { status: answer.status, text: await answer.text() };
}

test("what this machine recorded goes on in another directory: history, the open incident, and each alert that was owed, once", async () => {
  const { first, watch, receiver, directory, persist, file } = await startOwing(onTestFinished);
  const busy = await ran(1, "backup", file, "--persist", persist);
  expect(busy).toMatch(
    /a running Gatepulse uses this directory: stop it, or add --url with the address of its page/u,
  );
  const probes = await first.probes("beta");
  expect(await first.program.stop()).toBe(0);
  const owed = new Set(idsAt(receiver));

  expect(await ran(0, "backup", file, "--persist", persist)).toMatch(
    /^Saved .*saved\.backup, \d+ kB without secrets: 1 Ledger, \d+ rows?, \d+ values? of KV\.\n.*npx gatepulse restore/u,
  );
  const again = await ran(1, "backup", file, "--persist", persist);
  expect(again).toContain("saved.backup exists already: choose another name, or add --force");
  await ran(0, "backup", file, "--persist", persist, "--force");
  expect((await openBackup(file, "saved")).header).toMatchObject({ from: persist, shards: [0], layout: 2 });

  const other = join(directory, "other");
  expect(await ran(0, "restore", file, "--persist", other)).toMatch(
    /^Restored the backup of 20.* UTC from .*: 1 Ledger, .*\.\nStop that installation .*\nNext: npx gatepulse start --persist .*other\n$/u,
  );
  const notEmpty = await ran(1, "restore", file, "--persist", other);
  expect(notEmpty).toMatch(/is not empty: 1 Ledger, \d+ rows?, \d+ values? of KV\. .*add --replace/u);

  const heard = receiver.at("ops").length;
  receiver.answer("ops", { status: 200 });
  const second = await watch(other);
  await eventually(async () => {
    await askAdmin(second, "POST", "alerts/replay");
    return (await second.owed()) === 0;
  });
  const told = idsAt(receiver).slice(heard);
  expect(told.length).toBe(new Set(told).size);
  expect(told).toEqual(expect.arrayContaining([...owed]));
  expect(await second.incidents()).toEqual([{ gateway: "acme", resolvedAt: null }]);
  expect(await second.probes("beta")).toEqual(expect.arrayContaining([...probes]));
});

/** Passes requests on, as long as it may. */
function startProxy(target: string, mayPass: (path: string) => boolean): Promise<string> {
  return serveHttp((incoming, outgoing) => {
    const { method, headers, url = "" } = incoming;
    if (!mayPass(url)) return void incoming.socket.destroy();
    const passed = send(`${target}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
}

describe("over HTTP", () => {
  let scene: Awaited<ReturnType<typeof startOwing>>;
  beforeAll(async () => {
    scene = await startOwing((clean) => afterAll(clean));
  });

  test("a backup that is killed halfway leaves no file of its name, and is repeated", async () => {
    const { first, directory, file } = scene;
    let killed: Program | null = null;
    const proxy = await startProxy(first.address, (path) => {
      if (!path.includes("/value")) return true;
      killed?.child.kill("SIGKILL");
      return false;
    });
    killed = gatepulse("backup", file, "--url", proxy);
    expect(await killed.ended()).toBe("SIGKILL");
    expect(existsSync(file)).toBe(false);
    await ran(0, "backup", file, "--url", first.address);
    expect((await readdir(directory)).filter((name) => name.startsWith("saved"))).toEqual(["saved.backup"]);
  });

  test("a file that was altered, the wrong token and a place without data change nothing", async () => {
    const { first, directory, file } = scene;
    const bytes = await readFile(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(`${file}-altered`, bytes);
    const [altered, other] = [`${file}-altered`, join(directory, "other")];
    expect(await ran(1, "restore", altered, "--persist", other)).toMatch(/altered or cut off/u);
    expect(await ran(1, "restore", altered, "--url", first.address, "--replace")).toMatch(
      /altered or cut off/u,
    );
    expect(existsSync(other)).toBe(false);
    expect((await first.status())?.incidents).toHaveLength(1);

    const env = { ADMIN_TOKEN: "not-the-token-of-this-monitor" };
    const stranger = start(
      "node",
      ["bin/gatepulse.js", "restore", file, "--url", first.address, "--replace"],
      {
        env,
      },
    );
    expect([await stranger.ended(), stranger.output()]).toEqual([
      1,
      `gatepulse restore: ${first.address} does not accept this ADMIN_TOKEN\n`,
    ]);
    expect(await ran(2, "backup", `${file}-2`, "--persist", other)).toMatch(
      /gatepulse start has recorded nothing in .*other\n/u,
    );
    expect(await ran(1, "backup", `${file}-2`, "--url", "http://127.0.0.1:9")).toMatch(/does not answer/u);
    expect(await ran(2, "restore")).toMatch(/FILE is missing/u);
  });

  test.runIf(isFull)(
    "a running Gatepulse is saved and restored over HTTP with checks under way, and from there on this machine",
    async () => {
      const { first, watch, directory, simulator, file } = scene;
      const [{ id } = { id: "none" }] = (await first.status())?.incidents ?? [];
      expect(await first.program.stop()).toBe(0);

      // It checks a gateway that the backup does not know, and lacks one that it knows. One answer is always under way.
      simulator.play("acme", "healthy");
      simulator.play("gamma", "delay_1500");
      const second = await watch(join(directory, "second"), ["beta", "gamma"]);
      await eventually(
        () => second.status(),
        (seen) => healthIn(seen, "gamma") === "up",
      );
      expect(await ran(1, "restore", file, "--url", second.address)).toMatch(/is not empty: 1 Ledger, /u);
      expect((await second.status())?.incidents).toEqual([]);

      const replaced = await ran(0, "restore", file, "--url", second.address, "--replace");
      expect(replaced).toMatch(
        /^Replacing what http:.* has: 1 Ledger, \d+ rows?.*\nRestored .*\n.*\nThe next check goes on from there\.\n$/u,
      );
      // What the configuration does not have ends, as always.
      const ended = await eventually(
        () => second.incidents(),
        (all) => all.some(({ resolvedAt }) => resolvedAt !== null),
      );
      expect(ended).toEqual([{ gateway: "acme", resolvedAt: expect.any(String) }]);
      const both = await eventually(
        () => second.status(),
        (seen) => healthIn(seen, "gamma") === "up",
      );
      expect(both?.gateways.map((gateway) => gateway.id)).toEqual(["beta", "gamma"]);

      const back = join(directory, "back.backup");
      await ran(0, "backup", back, "--url", second.address);
      expect(await second.program.stop()).toBe(0);
      const third = join(directory, "third");
      await ran(0, "restore", back, "--persist", third);
      const here = await watch(third, ["beta", "gamma"]);
      const answer = await fetch(`${here.address}/api/v1/incidents/${id}`);
      expect(await answer.json()).toMatchObject({ id, gateway: "acme" });
      expect(await here.program.stop()).toBe(0);
    },
  );

  test("a restore that is killed halfway leaves nothing that checks or sends, says so, and is repeated", async () => {
    const { watch, receiver, directory, file } = scene;
    const target = await watch(join(directory, "target"), ["beta"]);
    await eventually(
      () => target.status(),
      (seen) => healthIn(seen, "beta") === "up",
    );
    let killed: Program | null = null;
    const proxy = await startProxy(target.address, (path) => {
      if (!path.includes("step=rows")) return true;
      killed?.child.kill("SIGKILL");
      return false;
    });
    expect(await ran(1, "restore", file, "--url", proxy, "--replace")).toMatch(
      /does not answer\. Run the restore again: until it ends, nothing is checked\n$/u,
    );
    killed = gatepulse("restore", file, "--url", proxy);
    expect(await killed.ended()).toBe("SIGKILL");

    const heard = receiver.at("ops").length;
    const halfway =
      /a restore is under way, and nothing is checked until it ends: if it was interrupted, run gatepulse restore again/u;
    await target.program.printed(/A tick failed/u);
    expect(await askAdmin(target, "GET", "alerts")).toEqual({
      status: 409,
      text: expect.stringMatching(halfway),
    });
    expect(target.program.output()).toMatch(halfway);
    expect(await ran(1, "backup", `${file}-2`, "--url", target.address)).toMatch(halfway);
    expect(existsSync(`${file}-2`)).toBe(false);
    expect(receiver.at("ops").length).toBe(heard);

    // What was there is gone, so nothing has to be replaced.
    const again = await ran(0, "restore", file, "--url", target.address);
    expect(again).toMatch(/^An earlier restore of http:.* did not end\. This one begins again\.\nRestored /u);
    await eventually(
      () => target.incidents(),
      (all) => all.length === 1,
    );
  });
});

const NINE = ["g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8"];
const allUp = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, "up"]));

test.runIf(isFull)(
  "the number of shards may differ: gateways stay where the backup has them, and new ones find a place",
  async () => {
    const { watch, directory } = await watchedScene(onTestFinished);
    const probesOf = (watching: Watching, ids: readonly string[]) =>
      Promise.all(ids.map((id) => watching.probes(id)));
    const [three, one] = [join(directory, "three.backup"), join(directory, "one.backup")];

    const first = await watch({ gateways: NINE, shards: 3 });
    await showing(first, allUp(NINE));
    const before = await probesOf(first, NINE);
    expect(await ran(0, "backup", three, "--url", first.address)).toMatch(/^Saved .*: 3 Ledgers, /u);

    // Fewer shards, and a gateway that the backup does not know.
    const more = [...NINE, "g9"];
    const fewer = join(directory, "fewer");
    await ran(0, "restore", three, "--persist", fewer);
    const second = await watch({ gateways: more, shards: 1, persist: fewer });
    await showing(second, allUp(more));
    const after = await probesOf(second, NINE);
    for (const [n, probes] of before.entries()) expect(after[n]).toEqual(expect.arrayContaining([...probes]));
    expect(await second.program.stop()).toBe(0);

    // More shards, which have other gateways by then.
    const small = await watch({ gateways: NINE.slice(0, 4), shards: 1, persist: join(directory, "small") });
    await showing(small, allUp(NINE.slice(0, 4)));
    const few = await probesOf(small, NINE.slice(0, 4));
    await ran(0, "backup", one, "--url", small.address);
    expect(await small.program.stop()).toBe(0);
    const replaced = await ran(0, "restore", one, "--url", first.address, "--replace");
    expect(replaced).toMatch(/^Replacing what .*\nRestored .*: 1 Ledger, /u);
    await showing(first, allUp(NINE));
    const now = await probesOf(first, NINE);
    for (const [n, probes] of few.entries()) expect(now[n]).toEqual(expect.arrayContaining([...probes]));
    // Nothing of what was there before is left.
    for (const [n, probes] of before.entries())
      expect(now[n]).not.toEqual(expect.arrayContaining([...probes]));
    expect(first.program.output()).not.toMatch(/no state found for what was published/u);
  },
);
