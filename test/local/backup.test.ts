/** `gatepulse backup` and `gatepulse restore` as a user runs them: on this machine, at a running Gatepulse, and killed halfway. */
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { request as send } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openBackup } from "../../src/backup/backup-file.ts";
import { serveHttp } from "../probe/small-server.ts";
import { eventually, type Program, start } from "./program.ts";
import { ADMIN_TOKEN, SIGNING_SECRET } from "./support/alerting.ts";
import { findLeaks } from "./support/leaks.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { healthIn, watchedScene, type Watching } from "./support/watched-directory.ts";

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
async function startOwing() {
  const scene = await watchedScene(onTestFinished);
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
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
  const { first, watch, receiver, directory, persist, file } = await startOwing();
  const busy = await ran(1, "backup", file, "--persist", persist);
  expect(busy).toMatch(/a running Gatepulse uses this directory: stop it, or add --url http:/u);
  const probes = await first.probes("beta");
  expect(await first.program.stop()).toBe(0);
  const owed = new Set(idsAt(receiver));

  expect(await ran(0, "backup", file, "--persist", persist)).toMatch(
    /^Saved 1 Ledger with \d+ rows, and \d+ values? of KV in .*saved\.backup: \d+ kB, without secrets\.\n.*gatepulse restore/u,
  );
  const again = await ran(1, "backup", file, "--persist", persist);
  expect(again).toContain("saved.backup exists already: choose another name, or add --force");
  await ran(0, "backup", file, "--persist", persist, "--force");
  const secrets = [ADMIN_TOKEN, SIGNING_SECRET, receiver.url("ops")];
  const { header, lines } = await openBackup(file, "saved");
  expect(header).toMatchObject({ from: persist, shards: [0], layout: 2 });
  for await (const line of lines()) {
    const bytes = Buffer.from(
      "base64" in line ? line.base64 : JSON.stringify(line),
      "base64" in line ? "base64" : "utf8",
    );
    expect(findLeaks([{ name: "line", bytes }], secrets)).toEqual([]);
  }

  const other = join(directory, "other");
  expect(await ran(0, "restore", file, "--persist", other)).toMatch(
    /^Restored 1 Ledger .* UTC from .*\nStop that installation .*\nNext: gatepulse start\n$/u,
  );
  const notEmpty = await ran(1, "restore", file, "--persist", other);
  expect(notEmpty).toMatch(/is not empty\. It has .*checks.*alerts to send.*add --replace/u);

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

test("a running Gatepulse is saved and restored over HTTP with checks under way, and from there on this machine", async () => {
  const { first, watch, directory, simulator, file } = await startOwing();
  await ran(0, "backup", file, "--url", first.address);
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
  expect(await ran(1, "restore", file, "--url", second.address)).toMatch(/is not empty\. It has checks/u);
  expect((await second.status())?.incidents).toEqual([]);

  const replaced = await ran(0, "restore", file, "--url", second.address, "--replace");
  expect(replaced).toMatch(
    /^Replacing what http:.* has: .*checks.*\nRestored .*\n.*\nThe next check goes on from there\.\n$/u,
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

test("a restore that is killed halfway leaves nothing that checks or sends, says so, and is repeated", async () => {
  const { first, watch, receiver, directory, file } = await startOwing();
  await ran(0, "backup", file, "--url", first.address);
  expect(await first.program.stop()).toBe(0);

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
  killed = gatepulse("restore", file, "--url", proxy, "--replace");
  expect(await killed.ended()).toBe("SIGKILL");

  const heard = receiver.at("ops").length;
  const halfway =
    /a restore has begun and has not ended: run gatepulse restore again; nothing is checked until then/u;
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

test("a backup that is killed halfway leaves no file of its name, and is repeated", async () => {
  const { first, directory, file } = await startOwing();
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
  const { first, directory, file } = await startOwing();
  await ran(0, "backup", file, "--url", first.address);
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
  const stranger = start("node", ["bin/gatepulse.js", "restore", file, "--url", first.address, "--replace"], {
    env,
  });
  expect([await stranger.ended(), stranger.output()]).toEqual([
    1,
    `gatepulse restore: ${first.address} does not accept this ADMIN_TOKEN\n`,
  ]);
  expect(await ran(2, "backup", `${file}-2`, "--persist", other)).toMatch(/has nothing to save/u);
  expect(await ran(1, "backup", `${file}-2`, "--url", "http://127.0.0.1:9")).toMatch(/does not answer/u);
  expect(await ran(2, "restore")).toMatch(/name one file/u);
});
