/** The client inside workerd, against the simulated gateway: its `fetch`, streams and exceptions are not those of Node. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { beforeAll, expect, test } from "vitest";
import { simulatorOfFile } from "../probe/simulated.ts";

const KEY = "Zx81kPq0Lm44vTnB7Yc2";

/** Reads an answer to its end, and says what became of it. */
const WORKER = `
import { createFetch, GatewayError } from "./src/library/fetch/index.ts";
const fetchGateway = createFetch({ maxAttempts: 1 });
export default {
  async fetch(request) {
    const { url, init } = await request.json();
    let text = "";
    try {
      const response = await fetchGateway(url, init);
      const decoder = new TextDecoder();
      for await (const piece of response.body) text += decoder.decode(piece, { stream: true });
      return Response.json({ url: response.url, status: response.status, text });
    } catch (error) {
      if (!(error instanceof GatewayError)) return Response.json({ odd: String(error) });
      return Response.json({ text, cause: error.diagnosis.cause, words: error.stack + JSON.stringify(error) });
    }
  },
};`;

const simulator = await simulatorOfFile();
let miniflare: Miniflare;
beforeAll(async () => {
  const resolveDir = fileURLToPath(new URL("../../", import.meta.url));
  const stdin = { contents: WORKER, resolveDir, sourcefile: "worker.js" };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "esm", target: "es2023" });
  const script = outputFiles[0]?.text ?? "";
  // Of a time before workerd told of what is forgotten.
  const options = { modules: true, script, compatibilityDate: "2024-09-23" };
  miniflare = new Miniflare(convertV4MiniflareOptions(options));
  return () => miniflare.dispose();
});

async function ask(scenario: string, stream = false): Promise<unknown> {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const messages = [{ role: "user", content: "ping" }];
  const body = JSON.stringify({ model: "sim-chat-small", stream: true, messages });
  const url = `${simulator.baseUrl(scenario)}/v1/${stream ? "chat/completions" : "models"}`;
  const init = stream ? { method: "POST", headers, body } : { headers };
  const order = { method: "POST", body: JSON.stringify({ url, init }) };
  const said = await (await miniflare.dispatchFetch("http://worker.example/", order)).text();
  expect(said).not.toContain(KEY);
  return JSON.parse(said);
}

test("a good answer is handed over", async () => {
  const url = `${simulator.baseUrl("any_key")}/v1/models`;
  const text: unknown = expect.stringContaining("sim-chat-small");
  expect(await ask("any_key")).toMatchObject({ url, status: 200, text });
});

test.each([
  ["envelope_5000", "business_error"],
  ["html_200", "wrong_url"],
  ["redirect_307", "wrong_url"],
  ["echo_key_whole", "authentication"],
  ["reset_in_body", "connection_failed"],
  ["body_50mb", "unexpected_response"],
  ["refused", "connection_failed"],
])("%s is thrown as %s", async (scenario, cause) => {
  expect(await ask(scenario)).toMatchObject({ cause });
});

test("a stream comes to its end", async () => {
  const url = `${simulator.baseUrl("any_key")}/v1/chat/completions`;
  expect(await ask("any_key", true)).toMatchObject({ url, text: expect.stringMatching(/\[DONE\]\n\n$/) });
});

test.each([
  ["stream_error_event", "stream_error"],
  ["stream_reset", "stream_dropped"],
  ["stream_without_done", "stream_dropped"],
])("%s hands over what came, and then fails with %s", async (scenario, cause) => {
  expect(await ask(scenario, true)).toMatchObject({ cause, text: expect.stringContaining("data: ") });
});
