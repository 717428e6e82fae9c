/**
 * A slow canary keeps nobody waiting: not its gateway's list, nor other gateways, nor the heartbeat. And what one invocation
 * may send on the free plan is shared by lists and canaries. Real Worker in workerd, real sockets.
 */
import { expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { freshReceiver } from "./support/alerting.ts";
import { canaryHouse, canaryOf, EVERY_KIND, minutes, publishedOf } from "./support/canaries.ts";
import type { Order } from "./support/world.ts";

const chat = { ...EVERY_KIND.chat, every: "1m" } as const;
const list = { kind: "models", every: "1m" } as const;

const { simulator, asked, watching } = await canaryHouse();
const receiver = await freshReceiver();
test("a slow canary that is under way for minutes keeps neither the list of its gateway, nor others, nor the heartbeat waiting", async () => {
  let answer: (order: Order) => void = () => undefined;
  let isUnderWay = false;
  const of = await watching(
    {
      slow: { plays: ["any_key"], monitors: [list, chat] },
      other: { plays: ["any_key"], monitors: [list, chat] },
    },
    {
      config: { heartbeat: "BEAT" },
      secrets: { KEY: "sim-key-good", BEAT: receiver.url("beat") },
      onStep: ({ name, path }) => {
        if (name !== "ask:after" || path?.startsWith("/g/slow/") !== true || isUnderWay) return "go";
        isUnderWay = true;
        return new Promise<Order>((resolve) => (answer = resolve));
      },
    },
  );
  const first = asked.pass(of, [0]);
  await expect.poll(() => receiver.at("beat").length).toBe(1);
  expect(isUnderWay).toBe(true);
  await asked.pass(of, [1, 2]);
  expect(receiver.at("beat")).toHaveLength(3);
  answer("go");
  await first;
  const times = (path: string) => simulator.requests.filter((request) => request.path === path).length;
  const chats = "v1/chat/completions";
  expect(["slow/v1/models", `slow/${chats}`, `other/${chats}`].map((of_) => times(`/g/${of_}`))).toEqual([
    3, 1, 3,
  ]);
  const well = { monitor: { status: "up" }, canary: { today: { requests: 1 } } };
  expect(await publishedOf(of, "slow/chat")).toMatchObject(well);
});

const MOST_REQUESTS = 50;
const PLAYED = ["chat_no_channel", "503_always", "any_key"];
const ids = Array.from({ length: 30 }, (_, n) => `g-${n}`);

test("on the free plan, 30 gateways whose lists and chats are repeated: no tick sends over 50 requests, and all that was sent is counted", async () => {
  const repeated = { ...chat, retry: true } as const;
  const of = await watching(
    Object.fromEntries(
      ids.map((id, n) => [id, { plays: [PLAYED[n % 3] ?? "any_key"], monitors: [list, repeated] }]),
    ),
    { config: { plan: "free", maxProbesPerTick: 20 } },
  );
  const sent: number[] = [];
  for (const minute of minutes(0, rounds(6, 12))) {
    const before = simulator.requests.length;
    await asked.pass(of, [minute]);
    sent.push(simulator.requests.length - before);
  }
  expect(sent.filter((requests) => requests > MOST_REQUESTS)).toEqual([]);
  await of.publish();
  const posts = ids.map((id) => [id, asked.of(id, "POST ").length]);
  const counted: unknown[] = [];
  for (const id of ids) counted.push([id, (await canaryOf(of, `${id}/chat`)).canary.today.requests]);
  expect(counted).toEqual(posts);
  // Whose list fails is not asked for a chat.
  expect(posts.flatMap(([id, requests]) => (requests === 0 ? [id] : []))).toEqual(
    ids.filter((_, n) => PLAYED[n % 3] === "503_always"),
  );
});
