import { expect, test } from "vitest";
import { probed, target } from "./models-play.ts";
import { status } from "./serve-in-turn.ts";
import { serveHttp } from "./small-server.ts";

const LIST = '{"data":[{"id":"gpt-4o"},{"id":"text-embed"}]}';
const listing = (listed: readonly string[], unlisted: readonly string[]) => ({
  type: "list",
  listed,
  unlisted,
});

test.each<readonly [string, string, readonly string[], number, unknown]>([
  ["a list", LIST, ["gpt-4o", "sora-2", "text-embed"], 200, listing(["gpt-4o", "text-embed"], ["sora-2"])],
  ["an empty list", '{"data":[]}', ["gpt-4o"], 200, listing([], ["gpt-4o"])],
  ["a list of which nobody watches a model", LIST, [], 200, undefined],
  ["no list", '{"error":{"code":"invalid_api_key"}}', ["gpt-4o"], 401, undefined],
  ["a page in its place", "<!doctype html><title>x</title>", ["gpt-4o"], 200, undefined],
])("%s tells which of the watched models it holds", async (_what, body, watched, code, findings) => {
  const url = await serveHttp(status(code, body));
  expect((await probed(target(url, { watched }))).findings).toEqual(findings);
});
