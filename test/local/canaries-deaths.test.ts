/**
 * A day of canaries in which, at random, the Ledger dies at any of its steps, answers are lost, and the whole runtime is
 * killed: whatever happens, what was counted covers what was sent, caps hold, and no task is created while another one is
 * open. Real Worker, Ledger, KV and sockets. `TEST_SEED` repeats a run.
 */
import { expect, test } from "vitest";
import { rounds } from "../extent.ts";
import {
  type Canaries,
  canaryHouse,
  canaryOf,
  EVERY_KIND,
  MIDNIGHT_MS,
  minutes,
} from "./support/canaries.ts";
import { type Chance, chance } from "./support/chance.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";
import { MINUTE_MS, type Order, type Step, type World } from "./support/world.ts";

const MINUTES = rounds(12, 60);
/** Each costs seconds. */
const MOST_KILLS = 5;
const MOST_STEPS_TO_DEATH = 60;

const { simulator, asked, watching } = await canaryHouse();

const CHAT = "POST /v1/chat/completions";
const CREATION = "POST /v1/videos";
const CANARIES: Canaries = {
  plain: { plays: ["any_key"], monitors: [{ ...EVERY_KIND.chat, every: "1m", perDay: 25 }] },
  retried: {
    plays: ["chat_no_channel_then_good"],
    monitors: [{ ...EVERY_KIND.chat, every: "1m", perDay: 31, retry: true }],
  },
  video: { plays: ["any_key"], monitors: [{ ...EVERY_KIND.video, every: "1m", perDay: 9, deadline: "10m" }] },
};

const FATES = ["well", "well", "well", "ledger dies", "ledger dies", "answer lost", "killed"] as const;
const DEADLY = ["begin:after", "ask:before", "ask:after", "record:before", "record:after"] as const;

/** A world that meets one fate a tick, and is started again where it was killed. */
async function startMortal(of: Chance, persistDir: string) {
  let order: ((step: Step) => Promise<Order> | Order) | null = null;
  let kills = 0;
  const start = (): Promise<World> =>
    watching(CANARIES, { persistDir, isSole: of.next() < 0.5, onStep: (step) => order?.(step) ?? "go" });
  const mortal = {
    world: await start(),
    /** After each of them one request may be of unknown fate. */
    troubles: 0,
    tick: async (minute: number): Promise<void> => {
      const fate = of.pick(FATES);
      const at = fate === "killed" && kills < MOST_KILLS ? of.pick(DEADLY) : null;
      const killed: Promise<void>[] = [];
      if (fate !== "well") mortal.troubles += 1;
      order = ({ name }) => {
        if (fate === "answer lost" && name === "ask:after") return "it was lost";
        if (name !== at || killed.length > 0) return "go";
        killed.push(mortal.world.kill());
        return new Promise<Order>(() => undefined);
      };
      if (fate === "ledger dies") {
        await mortal.world.dieAfter([1 + Math.floor(of.next() * MOST_STEPS_TO_DEATH)]);
      }
      await mortal.world.tick(MIDNIGHT_MS + minute * MINUTE_MS).catch(() => undefined);
      await Promise.all(killed);
      order = null;
      kills += killed.length;
      if (killed.length > 0) mortal.world = await start();
      if (fate === "ledger dies") await mortal.world.dieAfter([]);
    },
  };
  return mortal;
}

/** Of each task, in the order of their creation, how often it was asked about. */
function questionsByTask(created: number): readonly number[] {
  return Array.from({ length: created }, (_, n) => {
    const path = `/g/video/v1/videos/video_sim_${String(n + 1).padStart(6, "0")}`;
    return simulator.requests.filter((request) => request.path === path).length;
  });
}

test(`${MINUTES} minutes of deaths: what was counted covers what was sent, and no task is created beside another`, async () => {
  const of = chance("deaths of canaries");
  const mortal = await startMortal(of, await temporaryDirectory());
  for (const minute of minutes(0, MINUTES - 1)) await asked.during(minute, () => mortal.tick(minute));
  for (const id of Object.keys(CANARIES)) simulator.play(id, "any_key");
  await asked.pass(mortal.world, minutes(MINUTES, MINUTES + 40));
  await mortal.world.publish();

  const seen = async (id: string, what: string, perDay: number) => {
    const { canary } = await canaryOf(mortal.world, id);
    const sent = asked.of(id.split("/")[0] ?? "", what);
    const { requests } = canary.today;
    expect({ id, seed: of.seed, sent: sent.length, requests }).toSatisfy(
      (numbers: { sent: number; requests: number }) =>
        numbers.sent > 0 && numbers.sent <= numbers.requests && numbers.requests <= perDay,
    );
    expect(requests - sent.length).toBeLessThanOrEqual(mortal.troubles * 4);
    return sent;
  };
  const plain = await seen("plain/chat", CHAT, 25);
  const retried = await seen("retried/chat", CHAT, 31);
  const created = await seen("video/video", CREATION, 9);
  expect(new Set(plain).size).toBe(plain.length);
  expect(new Set(created).size).toBe(created.length);
  for (const minute of new Set(retried)) {
    expect(retried.filter((other) => other === minute).length).toBeLessThanOrEqual(4);
  }
  const questions = questionsByTask(created.length);
  console.log(
    `${mortal.troubles} troubles; sent ${plain.length}, ${retried.length} and ${created.length}; ` +
      `questions by task: ${questions.join(" ")}; seed ${of.seed}`,
  );
  // Three lead to the end; a task of unknown fate is never asked about.
  expect(questions.filter((count) => count === 1 || count === 2)).toEqual([]);
  expect(questions.filter((count) => count === 0).length).toBeLessThanOrEqual(mortal.troubles);
  expect((await canaryOf(mortal.world, "video/video")).canary.task).toBeNull();
});
