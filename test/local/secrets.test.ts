/** Random keys, planted wherever a gateway could echo them, and looked for in everything that is shown, kept or logged. */
import { beforeAll, describe, expect, test } from "vitest";
import type { AlertsAnswer } from "../../src/ledger/admin/admin-answers.ts";
import { rounds, seedOf } from "../extent.ts";
import { Random } from "../fixtures/random.ts";
import {
  type EchoGateway,
  MONITORS,
  type MonitorInput,
  startEchoGateway,
  WRITINGS,
} from "./support/echo-gateway.ts";
import { everyAnswer, everythingKept, everythingLeft } from "./support/everything.ts";
import { findLeaks, type Haystack } from "./support/leaks.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { everyMessage, makeEchoes, type SecretChannels, secretChannels } from "./support/secret-channels.ts";
import { incidentsOf, samplesByMonitor, statusOf } from "./support/readings.ts";
import { MINUTE_MS, startWorld, type World } from "./support/world.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function letters(of: Random, alphabet: string, length: number): string {
  return Array.from({ length }, () => of.pick(alphabet.split(""))).join("");
}

const AWKWARD = `%"<>&'\\/+=?#;:,!()[]{}|~^@$* `;
/** What keys look like, from what vendors hand out to what a header just takes. */
const SHAPES: readonly ((of: Random) => string)[] = [
  (of) => `sk-${letters(of, LETTERS, 48)}`,
  (of) => `sk-proj-${letters(of, LETTERS, 20)}_${letters(of, `${LETTERS}-_`, 30)}`,
  (of) => letters(of, "0123456789abcdef", 32),
  (of) => [8, 4, 4, 4, 12].map((length) => letters(of, "0123456789abcdef", length)).join("-"),
  (of) => letters(of, LETTERS, 12),
  (of) => letters(of, `${LETTERS}-_.~+/=`, 200),
  (of) => `k%"<${letters(of, LETTERS + AWKWARD, 30)}>"%k`,
];

/** What reads like a figure is none. */
const ofDigits = (of: Random): string => `9${letters(of, "123456789", 14)}`;

/** A gateway with its key: where it repeats it, in which writing, and to what. */
interface Planted {
  readonly id: string;
  readonly place: string;
  readonly writing: string;
  readonly key: string;
  readonly monitor: MonitorInput;
}

function secretNameOf(id: string): string {
  return `KEY_${id.replaceAll("-", "_").toUpperCase()}`;
}

/** The keys by the names of their secrets. */
function keysOf(planted: readonly Planted[]): Readonly<Record<string, string>> {
  return Object.fromEntries(planted.map(({ id, key }) => [secretNameOf(id), key]));
}

/** One in so many writings of each place is played: the first by chance, and one further from place to place. */
const APART = rounds(4, 1);

/** Each place in some writings and each writing in some places, with keys of random shapes. */
function plant(of: Random): readonly Planted[] {
  const first = of.whole(APART);
  const cells = Object.entries(MONITORS).flatMap(([place, monitor], row) =>
    Object.keys(WRITINGS)
      .filter((writing, column) => {
        const isFigure = place.startsWith("figure_") && writing === "whole";
        return isFigure || (column + row) % APART === first;
      })
      .map((writing) => ({ place, monitor, writing })),
  );
  return cells.map(({ place, monitor, writing }, n) => {
    const shape = place.startsWith("figure_") ? ofDigits : of.pick(SHAPES);
    return { id: `g-${n}`, place, writing, key: shape(of), monitor };
  });
}

const persistDir = await directoryOfFile();

