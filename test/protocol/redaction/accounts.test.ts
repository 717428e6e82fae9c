import { expect, test } from "vitest";
import { diagnose } from "../../../src/protocol/diagnose.ts";
import { withoutAccounts } from "../../../src/protocol/redaction/accounts.ts";
import { redact } from "../../../src/protocol/redaction/redact.ts";
import { readVectors, VECTOR_FILES } from "../../vectors/read-vectors.ts";

const shown = (message: string) => withoutAccounts({ message }).message;

interface Row {
  /** Who says so, and where that stands; absent: invented. */
  readonly source?: string;
  readonly said: string;
  readonly shown: string;
}

test.each(readVectors<Row>("accounts"))("who asked is gone from $said", ({ said, shown: expected }) => {
  expect(shown(said)).toBe(expected);
  expect(shown(expected)).toBe(expected);
});

test.each([
  "Rate limit: 30000 tokens per organization: 30000, per user 10000.",
  "用户额度不足, 剩余额度: ＄-0.000002 (request id: 202608190933135792535838268d9d6rhgZmzsh)",
  "Your account 2026-01-01T00:00:00 was closed.",
  "accounts/fireworks/models/deepseek-v3 not found",
  "Visit https://platform.openai.com/account/rate-limits or https://phabricator.wikimedia.org/T400119.",
  "you need a team_id in the model_info; user_rate_limit_exceeded, org_level, ak-47",
  "connect ECONNREFUSED 127.0.0.1:11434, 10.0.0.8, fe80::1 at 12:30:45",
  "model gpt-4o-2024-08-06 not found, version 1.2.3",
  "openresty/1.21.4.1, Chrome/120.0.0.0, LiteLLM version 1.52.3.4, build 1.2.3.4",
  "user_quota_429, org_limit_2_exceeded",
])("stays: %s", (message) => {
  expect(shown(message)).toBe(message);
});

test("of the answers of the field only those change that name an account or an address, and request ids stay", () => {
  const changed = VECTOR_FILES.flatMap((file) => readVectors(file)).flatMap((vector) => {
    const { kind, status, headers, body } = vector;
    const answer = { type: "answer", kind, status, headers, body, bodyEnd: "complete" } as const;
    const said = diagnose(answer, { nowMs: 0, redact });
    const told = withoutAccounts(said);
    expect(told.requestId).toBe(said.requestId);
    if (said.requestId !== null && said.message?.includes(said.requestId))
      expect(told.message).toContain(said.requestId);
    return JSON.stringify(told) === JSON.stringify(said) ? [] : [vector.id];
  });
  expect(changed.toSorted().join(" ")).toBe(
    "azure-arm-b01 cloudflare-api-03 github-rest-w41 groq-01 litellm-proxy-w32 moonshot-01 moonshot-b01 " +
      "moonshot-b02 moonshot-b03 nvidia-api-01 nvidia-nim-01 openai-21 sagemaker-w32 " +
      "second-google-vertex-02 second-groq-03 second-moonshot-01 second-moonshot-02 second-moonshot-03 " +
      "second-moonshot-05 second-ngrok-02 second-one-api-18 second-openai-14 second-openai-25 second-xai-02 " +
      "second-xai-03 shell-api-w21 veo-b01 vertex-b02 vertex-veo-w81 volcengine-ark-03 volcengine-ark-b01",
  );
});
