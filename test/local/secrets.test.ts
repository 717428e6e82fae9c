/**
 * Random keys, planted wherever a gateway could echo them and in every writing, and then looked for in everything that
 * is shown, kept or logged. Real Worker, real sockets.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { type Chance, chance } from "./support/chance.ts";
import { type EchoGateway, PLACES, startEchoGateway, WRITINGS } from "./support/echo-gateway.ts";
import { everyAnswer, everythingKept, everythingLeft } from "./support/everything.ts";
import type { AlertsDocument } from "./support/alerting.ts";
import { findLeaks, type Haystack } from "./support/leaks.ts";
import { expectNoLeak, keysOf, letters, LETTERS, type Planted, secretNameOf } from "./support/planted.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { everyMessage, makeEchoes, type SecretChannels, secretChannels } from "./support/secret-channels.ts";
import { incidentsOf, samplesByMonitor, statusOf } from "./support/readings.ts";
import { MINUTE_MS, startWorld, type World } from "./support/world.ts";

const AWKWARD = `%"<>&'\\/+=?#;:,!()[]{}|~^@$* `;
/** What keys look like, from what vendors hand out to what a header just takes. */
const SHAPES: readonly ((of: Chance) => string)[] = [
  (of) => `sk-${letters(of, LETTERS, 48)}`,
  (of) => `sk-proj-${letters(of, LETTERS, 20)}_${letters(of, `${LETTERS}-_`, 30)}`,
  (of) => letters(of, "0123456789abcdef", 32),
  (of) => [8, 4, 4, 4, 12].map((length) => letters(of, "0123456789abcdef", length)).join("-"),
  (of) => letters(of, LETTERS, 12),
  (of) => letters(of, `${LETTERS}-_.~+/=`, 200),
  (of) => `k%"<${letters(of, LETTERS + AWKWARD, 30)}>"%k`,
];

/** One in so many writings of each place is played: the first by chance, and one further from place to place. */
const APART = rounds(4, 1);

/** Each place in some writings and each writing in some places, with keys of random shapes. */
function plant(of: Chance): readonly Planted[] {
  const first = Math.floor(of.next() * APART);
  const cells = Object.keys(PLACES).flatMap((place, row) =>
    Object.keys(WRITINGS)
      .filter((_, column) => (column + row) % APART === first)
      .map((writing) => ({ place, writing })),
  );
  return cells.map(({ place, writing }, n) => ({ id: `g-${n}`, place, writing, key: of.pick(SHAPES)(of) }));
}

const persistDir = await directoryOfFile();

describe("a key that a gateway repeats", () => {
  const adminToken = "adm-0123456789-0123456789-abcdefgh";
  let of: Chance;
  let planted: readonly Planted[];
  let gateway: EchoGateway;
  let world: World;
  let receiver: Receiver;
  let channels: SecretChannels;
  let alerts: AlertsDocument;

  beforeAll(async () => {
    of = chance("planted keys");
    planted = plant(of);
    [gateway, receiver] = await Promise.all([startEchoGateway(), startReceiver()]);
    const some = new Set(Array.from({ length: 40 }, () => of.pick(planted).id));
    channels = secretChannels(of, receiver, [...some]);
    makeEchoes(receiver);
    world = await startWorld({
      persistDir,
      secrets: { ADMIN_TOKEN: adminToken, ...channels.secrets, ...keysOf(planted) },
      gateways: planted.map(({ id, place, writing }) => ({
        id,
        baseUrl: gateway.baseUrl(place, writing),
        apiKey: secretNameOf(id),
      })),
      config: { alerts: channels.alerts },
      // However long it takes to tell all channels, no tick is missed.
      stands: true,
      speed: 10,
    });
    await world.tick(world.startMs);
    await world.tick(world.startMs + 10 * MINUTE_MS);
    alerts = await untilAllIsTold();
    await world.publish();
    return () => Promise.all([world.stop(), gateway.stop(), receiver.stop()]);
  });

  /** Not all: an answer about one costs the reading of all. What answers are made of is searched whole. */
  const someMonitors = (): readonly string[] =>
    Array.from({ length: 10 }, () => `${of.pick(planted).id}/models`);

  function expectClean(
    haystacks: readonly Haystack[],
    ofChannels: readonly string[] = Object.values(channels.needles).flat(),
  ): void {
    expectNoLeak(of.seed, planted, [adminToken, ...ofChannels], haystacks);
  }

  function expectCleanMessages(): void {
    for (const { haystacks, needles } of everyMessage(receiver, channels)) expectClean(haystacks, needles);
  }

  test("was sent as it is, and the gateways did repeat it", async () => {
    const sent = new Set(gateway.keys);
    expect(planted.filter(({ key }) => !sent.has(key))).toEqual([]);
    const repeated = await fetch(`${gateway.baseUrl("message", "whole")}/v1/models`, {
      headers: { authorization: "Bearer a-key-that-comes-back" },
    });
    const bytes = new Uint8Array(await repeated.arrayBuffer());
    expect(findLeaks([{ name: "answer", bytes }], ["a-key-that-comes-back"])).not.toEqual([]);
  });

  test("was judged all the same: every gateway has its result", async () => {
    const { summary, gateways } = await statusOf(world);
    expect(gateways).toHaveLength(planted.length);
    expect(summary.unknown).toBe(0);
  });

  test("is in no answer of any route", async () => {
    expectClean(await everyAnswer(world, someMonitors(), adminToken));
  });

  test("is in no key, value or metadata of KV, and in no row of the Ledger, what it owes to channels included", async () => {
    expect(await world.ledgerRows(["alert", "undelivered"])).not.toEqual([]);
    expect(await world.ledgerRows(["channels"])).toHaveLength(1);
    expectClean(await everythingKept(world));
  });

  const adminHeaders = { authorization: `Bearer ${adminToken}` };
  /** The one that always answers 500 is asked again. */
  async function untilAllIsTold(): Promise<AlertsDocument> {
    await world.passUntil((await world.nowMs()) + 20_000);
    const answer = await world.get("/api/v1/admin/alerts", adminHeaders);
    const seen = answer.json as AlertsDocument;
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
    for (const minutes of [40, 60, 150, 300]) await world.tick(world.startMs + minutes * MINUTE_MS);
    await world.publish();
    await untilAllIsTold();
    expect((await samplesByMonitor(world)).size).toBe(planted.length);
    const resolved = (await incidentsOf(world)).filter(({ incident }) => incident.resolvedAt !== null);
    expect(resolved.length).toBeGreaterThan(planted.length / 2);
    const ids = resolved.slice(0, 5).map(({ incident }) => incident.monitors[0] ?? "");
    expectClean([...(await everyAnswer(world, ids, adminToken)), ...(await everythingKept(world))]);
    expectCleanMessages();
    await world.stop();
    expectClean(await everythingLeft(world, persistDir));
  });
});
