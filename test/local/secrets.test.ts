/**
 * Random keys, planted wherever a gateway could echo them and in every writing, and then looked for in everything that
 * is shown, kept or logged. And keys that cannot be keys. Real Worker, real sockets.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { loginToken } from "../../src/local/simulator/keys.ts";
import { type Simulator, startSimulator } from "../../src/local/simulator/simulator.ts";
import { type Chance, chance } from "./support/chance.ts";
import { type EchoGateway, PLACES, startEchoGateway, WRITINGS } from "./support/echo-gateway.ts";
import { everyAnswer, everyFile, everyKvValue, everyLedgerRow, everyLogLine } from "./support/everything.ts";
import type { AlertsDocument } from "./support/alerting.ts";
import { findLeaks, type Haystack } from "./support/leaks.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { everyMessage, makeEchoes, type SecretChannels, secretChannels } from "./support/secret-channels.ts";
import { incidentsOf, monitorOf, samplesByMonitor, statusOf } from "./support/readings.ts";
import { MINUTE_MS, startWorld, type World } from "./support/world.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const AWKWARD = `%"<>&'\\/+=?#;:,!()[]{}|~^@$* `;
/** What keys look like, from what vendors hand out to what a header just takes. */
const SHAPES: Readonly<Record<string, (of: Chance) => string>> = {
  "a vendor's": (of) => `sk-${text(of, LETTERS, 48)}`,
  "a vendor's with parts": (of) => `sk-proj-${text(of, LETTERS, 20)}_${text(of, `${LETTERS}-_`, 30)}`,
  "32 hexadecimal digits": (of) => text(of, "0123456789abcdef", 32),
  "a UUID": (of) => [8, 4, 4, 4, 12].map((length) => text(of, "0123456789abcdef", length)).join("-"),
  "12 characters": (of) => text(of, LETTERS, 12),
  "200 characters": (of) => text(of, `${LETTERS}-_.~+/=`, 200),
  "signs that mean something elsewhere": (of) => `k%"<${text(of, LETTERS + AWKWARD, 30)}>"%k`,
};

function text(of: Chance, alphabet: string, length: number): string {
  return Array.from({ length }, () => of.pick(alphabet.split(""))).join("");
}

interface Planted {
  readonly id: string;
  readonly place: string;
  readonly writing: string;
  readonly shape: string;
  readonly key: string;
}

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
  return cells.map(({ place, writing }, n) => {
    const shape = of.pick(Object.keys(SHAPES));
    return { id: `g-${n}`, place, writing, shape, key: SHAPES[shape]?.(of) ?? "" };
  });
}

