import { inspect } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { simulatorOfFile } from "../../probe/simulated.ts";
import { client, failureOf, HEADERS, KEY, seen, until } from "./asking.ts";

const simulator = await simulatorOfFile();
beforeEach(() => simulator.clear());

const models = (scenario: string) => `${simulator.baseUrl(scenario)}/v1/models`;

test.each([["any_key"], ["models_no_type"], ["gzip"], ["bom"]])("%s is handed over", async (scenario) => {
  const response = await client().fetch(models(scenario), { headers: HEADERS });
  const list: unknown = JSON.parse((await response.text()).replace("\uFEFF", ""));
  expect(list).toMatchObject({ data: [{ id: "sim-chat-small" }, {}, {}, {}, {}, {}] });
  expect(response).toMatchObject({ status: 200, url: models(scenario), type: "basic", redirected: false });
});

test("a redirect is not followed, whatever is asked for, and no key reaches the other host", async () => {
  const { fetch } = client();
  const error = await failureOf(fetch(models("redirect_307"), { headers: HEADERS, redirect: "follow" }));
  expect(error).toMatchObject({ requests: 1, diagnosis: { cause: "wrong_url" } });
  expect(seen(simulator)).toEqual(["GET /redirect_307/v1/models"]);
});

test("a redirect of which a browser tells nothing is a wrong address", async () => {
  const opaque = Object.defineProperties(new Response(null), {
    type: { value: "opaqueredirect" },
    status: { value: 0 },
    ok: { value: false },
  });
  const { fetch } = client({ fetch: () => Promise.resolve(opaque) });
  const expected = { status: null, diagnosis: { cause: "wrong_url" } };
  expect(await failureOf(fetch("https://h.example/v1/models"))).toMatchObject(expected);
});

test("an answer that never comes is a timeout", async () => {
  const { fetch, clock } = client({ timeoutMs: 30_000 });
  const init = { headers: HEADERS, gatepulse: { timeoutMs: 20_000 } };
  const failing = failureOf(fetch(models("no_answer"), init));
  await until(() => simulator.requests.length === 1);
  clock.endLimits();
  expect(await failing).toMatchObject({ status: null, requests: 1, diagnosis: { cause: "timeout" } });
  expect(clock.limits).toEqual([20_000]);
});

test("a body that falls silent is a timeout of an answer whose status is known", async () => {
  const answered = Promise.withResolvers<void>();
  const { fetch, clock } = client({
    fetch: (input, init) => globalThis.fetch(input, init).finally(answered.resolve),
  });
  const failing = failureOf(fetch(models("silence_in_body"), { headers: HEADERS }));
  await answered.promise;
  // A macrotask later the headers were read.
  await new Promise(setImmediate);
  clock.endLimits();
  expect(await failing).toMatchObject({ status: 200, requests: 1, diagnosis: { cause: "timeout" } });
  expect(clock.limits).toEqual([600_000]);
});

test("a status that is no success is given back as it came where that is asked for", async () => {
  const { fetch } = client({ throwHttpErrors: false });
  const response = await fetch(models("unauthorized_invalid"), { headers: HEADERS });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ error: { code: "invalid_api_key" } });
});

test("a good status with an error is thrown all the same", async () => {
  const { fetch } = client({ throwHttpErrors: false });
  const expected = { status: 200 };
  expect(await failureOf(fetch(models("envelope_5000"), { headers: HEADERS }))).toMatchObject(expected);
});

test.each<[string, Record<string, string>, (readonly string[])?]>([
  ["/v1/models", { authorization: `Bearer ${KEY}` }],
  ["/v1/models", { authorization: KEY }],
  ["/v1/models", { authorization: `Basic ${btoa(`user:${KEY}`)}` }],
  ["/v1/models", { "X-Api-Key": KEY }],
  ["/v1/models", { "cf-aig-authorization": `Bearer ${KEY}` }],
  ["/v1/models", { "x-portkey-api-key": KEY }],
  ["/v1/models", { "Helicone-Auth": `Bearer ${KEY}` }],
  ["/v1/models", { "Ocp-Apim-Subscription-Key": KEY }],
  ["/v1/models", { "X-Auth-Token": KEY }],
  ["/v1/models", { cookie: `lang=en; session=${KEY}` }],
  [`/v1/models?key=${KEY}`, {}],
  [`/v1/models?subscription-key=${KEY}`, {}],
  [`/v1/models?accessToken=${KEY}`, {}],
  [`/v1/models?sig=${KEY}`, {}],
  ["/v1/models", {}, [KEY]],
])("%s with %j is answered with the secret, and no error shows it", async (path, headers, secrets) => {
  const body = JSON.stringify({ error: { message: `no: ${KEY}, ${btoa(KEY)}` } });
  const answer = () => Promise.resolve(new Response(body, { status: 403, headers: { "x-seen": KEY } }));
  const events: unknown[] = [];
  const { fetch } = client({ fetch: answer, secrets, onAttempt: (event) => events.push(event) });
  const error = await failureOf(fetch(`https://h.example${path}`, { headers }));
  const shown = inspect([error, events, error.toJSON()], { depth: 9, showHidden: true });
  expect(shown).not.toContain(KEY);
  expect(shown).not.toContain(btoa(KEY));
});

