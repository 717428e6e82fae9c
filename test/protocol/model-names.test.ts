import * as fc from "fast-check";
import { expect, test } from "vitest";
import KNOWN from "../../src/protocol/model-names.json" with { type: "json" };
import { compareModels, type Sameness } from "../../src/protocol/model-names.ts";

const compare = (requested: string, served: string, accept: readonly string[] = []) =>
  compareModels(requested, served, accept);

const PAIRS: Readonly<Record<Sameness, readonly (readonly [requested: string, served: string])[]>> = {
  same: [
    ["gpt-4o", "GPT-4o"],
    ["gpt-4o", "gpt-4o-2024-08-06"],
    ["gpt-4", "openai/gpt-4-0613"],
    ["claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"],
    ["claude-3-5-sonnet-20241022", "us.anthropic.claude-3-5-sonnet-20241022-v2:0"],
    ["claude-sonnet-4-5@20250929", "claude-sonnet-4.5"],
    ["gemini-1.5-pro", "models/gemini-1.5-pro-002"],
    ["meta-llama/llama-3.1-70b-instruct:free", "Llama-3.1-70B-Instruct"],
    ["qwen2.5-72b-instruct", "accounts/fireworks/models/qwen2.5-72b-instruct"],
    ["deepseek-r1", "deepseek.r1-v1:0"],
    ["mistral-large-latest", "mistral.mistral-large-2402-v1:0"],
    ["command-r", "command-r-08-2024"],
    ["gpt-3.5-turbo-0125", "gpt-35-turbo"],
    ["deepseek-chat", "deepseek-v3.2"],
    ["sim-chat-small", "sim-chat-small"],
  ],
  different: [
    ["gpt-4o", "gpt-4o-mini"],
    ["gpt-4", "gpt-4-turbo"],
    ["o3", "o3-mini"],
    ["o1", "gpt-4o"],
    ["claude-3-opus-20240229", "claude-3-haiku-20240307"],
    ["claude-sonnet-4-5", "us.anthropic.claude-sonnet-4-20250514-v1:0"],
    ["claude-sonnet-4-5", "deepseek-chat"],
    ["llama-3.1-70b-instruct", "llama3.1:8b"],
    ["llama-3.1-70b-instruct", "llama-3-70b-instruct"],
    ["qwen2.5-72b-instruct", "Qwen/Qwen2.5-7B-Instruct"],
    ["deepseek-r1", "deepseek-v3"],
    ["text-embedding-3-large", "text-embedding-3-small"],
  ],
  unknown: [
    ["gpt-4o", "default"],
    ["my-deployment", "gpt-4o"],
    ["constructor", "gpt-4o"],
    ["sim-chat-large", "sim-chat-small"],
    ["gpt-4o-2024-05-13", "gpt-4o-2024-08-06"],
    ["gpt-5", "gpt-5-chat-latest"],
    ["llama-3.1-70b-instruct", "meta-llama/Meta-Llama-3.1-70B-Instruct-Turbo"],
    ["llama-3.1-70b-instruct", "accounts/fireworks/models/llama-v3p1-70b-instruct"],
    ["llama-4-scout", "llama-4-scout-17b-16e-instruct"],
    ["gemini-flash-latest", "gemini-2.5-flash"],
    ["claude-sonnet-4-0", "claude-sonnet-4-20250514"],
  ],
};

test.each(Object.entries(PAIRS).flatMap(([is, pairs]) => pairs.map((pair) => [...pair, is] as const)))(
  "%s and %s: %s",
  (requested, served, is) => {
    expect(compare(requested, served)).toBe(is);
    expect(compare(served, requested)).toBe(is);
  },
);

test("a name that the configuration accepts is the same, whole or by a pattern", () => {
  expect(compare("gpt-4o", "gpt-4o-mini", ["GPT-4o-mini"])).toBe("same");
  expect(compare("gpt-4o", "azure/gpt-4o-mini-2024-07-18", ["gpt-*-2024-*"])).toBe("same");
  expect(compare("gpt-4o", "claude-3-haiku", ["*"])).toBe("same");
  for (const glob of ["gpt-4o", "gpt-4o-min", "pt-4o-mini", "gpt-4o-mini*mini", "gpt*gpt*", ""])
    expect(compare("gpt-4o", "gpt-4o-mini", [glob])).toBe("different");
});

test.each(KNOWN.aliases)("$name is what its source says: $means", ({ name, means, source }) => {
  expect(source).toMatch(/^https:\/\//);
  expect(means).not.toEqual([]);
  for (const meant of means) expect(compare(name.replace("*", ""), meant.replace("*", ""))).toBe("same");
});

test("the comparison is the same both ways, and a name with its date, vendor or other case is the same model", () => {
  const words = fc.constantFrom(
    ...Object.keys(KNOWN.families),
    "mini",
    "pro",
    "70b",
    "instruct",
    "4",
    "3.5",
    "x",
  );
  const name = fc.array(words, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("-"));
  const dress = fc.constantFrom(
    (it: string) => `${it}-2024-08-06`,
    (it: string) => `vendor/${it}`,
    (it: string) => it.toUpperCase(),
    (it: string) => `${it}-latest`,
  );
  fc.assert(
    fc.property(name, name, dress, (one, other, dressed) => {
      expect(compare(one, other)).toBe(compare(other, one));
      expect(compare(one, dressed(one))).toBe("same");
    }),
  );
  fc.assert(fc.property(fc.string(), fc.string(), (one, other) => void compare(one, other, [other])));
});
