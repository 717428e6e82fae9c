/**
 * The local runner killed at random moments under load, as often as you like: the whole tree at once, its runtime alone, or
 * its own process alone. What was stored before a kill is there after it; in the end incidents and alerts are what the
 * samples say.
 */
import { join } from "node:path";
import { type Simulator, startSimulator } from "../../src/simulator/simulator.ts";
import { type Receiver, startReceiver } from "../local/support/receiver.ts";
import { eventually } from "../local/program.ts";
import { workerdProcesses } from "../local/support/processes.ts";
import { startWatching, type Watching } from "../local/support/watched-directory.ts";
import { chanceOf } from "../fixtures/chance-of.ts";
import { lostBetween, strayEvents, strayIncidents } from "./kills-faults.ts";
import { type StoredLedger, storedLedger } from "./stored-ledger.ts";

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
/** As long as a patient client waits. */
const LONGEST_ANSWER_MS = 30_000;

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

function startMonitor({ directory, simulator, receiver }: House): Promise<Watching> {
  return startWatching({
    simulator,
    gateways: GATEWAYS,
    directory,
    persist: join(directory, "data"),
    alerts: receiver.url("ops"),
    // It ends with the process that started it, as it does below npm.
    env: { npm_lifecycle_event: "start" },
  });
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
      const runtimes = workerdProcesses(running.program.child.pid);
      if (runtimes.length === 0) throw new Error("no runtime runs");
      killAll(runtimes);
      isOver.yet = true;
      await load;
      await goesOn(house, running);
    }
    isOver.yet = true;
    await end(running, kind === "node" ? "node" : "tree");
    await load;
  } finally {
    await end(running, "tree");
  }
  return faults;
}

/** The runner starts another runtime by itself, and its ticks probe every gateway. */
async function goesOn({ simulator }: House, running: Watching): Promise<void> {
  const before = simulator.requests.length;
  await until(running, async () => {
    await order(running);
    const asked = new Set(simulator.requests.slice(before).map(({ gateway }) => gateway));
    return asked.size === GATEWAYS.length;
  });
}

async function end({ program }: Watching, how: "tree" | "node"): Promise<void> {
  const runtimes = how === "tree" ? workerdProcesses(program.child.pid) : [];
  const ended = program.stop("SIGKILL");
  killAll(runtimes);
  await ended;
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It is gone already.
    }
  }
}

/** Each gateway is due with the next tick, as far as anybody answers. */
async function order(running: Watching): Promise<void> {
  await running.probeSoon().catch(() => false);
}

/** The page comes to show the gateways that never change as they are, and never anything else. */
async function untruths(running: Watching): Promise<string[]> {
  const faults = new Set<string>();
  await until(running, async () => {
    const status = await running.status();
    if (status === null) return false;
    if (status.stale) faults.add("the page is stale after a restart");
    const shown = status.gateways.filter(({ id }) => Object.hasOwn(RIGHT, id));
    for (const { id, status: health } of shown) {
      if (health !== "unknown" && health !== RIGHT[id]) faults.add(`${id} is shown as ${health}`);
    }
    return shown.every(({ status: health }) => health !== "unknown");
  });
  return [...faults];
}

const RIGHT: Readonly<Record<string, string>> = { good: "up", bad: "down" };

const PATHS = ["/", "/api/v1/status", "/api/v1/gateways/good/monitors/models/history?step=probe", "/metrics"];

/** Until it dies, or just before: what breaks off then is no fault. */
async function loadPages({ address }: Watching, isOver: { yet: boolean }, faults: string[]): Promise<void> {
  for (let n = 0; !isOver.yet; n += 1) {
    const path = PATHS[n % PATHS.length] ?? "/";
    try {
      const answer = await fetch(`${address}${path}`, { signal: AbortSignal.timeout(LONGEST_ANSWER_MS) });
      await answer.arrayBuffer();
      const isFine = answer.status === 200 || answer.status === 502;
      if (!isFine && !isOver.yet) faults.push(`${path} answered ${answer.status}`);
    } catch (error) {
      const hangs = error instanceof Error && error.name === "TimeoutError";
      if (hangs) faults.push(`${path} did not answer within ${LONGEST_ANSWER_MS} ms`);
    }
  }
}

/** Each monitor is due with the next tick, so that every tick probes all. */
async function orderProbes(running: Watching, isOver: { yet: boolean }): Promise<void> {
  while (!isOver.yet) {
    await order(running);
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
    await until(running, async () => {
      await order(running);
      return (await running.owed().catch(() => null)) === 0;
    });
    await running.program.stop();
  } finally {
    await end(running, "tree");
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

/** @throws with what was printed, when it never comes so far. */
async function until({ program }: Watching, isSo: () => Promise<boolean>): Promise<void> {
  await eventually(isSo, Boolean, READY_WITHIN_MS).catch(() => {
    throw new Error(`the monitor did not come so far:\n${program.output()}`);
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
