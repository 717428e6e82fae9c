/**
 * The local runner killed at random moments under load, as often as one likes: the whole tree at once, its runtime alone, or
 * its own process alone. What was stored before a kill is there after it; in the end incidents and alerts are what the
 * samples say.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import { type Simulator, startSimulator } from "../../src/simulator/simulator.ts";
import { type Receiver, startReceiver } from "../local/support/receiver.ts";
import { workerdProcesses } from "../local/support/processes.ts";
import { chanceOf } from "../fixtures/chance-of.ts";
import { ADMIN_TOKEN, look, LONGEST_ANSWER_MS, orderAll, owedBy, statusOf } from "./runner-client.ts";
import { lostBetween, strayEvents, strayIncidents } from "./kills-faults.ts";
import { type StoredLedger, storedLedger } from "./stored-ledger.ts";

const SIGNING_SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;

export interface KillsState {
  readonly seed: number;
  readonly done: number;
}

export interface KillsFound {
  readonly state: KillsState;
  readonly kills: Readonly<Record<Kind, number>>;
  readonly samples: number;
  readonly incidents: number;
  readonly alerts: number;
  /** In words; none: all is as it should be. */
  readonly faults: readonly string[];
}

const KINDS = ["tree", "runtime", "node"] as const;
type Kind = (typeof KINDS)[number];

const GATEWAYS = ["good", "bad", "flips"] as const;
const READY_WITHIN_MS = 60_000;

interface House {
  readonly directory: string;
  readonly simulator: Simulator;
  readonly receiver: Receiver;
  readonly random: () => number;
}

/** Kills until so many are done, in a directory of its own that is empty. */
export async function killMonitor(state: KillsState, count: number, directory: string): Promise<KillsFound> {
  const [simulator, receiver] = await Promise.all([startSimulator(), startReceiver()]);
  const house = { directory, simulator, receiver, random: chanceOf(state.seed + state.done) };
  const kills = { tree: 0, runtime: 0, node: 0 };
  const faults: string[] = [];
  let seen: StoredLedger = { samples: new Map(), resolved: [], open: [] };
  try {
    await writeConfig(house);
    simulator.play("bad", "envelope_5000");
    for (let n = state.done; n < count; n += 1) {
      simulator.play("flips", n % 2 === 0 ? "healthy" : "envelope_5000");
      const kind = KINDS[Math.floor(house.random() * KINDS.length)] ?? "tree";
      kills[kind] += 1;
      const what = `kill ${n} (${kind}), seed ${state.seed}`;
      const lived = await liveAndDie(house, kind);
      const stored = storedLedger(directory);
      faults.push(...[...lived, ...lostBetween(seen, stored)].map((fault) => `${what}: ${fault}`));
      seen = stored;
    }
    const last = await settle(house);
    faults.push(...last.faults);
    const { samples, incidents, alerts } = last;
    return { state: { ...state, done: count }, kills, samples, incidents, alerts, faults };
  } finally {
    await Promise.all([simulator.close(), receiver.stop()]);
  }
}

async function writeConfig({ directory, simulator, receiver }: House): Promise<void> {
  await mkdir(directory, { recursive: true });
  const gateways = GATEWAYS.map((id) => ({ id, baseUrl: simulator.named(id), apiKey: "KEY" }));
  const alerts = [{ kind: "webhook", id: "ops", url: "URL_OPS", secret: "SIGNING" }];
  const config = { title: "Killed", plan: "paid", flapping: false, remindEvery: false, gateways, alerts };
  await writeFile(join(directory, "config.json"), JSON.stringify(config));
  const secrets = {
    KEY: SIMULATOR_KEYS.good,
    SIGNING: SIGNING_SECRET,
    URL_OPS: receiver.url("ops"),
    ADMIN_TOKEN,
  };
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
  await writeFile(join(directory, ".dev.vars"), lines.join(""), { mode: 0o600 });
}

interface Running {
  readonly child: ChildProcess;
  readonly address: string;
  readonly output: () => string;
  /** When it is over, and its last words have come. */
  readonly closed: Promise<unknown>;
}

/** A process group of its own, so that all of it can die at once. */
async function startMonitor({ directory }: House): Promise<Running> {
  const args = ["src/local/start.ts", "--port", "0", "--tick", "1"];
  const files = ["--config", join(directory, "config.json"), "--persist", join(directory, "data")];
  const child = spawn("node", [...args, ...files], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    // It ends with the process that started it, as it does below npm.
    env: { ...process.env, npm_lifecycle_event: "start" },
  });
  const closed = once(child, "close");
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => (text = `${text}${chunk}`.slice(-20_000)));
  }
  const address = await until(
    () => /http:\/\/127\.0\.0\.1:\d+(?=\/)/u.exec(text)?.[0] ?? null,
    () => text,
  );
  return { child, address, output: () => text, closed };
}

