import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { withDocs } from "../../../src/protocol/cause-docs.ts";
import { beforeEach, expect, test } from "vitest";
import { createFetch } from "../../../src/library/fetch/index.ts";
import { Origin } from "../../../src/library/fetch/origin.ts";
import { simulatorOfFile } from "../../probe/simulated.ts";
import { IN_NODE, PlayedClock } from "../../fixtures/played-clock.ts";
import { diagnosis } from "../../fixtures/outcome.ts";
import { jumpingClock } from "./jumping-clock.ts";
import { CHAT, client, failureOf, HEADERS, post, readAll, seen, STREAMED_CHAT, until } from "./asking.ts";

const simulator = await simulatorOfFile();
beforeEach(() => simulator.clear());

const LIST = '{"data":[]}';

/** A gateway in the process, under virtual time: each answer takes so long. */
function played(answers: readonly (() => Response)[], tookMs: number, options = {}) {
  const time = new PlayedClock(IN_NODE);
  const sent: number[] = [];
  let open = 0;
  let mostOpen = 0;
  const fetch = createFetch({
    fetch: async () => {
      const answer = answers[Math.min(sent.length, answers.length - 1)];
      sent.push(time.nowMs);
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      await time.sleep(tookMs);
      open -= 1;
      return answer?.() ?? Response.error();
    },
    clock: { now: () => time.now(), sleep: (ms) => time.sleep(ms), timeout: () => () => undefined },
    random: () => 0,
    ...options,
  });
  return { fetch, time, sent, mostOpen: () => mostOpen };
}

const good = () => new Response(LIST);
const limited = () => new Response("{}", { status: 429, headers: { "retry-after": "10" } });

test("no more than so many are in flight to one origin, in their order", async () => {
  const { fetch, time, sent, mostOpen } = played([good], 100, { maxConcurrent: 2 });
  const calls = [1, 2, 3, 4, 5].map((n) => fetch(`https://h.example/v1/models?n=${n}`));
  await time.run(Promise.all(calls));
  expect(mostOpen()).toBe(2);
  expect(sent).toEqual([0, 0, 100, 100, 200]);
});

test("another origin has its own places", async () => {
  const { fetch, time, sent } = played([good], 100, { maxConcurrent: 1 });
  await time.run(Promise.all([fetch("https://a.example/v1/models"), fetch("https://b.example/v1/models")]));
  expect(sent).toEqual([0, 0]);
});

test("a Retry-After of one request holds the others of that origin back", async () => {
  const { fetch, time, sent } = played([limited, good], 100, { maxConcurrent: 1 });
  const calls = [1, 2, 3].map((n) => fetch(`https://h.example/v1/models?n=${n}`));
  await time.run(Promise.all(calls));
  expect(sent).toEqual([0, 10_100, 10_200, 10_300]);
});

test("a Retry-After of a request that is not sent again holds the others back too", async () => {
  const unavailable = () => new Response("{}", { status: 503, headers: { "retry-after": "10" } });
  const { fetch, time, sent } = played([unavailable, good], 100);
  const failing = failureOf(fetch("https://h.example/v1/chat/completions", { method: "POST" }));
  expect(await time.run(failing)).toMatchObject({ requests: 1 });
  await time.run(fetch("https://h.example/v1/models"));
  expect(sent).toEqual([0, 10_100]);
});

test("a Retry-After that is longer than anybody may wait holds nobody back", async () => {
  const later = () => new Response("{}", { status: 429, headers: { "retry-after": "61" } });
  const { fetch, time, sent } = played([later, good], 100);
  await time.run(failureOf(fetch("https://h.example/v1/models")));
  await time.run(fetch("https://h.example/v1/models"));
  expect(sent).toEqual([0, 100]);
});

test("those who waited for the same instant do not go at the same instant", async () => {
  let chance = 0;
  const random = () => (chance += 0.25) % 1;
  const { fetch, time, sent } = played([limited, good], 100, { random });
  const first = fetch("https://h.example/v1/models");
  const others = (async () => {
    await time.sleep(200);
    return Promise.all([1, 2].map((n) => fetch(`https://h.example/v1/models?n=${n}`)));
  })();
  await time.run(Promise.all([first, others]));
  expect(sent).toEqual([0, 10_225, 10_350, 10_475]);
});

test("a pause longer than may be waited is no wait: it is told how long it is", async () => {
  const clock = jumpingClock();
  const origin = new Origin(1, clock, () => 0);
  const paused = withDocs(
    diagnosis("rate_limited", "degraded", { retry: { allowed: true, afterSeconds: 30, hint: null } }),
  );
  origin.hold(clock.now() + 10_001, paused);
  const told = { ...paused, retry: { allowed: true, afterSeconds: 11, hint: null } };
  expect(await origin.waitOut({ leftMs: 10_000 }, null)).toEqual(told);
  expect(clock.waits).toEqual([]);
  expect(await origin.waitOut({ leftMs: 10_001 }, null)).toBeNull();
  expect(clock.waits).toEqual([10_001]);
});