describe("a key that a gateway repeats", () => {
  const adminToken = "adm-0123456789-0123456789-abcdefgh";
  let of: Random;
  let planted: readonly Planted[];
  let gateway: EchoGateway;
  let world: World;
  let receiver: Receiver;
  let channels: SecretChannels;
  let alerts: AlertsAnswer;

  beforeAll(async () => {
    of = new Random(seedOf("planted keys"));
    planted = plant(of);
    [gateway, receiver] = await Promise.all([startEchoGateway(), startReceiver()]);
    const some = new Set(Array.from({ length: 40 }, () => of.pick(planted).id));
    channels = secretChannels(of, receiver, [...some]);
    makeEchoes(receiver);
    world = await startWorld({
      persistDir,
      secrets: { ADMIN_TOKEN: adminToken, ...channels.secrets, ...keysOf(planted) },
      gateways: planted.map(({ id, place, writing, monitor }) => ({
        id,
        baseUrl: gateway.baseUrl(place, writing),
        apiKey: secretNameOf(id),
        monitors: [monitor],
      })),
      config: { open: 1, alerts: channels.alerts },
      // However long it takes to tell all channels, no tick is missed.
      stands: true,
    });
    // Tasks are asked about to their end.
    for (const minute of [0, 1, 2, 3]) await world.tick(world.startMs + minute * MINUTE_MS);
    alerts = await untilAllIsTold();
    await world.publish();
    return () => Promise.all([world.stop(), gateway.stop(), receiver.stop()]);
  });

  /** Some that had an incident: an answer about one costs the reading of all. What answers are made of is searched whole. */
  async function someMonitors(): Promise<readonly string[]> {
    const failed = (await incidentsOf(world)).flatMap(({ incident }) => incident.monitors);
    expect(failed.length).toBeGreaterThan(planted.length / 2);
    return Array.from({ length: 20 }, () => of.pick(failed));
  }

  /** Else it fails with the seed and the first leaks, each with whose key it shows. */
  function expectClean(
    haystacks: readonly Haystack[],
    ofChannels: readonly string[] = Object.values(channels.needles).flat(),
  ): void {
    expect(haystacks.length).toBeGreaterThan(0);
    const leaks = findLeaks(haystacks, [adminToken, ...ofChannels, ...planted.map(({ key }) => key)]);
    const told = leaks.slice(0, 8).map(({ where, seen, around }) => {
      const isIn = ({ key }: Planted) => key.includes(seen) || seen.includes(key.slice(0, 8));
      return { where, seen, around, cell: planted.find(isIn) };
    });
    expect({ seed: of.seed, leaks: leaks.length, told }).toEqual({ seed: of.seed, leaks: 0, told: [] });
  }

  function expectCleanMessages(): void {
    for (const { haystacks, needles } of everyMessage(receiver, channels)) expectClean(haystacks, needles);
  }

  test("was sent as it is, and the gateways did repeat it", async () => {
    const sent = new Set(gateway.keys.map((key) => key.replace(/^key /u, "")));
    expect(planted.filter(({ key }) => !sent.has(key))).toEqual([]);
    const repeated = await fetch(`${gateway.baseUrl("message", "whole")}/v1/models`, {
      headers: { authorization: "Bearer a-key-that-comes-back" },
    });
    const bytes = new Uint8Array(await repeated.arrayBuffer());
    expect(findLeaks([{ name: "answer", bytes }], ["a-key-that-comes-back"])).not.toEqual([]);
  });

  test("was judged all the same: every monitor has its verdict, or a task", async () => {
    const { gateways } = await statusOf(world);
    const monitors = gateways.flatMap((one) => one.monitors);
    expect(monitors).toHaveLength(planted.length);
    const causes = monitors.map(({ diagnosis }) => diagnosis?.cause ?? "none");
    expect(causes).not.toContain("none");
    const some = ["ok", "task_failed", "stream_error", "stream_dropped", "business_error"];
    expect(causes).toEqual(expect.arrayContaining(some));
  });

  test("is in no answer of any route, no page, no metric and no feed", async () => {
    expectClean(await everyAnswer(world, await someMonitors(), adminToken));
  });

  test("is in no key, value or metadata of KV, and in no row of the Ledger, what it owes to channels included", async () => {
    expect(await world.ledgerRows(["alert", "undelivered"])).not.toEqual([]);
    expect(await world.ledgerRows(["channels"])).toHaveLength(1);
    expectClean(await everythingKept(world));
  });

  const adminHeaders = { authorization: `Bearer ${adminToken}` };
  /** The one that always answers 500 is asked again. */
  async function untilAllIsTold(): Promise<AlertsAnswer> {
    await world.passUntil((await world.nowMs()) + 20_000);
    const answer = await world.get("/api/v1/admin/alerts", adminHeaders);
    const seen = answer.json as AlertsAnswer;
    const waiting = seen.channels.filter((of_) => of_.waiting !== null).map(({ channel }) => channel);
    expect(waiting).toEqual(["echo-hook"]);
    return seen;
  }

  test("is in no message to any channel", async () => {
    expect(receiver.at("hook").length).toBeGreaterThan(planted.length / 2);
    expectCleanMessages();
  });

  test("is in nothing that an administrator sees of channels whose receivers repeat all that they are sent", async () => {
    const problems = new Map(alerts.channels.map(({ channel, problem }) => [channel, problem]));
    expect(problems.get("echo-hook")).toMatch(/^HTTP 500: /u);
    expect(alerts.undelivered.filter(({ channel }) => channel === "echo-chat").length).toBeGreaterThan(5);
    const tested = await world.post("/api/v1/admin/alerts/test", {}, adminHeaders);
    expect(tested.json.channels).toHaveLength(channels.alerts.length);
    expect(tested.text).toMatch(/"status":400/u);
    expectClean([
      { name: "GET alerts", bytes: Buffer.from(JSON.stringify(alerts)) },
      { name: "POST alerts/test", bytes: Buffer.from(tested.text) },
    ]);
  });

  test("is nowhere once all is over and history: resolved incidents, segments, logs and the files on disk", async () => {
    gateway.recover();
    // Canaries are asked once a day.
    for (const minutes of [40, 60, 150, 300, 1500, 1560, 1620])
      await world.tick(world.startMs + minutes * MINUTE_MS);
    await world.publish();
    await untilAllIsTold();
    expect((await samplesByMonitor(world)).size).toBe(planted.length);
    const resolved = (await incidentsOf(world)).filter(({ incident }) => incident.resolvedAt !== null);
    // A canary succeeds only once by then.
    expect(resolved.length).toBeGreaterThan(planted.length / 5);
    const ids = resolved.slice(0, 5).map(({ incident }) => incident.monitors[0] ?? "");
    expectClean([...(await everyAnswer(world, ids, adminToken)), ...(await everythingKept(world))]);
    expectCleanMessages();
    await world.stop();
    expectClean(await everythingLeft(world, persistDir));
  });
});
