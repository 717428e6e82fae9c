import { expect, test } from "vitest";
import { createFetch, type RetryEvent } from "../../../src/library/fetch/index.ts";
import { IN_NODE, PlayedClock } from "../../fixtures/played-clock.ts";
import { client, failureOf, gatewayOfFile, HEADERS, post, readAll, STREAMED_CHAT, until } from "./asking.ts";

const { simulator, models, chat, seen } = await gatewayOfFile();

const LIST = '{"data":[]}';
const MODELS = "https://h.example/v1/models";

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
const limited =
  (seconds: number, status = 429) =>
  () =>
    new Response("{}", { status, headers: { "retry-after": `${seconds}` } });

/** So many requests to one origin, which differ. */
const ask = (fetch: typeof globalThis.fetch, count: number) =>
  Array.from({ length: count }, (_, n) => fetch(`${MODELS}?n=${n}`));

test("no more than so many are in flight to one origin, in their order; another has its own places", async () => {
  const { fetch, time, sent, mostOpen } = played([good], 100, { maxConcurrent: 2 });
  await time.run(Promise.all(ask(fetch, 5)));
  expect(mostOpen()).toBe(2);
  expect(sent).toEqual([0, 0, 100, 100, 200]);
  const other = played([good], 100, { maxConcurrent: 1 });
  await other.time.run(
    Promise.all([other.fetch("https://a.example/v1"), other.fetch("https://b.example/v1")]),
  );
  expect(other.sent).toEqual([0, 0]);
});

test("a Retry-After of one request holds the others of that origin back", async () => {
  const { fetch, time, sent } = played([limited(10), good], 100, { maxConcurrent: 1 });
  await time.run(Promise.all(ask(fetch, 3)));
  expect(sent).toEqual([0, 10_100, 10_200, 10_300]);
});

test("if waits are not shared, each request waits for itself alone", async () => {
  const { fetch, time, sent } = played([limited(10), good], 100, { sharesWaits: false });
  await time.run(Promise.all(ask(fetch, 2)));
  expect(sent).toEqual([0, 0, 10_100]);
});

test("a request that another one's Retry-After holds back is reported, and so is whose wait it is", async () => {
  const retries: RetryEvent[] = [];
  const onRetry = (event: RetryEvent) => void retries.push(event);
  const { fetch, time } = played([limited(10), good], 100, { maxConcurrent: 1, onRetry });
  await time.run(Promise.all(ask(fetch, 2)));
  expect(retries).toMatchObject([
    { attempt: 1, url: `${MODELS}?n=0`, status: 429, waitMs: 10_000, heldBack: false },
    { attempt: 0, url: `${MODELS}?n=1`, status: null, waitMs: 10_000, heldBack: true },
  ]);
});

test("a Retry-After of a request that is not sent again holds the others back too", async () => {
  const { fetch, time, sent } = played([limited(10, 503), good], 100);
  const failing = failureOf(fetch("https://h.example/v1/chat/completions", { method: "POST" }));
  expect(await time.run(failing)).toMatchObject({ requests: 1 });
  await time.run(fetch(MODELS));
  expect(sent).toEqual([0, 10_100]);
});

test("a Retry-After that is longer than anybody may wait holds nobody back", async () => {
  const { fetch, time, sent } = played([limited(61), good], 100);
  await time.run(failureOf(fetch(MODELS)));
  await time.run(fetch(MODELS));
  expect(sent).toEqual([0, 100]);
});

test("a refusal that asks for no wait holds no request back, also where the clock is set back", async () => {
  let nowMs = 3_600_000;
  const clock = { now: () => nowMs, sleep: async () => undefined, timeout: () => () => undefined };
  const answers = [limited(0, 400)(), good()];
  const fetch = createFetch({ fetch: async () => answers.shift() ?? Response.error(), clock });
  await failureOf(fetch(MODELS));
  nowMs = 0;
  expect(await (await fetch(MODELS)).text()).toBe(LIST);
});