test("a stream keeps its place until it is over", async () => {
  const { fetch } = client({ maxConcurrent: 1 });
  const chat = `${simulator.baseUrl("any_key")}/v1/chat/completions`;
  const stream = await fetch(chat, post(STREAMED_CHAT));
  const second = fetch(chat, post(CHAT));
  expect(seen(simulator)).toHaveLength(1);
  expect((await readAll(stream)).error).toBeNull();
  expect((await second).status).toBe(200);
  expect(seen(simulator)).toHaveLength(2);
});

test("a stream that is cancelled gives its place free", async () => {
  const { fetch } = client({ maxConcurrent: 1 });
  const chat = `${simulator.baseUrl("stream_endless")}/v1/chat/completions`;
  const stream = await fetch(chat, post(STREAMED_CHAT));
  const second = fetch(`${simulator.baseUrl("any_key")}/v1/models`, { headers: HEADERS });
  await stream.body?.cancel();
  expect((await second).status).toBe(200);
});

test("a stream whose caller gives up gives its place free, although nobody reads it any more", async () => {
  const { fetch } = client({ maxConcurrent: 1 });
  const control = new AbortController();
  const chat = `${simulator.baseUrl("stream_endless")}/v1/chat/completions`;
  await fetch(chat, post(STREAMED_CHAT, { signal: control.signal }));
  const second = fetch(`${simulator.baseUrl("any_key")}/v1/models`, { headers: HEADERS });
  control.abort();
  expect((await second).status).toBe(200);
});

test("a stream that is forgotten gives its place free", async () => {
  const { fetch } = client({ maxConcurrent: 1 });
  const chat = `${simulator.baseUrl("stream_endless")}/v1/chat/completions`;
  await fetch(chat, post(STREAMED_CHAT));
  const second = fetch(`${simulator.baseUrl("any_key")}/v1/models`, { headers: HEADERS });
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  await until(() => {
    collect();
    return simulator.requests.length === 2;
  });
  expect((await second).status).toBe(200);
});

test("an empty answer gives its place free, although nobody reads it", async () => {
  const headers = { "content-type": "application/octet-stream", "content-length": "0" };
  const { fetch } = client({ maxConcurrent: 1, fetch: () => Promise.resolve(new Response("", { headers })) });
  await fetch("https://h.example/v1/files/1", { method: "PUT" });
  expect((await fetch("https://h.example/v1/files/2", { method: "PUT" })).status).toBe(200);
});

test("a listener that throws leaves no stream open", async () => {
  let isCancelled = false;
  const body = new ReadableStream({ cancel: () => void (isCancelled = true) }, { highWaterMark: 0 });
  const { fetch } = client({
    fetch: () => Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } })),
    onAttempt: () => {
      throw new Error("out of disk");
    },
  });
  await expect(fetch("https://h.example/v1/x")).rejects.toThrow("out of disk");
  expect(isCancelled).toBe(true);
});

test("a caller who gives up in the queue leaves it, and hears his own reason", async () => {
  const { fetch } = client({ maxConcurrent: 1 });
  const chat = `${simulator.baseUrl("stream_trickle")}/v1/chat/completions`;
  const stream = await fetch(chat, post(STREAMED_CHAT));
  const control = new AbortController();
  const waiting = fetch(chat, post(CHAT, { signal: control.signal }));
  const next = fetch(`${simulator.baseUrl("any_key")}/v1/models`, { headers: HEADERS });
  control.abort("enough");
  await expect(waiting).rejects.toBe("enough");
  await stream.body?.cancel();
  expect((await next).status).toBe(200);
  expect(seen(simulator)).toEqual(["POST /stream_trickle/v1/chat/completions", "GET /any_key/v1/models"]);
});

test("a caller who gives up in a wait hears his own reason at once", async () => {
  const fetch = createFetch({ random: () => 0 });
  const control = new AbortController();
  const url = `${simulator.baseUrl("rate_limited_30")}/v1/models`;
  const waiting = fetch(url, { headers: HEADERS, signal: control.signal });
  await until(() => simulator.requests.length === 1);
  const reason = new Error("enough");
  control.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(seen(simulator)).toHaveLength(1);
});

test("a caller who gives up in the exchange hears his own reason, also from a fetch that does not listen", async () => {
  const reason = new Error("enough");
  const deaf = client({ fetch: () => new Promise(() => undefined) });
  for (const { fetch } of [client(), deaf]) {
    const control = new AbortController();
    const url = `${simulator.baseUrl("no_answer")}/v1/models`;
    const waiting = fetch(new Request(url, { signal: control.signal }));
    control.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  }
});

test("a signal that was aborted before sends nothing", async () => {
  const signal = AbortSignal.abort("no");
  const url = `${simulator.baseUrl("any_key")}/v1/models`;
  await expect(client().fetch(url, { headers: HEADERS, signal })).rejects.toBe("no");
  expect(seen(simulator)).toEqual([]);
});

test("the reason of a timeout of the caller's own is no GatewayError", async () => {
  const signal = AbortSignal.timeout(1);
  const url = `${simulator.baseUrl("no_answer")}/v1/models`;
  const expected = { name: "TimeoutError" };
  await expect(client().fetch(url, { headers: HEADERS, signal })).rejects.toMatchObject(expected);
  await expect(failureOf(client().fetch(url, { signal }))).rejects.toMatchObject({ name: "TimeoutError" });
});
