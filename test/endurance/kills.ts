/** The local runner killed at random moments under load. What was stored is there afterwards, and incidents are what samples say. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Simulator, startSimulator } from "../../src/simulator/simulator.ts";
import { type Receiver, startReceiver } from "../local/support/receiver.ts";
import { eventually } from "../local/program.ts";
import { incidentsBy } from "../local/support/incidents-by.ts";
import { workerdProcesses } from "../local/support/processes.ts";
import { startWatching, type Watching } from "../local/support/watched-directory.ts";
import { Random } from "../fixtures/random.ts";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod/mini";
import { incidentSchema, type Incident } from "../../src/domain/incident.ts";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { Archive } from "../../src/ledger/history/archive.ts";
import { Quarantine } from "../../src/ledger/state/quarantine.ts";
import { DOCUMENTS } from "../../src/ledger/state/state.ts";
import { Tables } from "../../src/ledger/state/tables.ts";
import { NodeStorage } from "../ledger/node-storage.ts";

export interface KillsFound {
  /** What was stored and told in the end. */
  readonly samples: number;
  readonly incidents: number;
  readonly alerts: number;
  /** In words; none: all is as it should be. */
  readonly faults: readonly string[];
}

const KINDS = ["tree", "runtime", "node"] as const;
type Kind = (typeof KINDS)[number];

const GATEWAYS = ["good", "bad", "flips"] as const;
const READY_WITHIN_MS = 240_000;
/** As long as a patient client waits. */
const LONGEST_ANSWER_MS = 30_000;

interface House {
  readonly directory: string;
  readonly simulator: Simulator;
  readonly receiver: Receiver;
  readonly random: Random;
}

/** @param count so many times. @param directory of its own, and empty. */
export async function killMonitor(seed: number, count: number, directory: string): Promise<KillsFound> {
  const [simulator, receiver] = await Promise.all([startSimulator(), startReceiver()]);
  const house = { directory, simulator, receiver, random: new Random(seed) };
  const faults: string[] = [];
  let seen = storedLedger(null);
  try {
    simulator.play("bad", "envelope_5000");
    for (let n = 0; n < count; n += 1) {
      simulator.play("flips", n % 2 === 0 ? "healthy" : "envelope_5000");
      const kind = house.random.pick(KINDS);
      const lived = await liveAndDie(house, kind);
      const stored = storedLedger(directory);
      const found = [...lived, ...lostBetween(seen, stored)];
      faults.push(...found.map((fault) => `kill ${n} (${kind}), seed ${seed}: ${fault}`));
      seen = stored;
    }
    await settle(house);
    const stored = storedLedger(directory);
    const events = eventsOf(receiver);
    const samples = [...stored.samples.values()].reduce((sum, of) => sum + of.length, 0);
    const incidents = stored.resolved.length + stored.open.length;
    return {
      samples,
      incidents,
      alerts: events.size,
      faults: [...faults, ...strayIncidents(stored), ...strayEvents(stored, events)],
    };
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
    await sleep(500 + house.random.whole(3500));
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

/** Each gateway is due with the next tick, as far as anyone answers. */
async function order(running: Watching): Promise<void> {
  await running.probeSoon().catch(() => false);
}

/** The page shows the gateways that never change as they are, or nothing. */
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

/** One more life, in peace, until nothing is owed to anyone. */
async function settle(house: House): Promise<void> {
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
}

/** By `<incident> <type>`, the ids under which it arrived. */
type Events = ReadonlyMap<string, ReadonlySet<string>>;

function eventsOf(receiver: Receiver): Events {
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

/** What kills must not do to what is stored; each fault in words. */
function lostBetween(before: StoredLedger, after: StoredLedger): string[] {
  const faults: string[] = [];
  for (const [id, samples] of before.samples) {
    const kept = new Set(after.samples.get(id)?.map(({ atMs }) => atMs));
    const lost = samples.filter(({ atMs }) => !kept.has(atMs));
    if (lost.length > 0) faults.push(`${lost.length} samples of ${id} are gone`);
  }
  for (const [id, samples] of after.samples) {
    if (new Set(samples.map(({ atMs }) => atMs)).size < samples.length)
      faults.push(`a sample of ${id} is there twice`);
  }
  const told = new Set([...after.open, ...after.resolved].map(({ id }) => id));
  for (const { id } of [...before.open, ...before.resolved]) if (!told.has(id)) faults.push(`${id} is gone`);
  return faults;
}

/** Incidents are those that follow from the samples. */
function strayIncidents({ samples, resolved, open }: StoredLedger): string[] {
  const faults: string[] = [];
  for (const [monitorId, of] of samples) {
    const right = incidentsBy(of).map(([opened, ended]) => `${opened} to ${ended}`);
    const told = [...resolved, ...open]
      .filter(({ monitorIds }) => monitorIds.includes(monitorId))
      .sort((a, b) => a.openedAtMs - b.openedAtMs)
      .map(({ openedAtMs, resolvedAtMs }) => `${iso(openedAtMs)} to ${iso(resolvedAtMs)}`);
    if (right.join() !== told.join()) {
      faults.push(`${monitorId} had ${right.join()}; stored are ${told.join()}`);
    }
  }
  return faults;
}

/** Each beginning and each end arrived, under one id however often. */
function strayEvents({ resolved, open }: StoredLedger, events: Events): string[] {
  const owed = [
    ...[...resolved, ...open].map(({ id }) => `${id} incident.opened`),
    ...resolved.map(({ id }) => `${id} incident.resolved`),
  ];
  return [
    ...owed
      .filter((event) => events.get(event)?.size !== 1)
      .map((event) => `${event} arrived under ${events.get(event)?.size ?? 0} ids`),
    ...[...events.keys()]
      .filter((event) => !owed.includes(event))
      .map((event) => `${event} arrived and never was`),
  ];
}

function iso(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}

interface StoredLedger {
  /** By monitor, oldest first. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly resolved: readonly Incident[];
  readonly open: readonly Incident[];
}

const NOTHING: StoredLedger = { samples: new Map(), resolved: [], open: [] };

/** Of a directory of a runner; null: of none. @throws where the file, or what is in it, cannot be read. */
function storedLedger(directory: string | null): StoredLedger {
  if (directory === null) return NOTHING;
  const copy = mkdtempSync(join(tmpdir(), "gatepulse-stored-"));
  try {
    // With the log beside it: what was committed last may be there alone.
    cpSync(join(directory, "data", "do", "-Ledger"), copy, { recursive: true });
    const file = readdirSync(copy).find((name) => /^[0-9a-f]{64}\.sqlite$/u.test(name));
    return file === undefined ? NOTHING : read(join(copy, file));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function read(file: string): StoredLedger {
  const database = new DatabaseSync(file);
  // A database with a log beside it cannot be taken into memory.
  database.exec("PRAGMA journal_mode = DELETE");
  const { sql } = new NodeStorage(database.serialize());
  database.close();
  if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'document'").one() === undefined) return NOTHING;
  const tables = new Tables(sql);
  const members = tables.document("members");
  const archive = new Archive(tables, (id) => id, new Quarantine(sql));
  const rows = z
    .array(z.array(incidentSchema()))
    .parse([...tables.resolvedSince(0)].map(({ body }) => JSON.parse(body)));
  return {
    samples: archive.recent.between(0, Number.MAX_SAFE_INTEGER),
    resolved: rows.flat(),
    open: members === null ? [] : Object.values(DOCUMENTS.members().parse(JSON.parse(members)).incidents),
  };
}
