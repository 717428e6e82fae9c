/** Each recipe of docs/recipes.md is accepted, calls what the text says, and its errors have the causes that it lists. */
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { MODELS_PATH } from "../../src/config/base-url.ts";
import type { GatewayConfig, MonitorConfig } from "../../src/config/config.ts";
import { parseConfig, readConfig } from "../../src/config/load.ts";
import { diagnose } from "../../src/library/index.ts";
import type { Cause } from "../../src/protocol/diagnosis.ts";
import { readVectors, VECTOR_FILES } from "../vectors/read-vectors.ts";

const DOCUMENT = readFileSync(new URL("../../docs/recipes.md", import.meta.url), "utf8");
const VECTORS = VECTOR_FILES.flatMap((file) => readVectors(file));

/** Real answers for each listed error, in their order. */
const ANSWERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  LiteLLM: [["litellm-02"], ["litellm-03"], ["litellm-06"]],
  "one-api and new-api": [["one-api-05", "new-api-02"], ["one-api-06", "new-api-04"], ["one-api-02"]],
  "Azure OpenAI": [["azure-openai-01"], ["azure-ai-foundry-02"], ["azure-openai-03"]],
  OpenRouter: [["openrouter-01"], ["openrouter-07"], ["openrouter-05"]],
  Anthropic: [["anthropic-01"], ["anthropic-02"], ["anthropic-04"]],
  "vLLM and Ollama": [["vllm-01"], ["vllm-04"], ["ollama-02"]],
  "Behind nginx": [
    ["nginx-04", "nginx-05"],
    ["nginx-01", "nginx-08"],
  ],
};

const RECIPES = DOCUMENT.split("\n## ")
  .slice(1)
  .map((section) => {
    const [title = ""] = section.split("\n", 1);
    const [, written = ""] = /<!-- config -->\n\n```ts\n([^]*?)\n```/u.exec(section) ?? [];
    const errors = [...section.matchAll(/^- (.+): `(\w+)`$/gmu)];
    return {
      title,
      section,
      written,
      errors: errors.map(([, answer = "", cause = ""]) => ({ answer, cause })),
    };
  });

function configOf(written: string): object {
  const text = JSON.stringify(runInNewContext(`({ ${written} })`));
  return { title: "t", ...(JSON.parse(text) as object) };
}

interface Call {
  readonly address: string;
  /** In lower case; it holds the key. */
  readonly keyHeader: string;
}

function callOf({ baseUrl }: GatewayConfig, { canary }: MonitorConfig): Call {
  if (canary === null) return { address: `GET ${baseUrl}${MODELS_PATH}`, keyHeader: "authorization" };
  const { method, path, headers } = canary.request;
  const [keyHeader = ""] = Object.entries(headers).find(([, value]) => value.includes("{key}")) ?? [];
  return { address: `${method} ${baseUrl}${path}`, keyHeader };
}

test("there is one for each gateway that people ask for", () => {
  expect(RECIPES.map(({ title }) => title)).toEqual(Object.keys(ANSWERS));
});

describe.each(RECIPES)("$title", ({ title, section, written, errors }) => {
  test("is accepted", () => {
    expect(parseConfig(configOf(written))).toMatchObject({ ok: true });
  });

  test("calls the addresses that are named, with the header that is named, and no others", () => {
    const { gateways } = readConfig(configOf(written));
    const calls = gateways.flatMap((gateway) => gateway.monitors.map((monitor) => callOf(gateway, monitor)));
    const named = [...section.matchAll(/`((?:GET|POST) http[^`]+)`/gu)].map(([, address]) => address);
    expect(calls.map(({ address }) => address)).toEqual(named);
    const [, header = "authorization"] = /with the header `([^`]+)`/u.exec(section) ?? [];
    expect(new Set(calls.map(({ keyHeader }) => keyHeader))).toEqual(new Set([header]));
  });

  test("its errors have the causes that it lists", () => {
    const found = (ANSWERS[title] ?? []).map((ids) => {
      const answers = VECTORS.filter(({ id }) => ids.includes(id));
      expect(answers).toHaveLength(ids.length);
      const causes = answers.map((answer): Cause => diagnose(answer).cause);
      const bodies = answers.map(({ body }) => body).join("\n");
      return { statuses: answers.map(({ status }) => String(status)), causes: [...new Set(causes)], bodies };
    });
    expect(found.map(({ causes }) => causes)).toEqual(errors.map(({ cause }) => [cause]));
    for (const [at, { answer }] of errors.entries()) {
      const statuses = answer.match(/\b[2-5]\d\d\b/gu) ?? [];
      expect(found[at]?.statuses).toEqual(expect.arrayContaining(statuses));
      const words = [...answer.matchAll(/["`]([^"`]+)["`]/gu)].flatMap(([, quoted = ""]) =>
        quoted.split(" … "),
      );
      for (const part of words) expect(found[at]?.bodies).toContain(part);
    }
  });
});
