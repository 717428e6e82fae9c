/** Which models `init` suggests, of lists as gateways have them. */
import { expect, test } from "vitest";
import { mainModels, smallChatModel } from "../../src/project/setup/plan-gateway.ts";

const MANY = [
  "gpt-4o-2024-08-06",
  "gpt-4o",
  "gpt-4o-mini",
  "gpt-4o-mini-tts",
  "gpt-4o-mini-2024-07-18",
  "text-embedding-3-small",
  "claude-haiku-4-5",
  "claude-sonnet-4-5-20250929",
  "gemini-2.5-flash-preview-image",
  "gemini-2.5-flash",
  "dall-e-3",
];

test("the canary asks a small chat model that stays", () => {
  expect(smallChatModel(MANY)).toBe("gpt-4o-mini");
  expect(smallChatModel(["meta-llama/llama-3.1-8b", "meta-llama/llama-3.1-70b"])).toBe(
    "meta-llama/llama-3.1-8b",
  );
  expect(smallChatModel(["gpt-4o-mini-2024-07-18"])).toBe("gpt-4o-mini-2024-07-18");
});

test("no small chat model is suggested where there is none", () => {
  expect(smallChatModel(["gpt-4o", "text-embedding-3-small", "tts-1"])).toBeNull();
  expect(smallChatModel([])).toBeNull();
});

test("a list should hold a chat model of each of three families", () => {
  expect(mainModels(MANY)).toEqual(["gpt-4o", "claude-haiku-4-5", "gemini-2.5-flash"]);
  expect(mainModels(["deepseek/deepseek-chat", "whisper-1"])).toEqual(["deepseek/deepseek-chat"]);
  expect(mainModels([])).toEqual([]);
});
