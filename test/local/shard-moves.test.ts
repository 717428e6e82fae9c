/** `npm start` with another number of shards each time: history stays whole, and each alert comes once. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type StatusDocument, statusSchema } from "../../src/history/documents.ts";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import { type Simulator, startSimulator } from "../../src/local/simulator/simulator.ts";
import { isFull } from "../extent.ts";
import { eventually, type Program, start } from "./program.ts";
import { ADMIN_TOKEN, linesAt, SIGNING_SECRET, toldAt } from "./support/alerting.ts";
import { fetchDescribed } from "./support/described-fetch.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";

const EVENTS = ["incident.opened", "incident.updated", "incident.resolved"];
/** With 3 shards `papa` is 1's, `north` and `two` are 2's; with 2 `papa` and `two` are 1's; `neo` is always 0's. */
const IDS = ["neo", "papa", "north", "two"];

let directory: string;
let simulator: Simulator;
let receiver: Receiver;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatepulse-moves-"));
  [simulator, receiver] = await Promise.all([startSimulator(), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([simulator.close(), receiver.stop()]);
  await rm(directory, { recursive: true });
});

async function monitor(shards: number): Promise<{ program: Program; page: string }> {
  const file = join(directory, `${shards}.json`);
  const config = {
    title: "Moves",
    plan: "paid",
    shards,
    open: 1,
    close: 1,
    gateways: IDS.map((id) => ({ id, baseUrl: simulator.named(id), apiKey: "KEY" })),
    // A second from tick to tick makes a silence of every start.
    alerts: [{ kind: "webhook", url: "ALERT_URL", secret: "ALERT_SECRET", only: { event: EVENTS } }],
  };
  await writeFile(file, JSON.stringify(config));
  const args = ["--config", file, "--port", "0", "--tick", "1", "--persist", join(directory, "kept")];
  const secrets = { ALERT_URL: receiver.url("ops"), ALERT_SECRET: SIGNING_SECRET };
  const env = { KEY: SIMULATOR_KEYS.good, ...secrets, ADMIN_TOKEN };
  const program = start("node", ["src/local/start.ts", ...args], { env });
  const [, page = ""] = await program.printed(/(http:\/\/127\.0\.0\.1:\d+)\//);
  return { program, page };
}

async function statusOf(page: string): Promise<StatusDocument | null> {
  const answer = await fetchDescribed(`${page}/api/v1/status`);
  return answer.ok ? statusSchema.parse(await answer.json()) : null;
}

const healthsOf = (status: StatusDocument | null) =>
  status?.gateways.map(({ id, status: health }) => `${id} ${health}`) ?? [];

async function untilShown(page: string, healths: readonly string[]): Promise<void> {
  const isShown = (status: StatusDocument | null) => healthsOf(status).join() === healths.join();
  await eventually(() => statusOf(page), isShown);
}

/** A probe in the next tick, not in a minute. An order is refused while the gateway is on its way to its shard. */
async function probeNow(page: string, id: string): Promise<void> {
  const order = async () =>
    fetchDescribed(`${page}/api/v1/admin/gateways/${id}/monitors/models/probe`, {
      method: "POST",
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    });
  await eventually(order, ({ status }) => status === 200);
}

async function probesOf(page: string, id: string): Promise<readonly string[]> {
  const answer = await fetchDescribed(`${page}/api/v1/gateways/${id}/monitors/models/history?step=probe`);
  if (!answer.ok) return [];
  const { points } = (await answer.json()) as { points: { at: string; health: string }[] };
  return points.map(({ at, health }) => `${at} ${health}`);
}

async function allProbes(page: string): Promise<readonly string[]> {
  const all = await Promise.all(
    IDS.map(async (id) => (await probesOf(page, id)).map((line) => `${id} ${line}`)),
  );
  return all.flat();
}

async function untilWhole(
  page: string,
  before: readonly string[],
  atLeast: number,
): Promise<readonly string[]> {
  const isWhole = (now: readonly string[]) =>
    now.length >= atLeast && before.every((line) => now.includes(line));
  return eventually(() => allProbes(page), isWhole);
}

const arrived = (count: number) =>
  eventually(
    async () => receiver.at("ops").length,
    (length) => length >= count,
  );

test("with 1 shard, then 3, then 2; by default the last two", async () => {
  let before: readonly string[] = [];
  const hurt = async (page: string, ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      simulator.play(id, "balance_402");
      await probeNow(page, id);
      await arrived(IDS.indexOf(id) === 1 ? 1 : 2);
    }
  };
  if (isFull) {
    const first = await monitor(1);
    try {
      await untilShown(first.page, ["neo up", "papa up", "north up", "two up"]);
      await hurt(first.page, ["papa"]);
      await untilShown(first.page, ["neo up", "papa blocked", "north up", "two up"]);
      before = await eventually(
        () => allProbes(first.page),
        (lines) => lines.length >= 5,
      );
    } finally {
      expect(await first.program.stop()).toBe(0);
    }
  }
  const second = await monitor(3);
  try {
    await untilShown(second.page, ["neo up", isFull ? "papa blocked" : "papa up", "north up", "two up"]);
    await hurt(second.page, isFull ? ["two"] : ["papa", "two"]);
    await untilShown(second.page, ["neo up", "papa blocked", "north up", "two blocked"]);
    before = await untilWhole(second.page, before, 6);
  } finally {
    expect(await second.program.stop("SIGKILL")).toBe("SIGKILL");
  }
  const third = await monitor(2);
  try {
    await untilShown(third.page, ["neo up", "papa blocked", "north up", "two blocked"]);
    for (const [index, id] of ["papa", "two"].entries()) {
      simulator.play(id, "healthy");
      await probeNow(third.page, id);
      await arrived(3 + index);
    }
    await untilShown(third.page, ["neo up", "papa up", "north up", "two up"]);
    await untilWhole(third.page, before, 8);
    expect(linesAt(receiver, "ops")).toEqual([
      "incident.opened papa",
      "incident.opened two",
      "incident.resolved papa",
      "incident.resolved two",
    ]);
    const [opened, , resolved] = toldAt(receiver, "ops").map(({ data }) => data.incident?.id);
    expect(opened).toBe(resolved);
  } finally {
    expect(await third.program.stop()).toBe(0);
  }
});