test("those who waited for the same instant do not go at the same instant", async () => {
  let chance = 0;
  const { fetch, time, sent } = played([limited(10), good], 100, { random: () => (chance += 0.25) % 1 });
  const others = time.sleep(200).then(() => Promise.all(ask(fetch, 2)));
  await time.run(Promise.all([fetch(MODELS), others]));
  expect(sent).toEqual([0, 10_225, 10_350, 10_475]);
});

test("a stream keeps its place until it is over", async () => {
  const { fetch } = client({ maxConcurrent: 1 });
  const stream = await fetch(chat("any_key"), post(STREAMED_CHAT));
  const second = fetch(chat("any_key"), post());
  expect(seen()).toHaveLength(1);
  expect((await readAll(stream)).error).toBeNull();
  expect((await second).status).toBe(200);
  expect(seen()).toHaveLength(2);
});

test.each<readonly [string, (stream: Response, control: AbortController) => unknown]>([
  ["is cancelled", (stream) => stream.body?.cancel()],
  ["is given up by its caller, and read by nobody,", (_, control) => control.abort()],
])("a stream that %s gives its place free", async (_what, end) => {
  const { fetch } = client({ maxConcurrent: 1 });
  const control = new AbortController();
  const stream = await fetch(chat("stream_endless"), post(STREAMED_CHAT, { signal: control.signal }));
  const second = fetch(models("any_key"), { headers: HEADERS });
  await end(stream, control);
  expect((await second).status).toBe(200);
});

test("an empty answer gives its place free, although nobody reads it", async () => {
  const headers = { "content-type": "application/octet-stream", "content-length": "0" };
  const empty = () => Promise.resolve(new Response("", { headers }));
  const { fetch } = client({ maxConcurrent: 1, fetch: empty });
  await fetch("https://h.example/v1/files/1", { method: "PUT" });
  expect((await fetch("https://h.example/v1/files/2", { method: "PUT" })).status).toBe(200);
});

test("a listener that throws leaves no stream open", async () => {
  let isCancelled = false;
  const body = new ReadableStream({ cancel: () => void (isCancelled = true) }, { highWaterMark: 0 });
  const answer = new Response(body, { headers: { "content-type": "text/event-stream" } });
  const onAttempt = () => {
    throw new Error("out of disk");
  };
  const { fetch } = client({ fetch: () => Promise.resolve(answer), onAttempt });
  await expect(fetch("https://h.example/v1/x")).rejects.toThrow("out of disk");
  expect(isCancelled).toBe(true);
});

test("a caller who gives up in the queue leaves it, and hears his own reason", async () => {
  const { fetch } = client({ maxConcurrent: 1 });
  const stream = await fetch(chat("stream_trickle"), post(STREAMED_CHAT));
  const control = new AbortController();
  const waiting = fetch(chat("stream_trickle"), { ...post(), signal: control.signal });
  const next = fetch(models("any_key"), { headers: HEADERS });
  control.abort("enough");
  await expect(waiting).rejects.toBe("enough");
  await stream.body?.cancel();
  expect((await next).status).toBe(200);
  expect(seen()).toEqual(["POST /stream_trickle/v1/chat/completions", "GET /any_key/v1/models"]);
});

test("a caller who gives up in a wait hears his own reason at once", async () => {
  const control = new AbortController();
  const waiting = createFetch({ random: () => 0 })(models("rate_limited_30"), { signal: control.signal });
  await until(() => simulator.requests.length === 1);
  const reason = new Error("enough");
  control.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(seen()).toHaveLength(1);
});

test("a caller who gives up in the exchange hears his own reason, also from a fetch that does not listen", async () => {
  const reason = new Error("enough");
  for (const { fetch } of [client(), client({ fetch: () => new Promise(() => undefined) })]) {
    const control = new AbortController();
    const waiting = fetch(new Request(models("no_answer"), { signal: control.signal }));
    control.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(fetch(models("no_answer"), { signal: control.signal })).rejects.toBe(reason);
  }
});
