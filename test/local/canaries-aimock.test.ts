/**
 * The list and canaries of every kind against a gateway that others wrote, `@copilotkit/aimock`: its own shapes, streams and videos in
 * three styles, and the faults that it injects. The real Worker in workerd, real sockets.
 */
import { afterAll, beforeEach, expect, test } from "vitest";
import type { MonitorDocument } from "../../src/history/documents.ts";
import { AIMOCK_KEY, AIMOCK_MODELS, startAimock, VIDEO_STYLES } from "./support/aimock.ts";
import type { MonitorInput } from "./support/echo-gateway.ts";
import { endingWithTest } from "./support/playing.ts";
import { statusOf } from "./support/readings.ts";
import { MINUTE_MS, startWorld, type World } from "./support/world.ts";

const aimock = await startAimock();
afterAll(() => aimock.stop());
beforeEach(() => aimock.forget());

/** Nothing that is asked once a day is due again within the hour. */
const START_MS = Date.UTC(2026, 10, 20, 12);

function minutes(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

async function watching(monitors: readonly MonitorInput[]): Promise<World> {
  const gateway = { id: "aimock", baseUrl: aimock.baseUrl, apiKey: "KEY", monitors: [...monitors] };
  const options = { secrets: { KEY: AIMOCK_KEY }, gateways: [gateway], stands: true, startMs: START_MS };
  return endingWithTest(await startWorld(options));
}

async function tickAt(of: World, ...minutesToPass: readonly number[]): Promise<void> {
  for (const minute of minutesToPass) await of.tick(of.startMs + minute * MINUTE_MS);
}

/** A tick asks as many of a gateway's canaries as surely answer within its time: all of them in so many minutes. */
const UNTIL_ALL_ARE_ASKED = minutes(0, 8);

/** By the monitor's id, within its gateway. */
async function monitorsOf(of: World): Promise<ReadonlyMap<string, MonitorDocument>> {
  await of.publish();
  const { gateways } = await statusOf(of);
  const monitors = gateways.flatMap((gateway) => gateway.monitors);
  return new Map(monitors.map((monitor) => [monitor.id.replace("aimock/", ""), monitor]));
}

async function verdictsOf(of: World): Promise<Readonly<Record<string, string>>> {
  const monitors = await monitorsOf(of);
  return Object.fromEntries(
    [...monitors].map(([id, { status, diagnosis }]) => [id, `${status} ${diagnosis?.cause ?? "none"}`]),
  );
}

const { chat, embedding, image, plainVideo, brokeredVideo, contentVideo } = AIMOCK_MODELS;
const every = "24h";
const ANSWERED: readonly MonitorInput[] = [
  { kind: "models" },
  { id: "chat", kind: "chat", model: chat, every },
  { id: "chat-stream", kind: "chat", model: chat, stream: true, every },
  { id: "messages", kind: "messages", model: chat, every },
  { id: "messages-stream", kind: "messages", model: chat, stream: true, every },
  { id: "embeddings", kind: "embeddings", model: embedding, every },
  { id: "image", kind: "image", model: image, every },
];
const CREDITS = { balance: "/data/total_credits" };
const LOOKING: readonly MonitorInput[] = [
  { id: "credits", kind: "console", path: "/api/v1/credits", pointers: CREDITS, warnBelow: 1, every },
  { id: "health", kind: "http", path: "/health", expect: { "/status": "ok" }, every },
];
const PLAIN = { id: "plain", kind: "video", model: plainVideo, every } as const;
const pathsOf = (path: string) => ({ path, taskPath: `${path}/{id}` });
const OTHER_VIDEOS: readonly MonitorInput[] = [
  { id: "brokered", kind: "video", model: brokeredVideo, ...pathsOf(VIDEO_STYLES.brokered), every },
  {
    id: "content",
    kind: "video",
    model: contentVideo,
    ...pathsOf(VIDEO_STYLES.content),
    body: { prompt: null, seconds: null, content: [{ type: "text", text: "A grey circle." }] },
    pointers: { result: "/content/video_url" },
    every,
  },
];
const CHATS = ["chat", "chat-stream", "messages", "messages-stream"];
const all = (ids: readonly string[], verdict: string) => Object.fromEntries(ids.map((id) => [id, verdict]));

test("everything that is answered at once is up, with the tokens of each style, in streams too", async () => {
  const of = await watching([...ANSWERED, ...LOOKING]);
  await tickAt(of, ...UNTIL_ALL_ARE_ASKED);
  expect(await verdictsOf(of)).toEqual({
    ...all(["models", ...CHATS, "embeddings", "image", "health"], "up ok"),
    credits: "degraded balance_low",
  });
  expect(aimock.requests().toSorted()).toEqual([
    "GET /api/v1/credits",
    "POST /v1/chat/completions",
    "POST /v1/chat/completions",
    "POST /v1/embeddings",
    "POST /v1/images/generations",
    "POST /v1/messages",
    "POST /v1/messages",
  ]);
  const monitors = await monitorsOf(of);
  const tokens = CHATS.map((id) => {
    const today = monitors.get(id)?.canary?.today;
    return [id, today?.requests, today?.inputTokens, today?.outputTokens];
  });
  expect(tokens).toEqual(CHATS.map((id) => [id, 1, 11, 3]));
  expect(CHATS.map((id) => monitors.get(id)?.canary?.listed)).toEqual(CHATS.map(() => true));
  expect(monitors.get("models")?.modelCount).toBe(Object.keys(AIMOCK_MODELS).length);
});

test("videos of three styles are created once each, and asked about to their end", async () => {
  const of = await watching([PLAIN, ...OTHER_VIDEOS]);
  await tickAt(of, 0, 1);
  const videos = ["plain", "brokered", "content"];
  expect(await verdictsOf(of)).toEqual(all(videos, "unknown task_pending"));
  aimock.finishPlainVideos();
  await tickAt(of, ...minutes(4, 10));
  expect(await verdictsOf(of)).toEqual(all(videos, "up ok"));
  await tickAt(of, 20, 21, 22);
  const sent = aimock.requests();
  expect(sent.filter((what) => what.startsWith("POST ")).toSorted()).toEqual([
    "POST /api/v1/videos",
    "POST /api/v3/contents/generations/tasks",
    "POST /v1/videos",
  ]);
  const questions = (path: string) => sent.filter((what) => what.startsWith(`GET ${path}/`)).length;
  expect(Object.values(VIDEO_STYLES).map(questions)).toEqual([2, 2, 2]);
});