test("an error has the headers of the answer, without its cookies", async () => {
  const answer = { status: 500, headers: { "x-region": "weur", "set-cookie": "session=1; HttpOnly" } };
  const { fetch } = client({ fetch: () => Promise.resolve(new Response(null, answer)) });
  const error = await failureOf(fetch("https://h.example/v1/models", { headers: HEADERS }));
  expect(error.headers).toEqual({ "x-region": "weur" });
});

test("an idempotency key that comes back as the request id is no secret", async () => {
  const headers = { ...HEADERS, "Idempotency-Key": "order-7788-attempt-1" };
  const answer = { status: 500, headers: { "x-request-id": "order-7788-attempt-1" } };
  const { fetch } = client({ fetch: () => Promise.resolve(new Response("{}", answer)) });
  const error = await failureOf(fetch("https://h.example/v1/models", { headers }));
  expect(error.diagnosis.requestId).toBe("order-7788-attempt-1");
});

test("what the runtime says of a failure is its cause, without the key", async () => {
  const fetch = () => Promise.reject(new TypeError(`cannot send ${KEY}`));
  const error = await failureOf(client({ fetch }).fetch("https://h.example/v1/models", { headers: HEADERS }));
  expect(error.cause).toMatchObject({ message: "TypeError: cannot send [redacted]" });
  expect(error.diagnosis).toMatchObject({ cause: "network_error", message: "cannot send [redacted]" });
});

const URL_OF_ANY = "https://h.example/v1/chat/completions";

test.each([
  ["a GET with a body", URL_OF_ANY, { body: "ping" }, "GET"],
  ["a method that is none", URL_OF_ANY, { method: "PO ST", body: "ping" }, "PO ST"],
  ["a password in the address", `https://user:${KEY}@h.example/v1/models`, { method: "POST" }, "[redacted]"],
  ["a stream without duplex", URL_OF_ANY, { method: "POST", body: new Blob(["ping"]).stream() }, "duplex"],
])("%s is a bug of the caller's, and no failure of a network", async (_name, url, init, words) => {
  const { fetch } = client({ fetch: () => Promise.reject(new Error("it was sent")) });
  const error: unknown = await fetch(url, init).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toContain(`the request cannot be sent: `);
  expect(String(error)).toContain(words);
  expect(String(error)).not.toContain(KEY);
});

test("a body that was read before is a bug of the caller's", async () => {
  const { fetch } = client({ fetch: () => Promise.reject(new Error("it was sent")) });
  const request = new Request(URL_OF_ANY, { method: "POST", body: "ping" });
  await request.text();
  await expect(fetch(request)).rejects.toThrow(TypeError);
  const body = new Blob(["ping"]).stream();
  body.getReader();
  const init = { method: "POST", body, duplex: "half" } as const;
  await expect(fetch(URL_OF_ANY, init)).rejects.toThrow(TypeError);
});

test("a header that cannot be sent is refused without its value", async () => {
  const headers = { authorization: `Bearer ${KEY}\n${KEY}` };
  await expect(client().fetch("https://h.example/", { headers })).rejects.toThrow(
    "a header has a name or a value that cannot be sent",
  );
});

test("a secret that is not set is told before anything is sent", () => {
  const secrets = [process.env["NO_SUCH_KEY_IS_SET"]] as unknown as string[];
  expect(() => client({ secrets })).toThrow("secrets must be texts, and one of them is undefined");
});

test.each([{ maxAttempts: 0 }, { maxWaitMs: -1 }, { maxConcurrent: Number.NaN }])(
  "%j is refused",
  (options) => {
    expect(() => client(options)).toThrow(TypeError);
  },
);
