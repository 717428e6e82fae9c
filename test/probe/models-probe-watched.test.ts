import { expect, test } from "vitest";
import { readThrown } from "../../src/protocol/thrown.ts";
import { runModelsProbe } from "../../src/probe/models-probe.ts";
import { handClock } from "./hand-clock.ts";
import { serveHttp } from "./small-server.ts";

async function findings(body: string, watched: readonly string[], status = 200) {
  const baseUrl = await serveHttp((_request, response) => void response.writeHead(status).end(body));
  const probed = await runModelsProbe(
    {
      baseUrl,
      apiKey: "sk-test-0123456789abcdef",
      secretName: "K",
      expect: [],
      watched,
      slowerThanMs: null,
    },
    { fetch, clock: handClock(), random: () => 0, readFailure: readThrown },
  );
  if (probed.type !== "probed") throw new Error(probed.type);
  return probed.findings;
}

const LIST = '{"data":[{"id":"gpt-4o"},{"id":"text-embed"}]}';

test("a list tells which of the watched models it holds", async () => {
  const expected = { type: "list", listed: ["gpt-4o", "text-embed"], unlisted: ["sora-2"] };
  expect(await findings(LIST, ["gpt-4o", "sora-2", "text-embed"])).toEqual(expected);
});

test("an empty list holds none of them", async () => {
  const expected = { type: "list", listed: [], unlisted: ["gpt-4o"] };
  expect(await findings('{"data":[]}', ["gpt-4o"])).toEqual(expected);
});

test.each([
  ["nobody watches a model", LIST, [], 200],
  ["there is no list", '{"error":{"code":"invalid_api_key"}}', ["gpt-4o"], 401],
  ["a page stands in its place", "<!doctype html><title>x</title>", ["gpt-4o"], 200],
])("where %s, nothing is found", async (_why, body, watched, status) => {
  expect(await findings(body, watched, status)).toBeUndefined();
});