/** Starts the monitor, looks whether its page is true, loads it, and kills it in some way. @returns faults. */
async function liveAndDie(house: House, kind: Kind): Promise<string[]> {
  const running = await startMonitor(house);
  const faults: string[] = [];
  const isOver = { yet: false };
  try {
    faults.push(...(await untruths(running)));
    const load = Promise.all([loadPages(running, isOver, faults), orderProbes(running, isOver)]);
    await sleep(500 + house.random() * 3500);
    if (kind === "runtime") {
      const [runtime] = workerdProcesses(running.child.pid);
      if (runtime === undefined) throw new Error("no runtime runs");
      process.kill(runtime, "SIGKILL");
      isOver.yet = true;
      await load;
      await goesOn(house, running);
    }
    isOver.yet = true;
    end(running.child, kind === "node" ? "node" : "tree");
    await load;
  } finally {
    end(running.child, "tree");
    await running.closed;
  }
  return faults;
}

/** The runner starts another runtime by itself, and its ticks probe every gateway. */
async function goesOn({ simulator }: House, running: Running): Promise<void> {
  const before = simulator.requests.length;
  await until(async () => {
    await orderAll(running.address, GATEWAYS);
    const asked = new Set(simulator.requests.slice(before).map(({ gateway }) => gateway));
    return asked.size === GATEWAYS.length || null;
  }, running.output);
}

function end({ pid, exitCode, signalCode }: ChildProcess, how: "tree" | "node"): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(how === "tree" ? -pid : pid, "SIGKILL");
}

/** The page comes to show the gateways that never change as they are, and never anything else. */
async function untruths(running: Running): Promise<string[]> {
  const faults = new Set<string>();
  await until(async () => {
    const status = await statusOf(running.address);
    if (status === null) return null;
    if (status.stale) faults.add("the page is stale after a restart");
    const shown = status.gateways.filter(({ id }) => Object.hasOwn(RIGHT, id));
    for (const { id, status: health } of shown) {
      if (health !== "unknown" && health !== RIGHT[id]) faults.add(`${id} is shown as ${health}`);
    }
    return shown.every(({ status: health }) => health !== "unknown") || null;
  }, running.output);
  return [...faults];
}

const RIGHT: Readonly<Record<string, string>> = { good: "up", bad: "down" };

const PATHS = ["/", "/api/v1/status", "/api/v1/gateways/good/monitors/models/history?step=probe", "/metrics"];

/** Until it dies, or just before: what breaks off then is no fault. */
async function loadPages({ address }: Running, isOver: { yet: boolean }, faults: string[]): Promise<void> {
  for (let n = 0; !isOver.yet; n += 1) {
    const path = PATHS[n % PATHS.length] ?? "/";
    const seen = await look(`${address}${path}`);
    if (seen === "hangs") faults.push(`${path} did not answer within ${LONGEST_ANSWER_MS} ms`);
    else if (seen !== "broken" && seen !== 200 && !isOver.yet && seen !== 502)
      faults.push(`${path} answered ${seen}`);
  }
}

/** Each monitor is due with the next tick, so that every tick probes all. */
async function orderProbes(running: Running, isOver: { yet: boolean }): Promise<void> {
  while (!isOver.yet) {
    await orderAll(running.address, GATEWAYS);
    await sleep(200);
  }
}

interface Settled {
  readonly samples: number;
  readonly incidents: number;
  readonly alerts: number;
  readonly faults: readonly string[];
}

/** One more life, in peace: incidents are those of the samples, and of each its beginning and its end arrived. */
async function settle(house: House): Promise<Settled> {
  const running = await startMonitor(house);
  try {
    await until(async () => {
      await orderAll(running.address, GATEWAYS);
      return (await owedBy(running.address)) === 0 || null;
    }, running.output);
    await endInPeace(running);
  } finally {
    end(running.child, "tree");
    await running.closed;
  }
  const stored = storedLedger(house.directory);
  const events = eventsOf(house.receiver);
  const samples = [...stored.samples.values()].reduce((sum, of) => sum + of.length, 0);
  const incidents = stored.resolved.length + stored.open.length;
  return {
    samples,
    incidents,
    alerts: events.size,
    faults: [...strayIncidents(stored), ...strayEvents(stored, events)],
  };
}

async function endInPeace({ child, output }: Running): Promise<void> {
  child.kill("SIGTERM");
  await until(() => child.exitCode, output);
}

/** Of each incident and type, the ids under which it arrived. */
function eventsOf(receiver: Receiver): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { body, headers } of receiver.at("ops")) {
    const { type, data } = JSON.parse(body) as { type: string; data: { incident: { id: string } | null } };
    if (!type.startsWith("incident.") || data.incident === null) continue;
    const event = `${data.incident.id} ${type}`;
    found.set(event, (found.get(event) ?? new Set()).add(String(headers["webhook-id"])));
  }
  return found;
}

/** Asks until there is an answer. @throws with what was printed, when none comes. */
async function until<Value>(
  ask: () => Promise<Value | null> | Value | null,
  output: () => string,
): Promise<Value> {
  const endMs = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const value = await ask();
    if (value !== null) return value;
    if (Date.now() > endMs) throw new Error(`the monitor did not come so far:\n${output()}`);
    await sleep(50);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
