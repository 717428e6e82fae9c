/**
 * Random keys that gateways repeat to canaries: in ids, states, words, streams, consoles and errors, in many writings. Then
 * looked for in everything that is shown, told, kept or logged. Real Worker, real sockets. `TEST_SEED` repeats a run.
 */
import { beforeAll, expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { statusSchema } from "../../src/history/documents.ts";
import { type Chance, chance } from "./support/chance.ts";
import { ECHOING_CANARIES } from "./support/echo-canaries.ts";
import { type EchoGateway, startEchoGateway, WRITINGS } from "./support/echo-gateway.ts";
import { SIGNING_SECRET } from "./support/alerting.ts";
import { everyAnswer, everythingKept, everythingLeft } from "./support/everything.ts";
import type { Haystack } from "./support/leaks.ts";
import { expectNoLeak, keysOf, letters, LETTERS, type Planted, secretNameOf } from "./support/planted.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { incidentsOf } from "./support/readings.ts";
import { MINUTE_MS, startWorld, type World } from "./support/world.ts";

const ADMIN_TOKEN = "adm-0123456789-0123456789-abcdefgh";
const WRITINGS_A_PLACE = rounds(4, 7);

/** What reads like a figure is none. */
const ofDigits = (of: Chance): string => `9${letters(of, "123456789", 14)}`;

const SHAPES: readonly ((of: Chance) => string)[] = [
  (of) => `sk-${letters(of, LETTERS, 48)}`,
  (of) => letters(of, "0123456789abcdef", 32),
  (of) => `k%"<${letters(of, `${LETTERS}%"<>&'\\/+=?#`, 30)}>"%k`,
  ofDigits,
];

/** Each place in some writings, the plainest among them, with keys of random shapes. */
function plant(of: Chance): readonly Planted[] {
  const cells = Object.keys(ECHOING_CANARIES).flatMap((place) => {
    const some = Array.from({ length: WRITINGS_A_PLACE - 1 }, () => of.pick(Object.keys(WRITINGS)));
    return [...new Set(["whole", ...some])].map((writing) => ({ place, writing }));
  });
  return cells.map((cell, n) => {
    const shape = cell.place.startsWith("figure_") ? ofDigits : of.pick(SHAPES);
    return { id: `g-${n}`, place: cell.place, writing: cell.writing, key: shape(of) };
  });
}

let of: Chance;
let planted: readonly Planted[];
let gateway: EchoGateway;
let receiver: Receiver;
let world: World;
const persistDir = await directoryOfFile();

beforeAll(async () => {
  of = chance("keys that canaries are sent back");
  planted = plant(of);
  const places = Object.entries(ECHOING_CANARIES).map(([name, { place }]) => [name, place] as const);
  [gateway, receiver] = await Promise.all([startEchoGateway(Object.fromEntries(places)), startReceiver()]);
  const channels = { HOOK: receiver.url("hook"), CHAT: receiver.url("chat"), SIGNING: SIGNING_SECRET };
  world = await startWorld({
    persistDir,
    stands: true,
    secrets: { ADMIN_TOKEN, ...channels, ...keysOf(planted) },
    gateways: planted.map(({ id, place, writing }) => {
      const canary = ECHOING_CANARIES[place];
      if (canary === undefined) throw new Error(`there is no ${place}`);
      const baseUrl = gateway.baseUrl(place, writing);
      return { id, baseUrl, apiKey: secretNameOf(id), monitors: [canary.monitor] };
    }),
    config: {
      open: 1,
      alerts: [
        { kind: "webhook", url: "HOOK", secret: "SIGNING" },
        { kind: "slack", url: "CHAT" },
      ],
    },
  });
  for (const minute of [0, 1, 2, 3]) await world.tick(world.startMs + minute * MINUTE_MS);
  await world.passUntil(world.startMs + 4 * MINUTE_MS);
  await world.publish();
  return () => Promise.all([world.stop(), gateway.stop(), receiver.stop()]);
});

function expectClean(haystacks: readonly Haystack[]): void {
  expectNoLeak(of.seed, planted, [ADMIN_TOKEN], haystacks);
}

/** Those of a few gateways that had an incident: what answers are made of is searched whole. */
async function someMonitors(): Promise<readonly string[]> {
  const incidents = await incidentsOf(world);
  const failed = incidents.flatMap(({ incident }) => incident.monitors);
  expect(failed.length).toBeGreaterThan(planted.length / 3);
  return Array.from({ length: 12 }, () => of.pick(failed));
}

async function everyOtherAnswer(): Promise<readonly Haystack[]> {
  const found: Haystack[] = [];
  const paths = ["/metrics", "/feed.atom", "/api/v2/summary.json", "/api/v2/incidents.json"];
  for (const path of paths) {
    const { status, text } = await world.get(path);
    expect([path, status]).toEqual([path, 200]);
    found.push({ name: path, bytes: Buffer.from(text) });
  }
  for (const language of ["en", "zh"]) {
    const { text } = await world.get("/", { accept: "text/html", "accept-language": language });
    found.push({ name: `/ in ${language}`, bytes: Buffer.from(text) });
  }
  return found;
}

test("a key that a gateway repeats was sent as it is, and judged: every canary has its verdict, or a task", async () => {
  const sent = new Set(gateway.keys.map((key) => key.replace(/^key /u, "")));
  expect(planted.filter(({ key }) => !sent.has(key))).toEqual([]);
  const { gateways } = statusSchema.parse((await world.get("/api/v1/status")).json);
  const monitors = gateways.flatMap((one) => one.monitors);
  expect(monitors).toHaveLength(planted.length);
  expect(monitors.filter(({ diagnosis }) => diagnosis === null)).toEqual([]);
  const causes = new Set(monitors.map(({ diagnosis }) => diagnosis?.cause));
  const some = ["ok", "task_failed", "task_stalled", "stream_error", "stream_dropped", "not_found"];
  expect([...causes]).toEqual(expect.arrayContaining(some));
});

test("a key that a gateway repeats is in no answer of any route, no page, no metric and no feed", async () => {
  const answers = await everyAnswer(world, await someMonitors(), ADMIN_TOKEN);
  expectClean([...answers, ...(await everyOtherAnswer())]);
});

test("a key that a gateway repeats is in no key, value or metadata of KV, and in no row of the Ledger", async () => {
  expectClean(await everythingKept(world));
});

test("a key that a gateway repeats is in no alert", () => {
  expect(receiver.at("hook").length).toBeGreaterThan(planted.length / 3);
  expect(receiver.at("chat").length).toBeGreaterThan(0);
  expectClean(
    [...receiver.at("hook"), ...receiver.at("chat")].map(({ channel, headers, body }, n) => ({
      name: `message ${n} to ${channel}`,
      bytes: Buffer.from(`${JSON.stringify(headers)}\n${body}`),
    })),
  );
});

test("a key that a gateway repeats is nowhere once all is history: segments, logs and the files on disk", async () => {
  gateway.recover();
  for (const hours of [1, 2, 25, 26, 27]) await world.tick(world.startMs + hours * 60 * MINUTE_MS);
  await world.publish();
  expectClean([...(await everythingKept(world)), ...(await everyOtherAnswer())]);
  await world.stop();
  expectClean(await everythingLeft(world, persistDir));
});