describe("a key that a gateway repeats", () => {
  const adminToken = "adm-0123456789-0123456789-abcdefgh";
  let of: Chance;
  let planted: readonly Planted[];
  let gateway: EchoGateway;
  let world: World;
  let persistDir: string;
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
    persistDir = await mkdtemp(join(tmpdir(), "gatepulse-"));
    world = await startWorld({
      persistDir,
      secrets: {
        ADMIN_TOKEN: adminToken,
        ...channels.secrets,
        ...Object.fromEntries(planted.map(({ id, key }) => [secretNameOf(id), key])),
      },
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
  });
  afterAll(async () => {
    await world.stop();
    await Promise.all([gateway.stop(), receiver.stop()]);
    await rm(persistDir, { recursive: true, force: true });
  });

  const secretNameOf = (id: string): string => `KEY_${id.replaceAll("-", "_").toUpperCase()}`;

  /** Not all: an answer about one costs the reading of all. What answers are made of is searched whole. */
  const someMonitors = (): readonly string[] =>
    Array.from({ length: 10 }, () => `${of.pick(planted).id}/models`);

  function expectNoLeak(
    haystacks: readonly Haystack[],
    ofChannels: readonly string[] = Object.values(channels.needles).flat(),
  ): void {
    expect(haystacks.length).toBeGreaterThan(0);
    const leaks = findLeaks(haystacks, [adminToken, ...ofChannels, ...planted.map(({ key }) => key)]);
    const told = leaks.slice(0, 8).map(({ where, seen, around }) => {
      const cell = planted.find(({ key }) => key.includes(seen) || seen.includes(key.slice(0, 8)));
      return { where, seen, around, cell };
    });
    expect({ seed: of.seed, leaks: leaks.length, told }).toEqual({ seed: of.seed, leaks: 0, told: [] });
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
    expectNoLeak(await everyAnswer(world, someMonitors(), adminToken));
  });

  test("is in no key, value or metadata of KV", async () => {
    expectNoLeak(await everyKvValue(world));
  });

  test("is in no row of the Ledger, what it owes to channels included", async () => {
    expect(await world.ledgerRows(["alert", "undelivered"])).not.toEqual([]);
    expect(await world.ledgerRows(["channels"])).toHaveLength(1);
    expectNoLeak(await everyLedgerRow(world));
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
    for (const { haystacks, needles } of everyMessage(receiver, channels)) expectNoLeak(haystacks, needles);
  });

  test("is in nothing that an administrator sees of channels whose receivers repeat all that they are sent", async () => {
    const problems = new Map(alerts.channels.map(({ channel, problem }) => [channel, problem]));
    expect(problems.get("echo-hook")).toMatch(/^HTTP 500: /u);
    expect(alerts.undelivered.filter(({ channel }) => channel === "echo-chat").length).toBeGreaterThan(5);
    const tested = await world.post("/api/v1/admin/alerts/test", {}, adminHeaders);
    expect(tested.json.channels).toHaveLength(channels.alerts.length);
    expect(tested.text).toMatch(/"status":400/u);
    expectNoLeak([
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
    expectNoLeak([
      ...(await everyAnswer(world, ids, adminToken)),
      ...(await everyKvValue(world)),
      ...(await everyLedgerRow(world)),
    ]);
    for (const { haystacks, needles } of everyMessage(receiver, channels)) expectNoLeak(haystacks, needles);
    await world.stop();
    expectNoLeak([
      ...(await everyFile(persistDir)),
      { name: "all logs", bytes: Buffer.from(world.logs.join("\n")) },
    ]);
    expectNoLeak([{ name: "none", bytes: new Uint8Array() }, ...everyLogLine(world)]);
  });
});

describe("a key that cannot be one", () => {
  let simulator: Simulator;
  let world: World;
  const KEYS: Readonly<Record<string, string>> = {
    with_newline: "sk-0123456789abcdef\nX-Injected: 1",
    ending_in_newline: "sk-0123456789abcdef\n",
    with_nul: "sk-0123456789\u0000abcdef",
    beyond_ascii: "sk-0123456789-é",
    blank: "   ",
    login_token: loginToken(),
  };
  const IDS = [...Object.keys(KEYS), "unset"].map((name) => name.replaceAll("_", "-"));
  const nameOf = (id: string): string => `KEY_${id.replaceAll("-", "_").toUpperCase()}`;

  beforeAll(async () => {
    simulator = await startSimulator();
    world = await startWorld({
      secrets: Object.fromEntries(Object.entries(KEYS).map(([name, key]) => [nameOf(name), key])),
      gateways: [
        ...IDS.map((id) => ({ id, baseUrl: simulator.named(id), apiKey: nameOf(id) })),
        { id: "bystander", baseUrl: simulator.baseUrl("any_key"), apiKey: "KEY_LOGIN_TOKEN" },
      ],
    });
    for (const minute of [0, 2]) await world.tick(world.startMs + minute * MINUTE_MS);
    await world.publish();
  });
  afterAll(async () => {
    await world.stop();
    await simulator.close();
  });

  const NOT_SENT = IDS.filter((id) => id !== "login-token");

  test.each(NOT_SENT)("%s: nothing is sent, and the advice names the secret", async (id) => {
    expect(simulator.requests.filter(({ gateway }) => gateway === `g/${id}`)).toEqual([]);
    const { status, diagnosis, lastProbe } = await monitorOf(world, `${id}/models`);
    expect([status, lastProbe?.attempts, lastProbe?.latencyMs]).toEqual(["blocked", 0, null]);
    expect(diagnosis).toMatchObject({
      cause: "authentication",
      owner: "caller",
      health: "blocked",
      layer: null,
      httpStatus: null,
    });
    expect(diagnosis?.advice).toContain(nameOf(id));
  });

  test("a login token is refused by the gateway, and the advice says what it is", async () => {
    const { diagnosis, lastProbe } = await monitorOf(world, "login-token/models");
    expect(diagnosis).toMatchObject({ cause: "authentication", owner: "caller", httpStatus: 401 });
    expect(lastProbe?.attempts).toBe(1);
    expect(diagnosis?.advice).toMatch(/login token/i);
    expect(diagnosis?.advice).toMatch(/API key/);
  });

  test("the gateway beside them is judged as ever", async () => {
    expect(await monitorOf(world, "bystander/models")).toMatchObject({ status: "up" });
  });

  test("none of them is in any answer, in KV or in the Ledger", async () => {
    const monitors = IDS.map((id) => `${id}/models`);
    const haystacks = [
      ...(await everyAnswer(world, monitors, "not-set")),
      ...(await everyKvValue(world)),
      ...(await everyLedgerRow(world)),
      ...everyLogLine(world),
    ];
    const secrets = Object.values(KEYS).filter((key) => key.trim() !== "");
    expect(findLeaks(haystacks, secrets)).toEqual([]);
  });
});
