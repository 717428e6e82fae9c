import { expect, test } from "vitest";
import { diagnose } from "../../../src/protocol/diagnose.ts";
import { withoutAccounts } from "../../../src/protocol/redaction/accounts.ts";
import { redact } from "../../../src/protocol/redaction/redact.ts";
import { readVectors, VECTOR_FILES } from "../../vectors/read-vectors.ts";

const shown = (message: string) => withoutAccounts({ message }).message;

const ORG = "org-fa4efa4efa4efa4efa4efa4efa4efa4e";

test.each([
  [
    "Quota exceeded for consumer 'project_number:123456789012'.",
    "Quota exceeded for consumer 'project_number:[id]'.",
  ],
  [
    "Consumer 'project_number:123456789012' has been suspended.",
    "Consumer 'project_number:[id]' has been suspended.",
  ],
  [
    "The subscription 1b4e28ba-2fa1-11d2-883f-b9a761bde3fb is disabled.",
    "The subscription [id] is disabled.",
  ],
  [
    "see /subscriptions/1b4e28ba-2fa1-11d2-883f-b9a761bde3fb/resourceGroups/x",
    "see /subscriptions/[id]/resourceGroups/[id]",
  ],
  ["client '1b4e28ba-2fa1-11d2-883f-b9a761bde3fb' may not", "client [id] may not"],
  ["Subscription ID: 1b4e28ba-2fa1-11d2-883f-b9", "Subscription ID: [id]"],
  [
    "for your organization's (1b4e28ba-2fa1-11d2-883f-b9a761bde3fb) limit",
    "for your organization's ([id]) limit",
  ],
  ["The model `ft:gpt-4o:my-org::AbCdEf12` is gone", "The model `ft:gpt-4o:[id]::AbCdEf12` is gone"],
  ["ExceededBudget: User=joe over budget", "ExceededBudget: User=[id] over budget"],
  ["gen-lang-client-0123456789 has no quota", "[id] has no quota"],
  ["zone 023e105f4ecef8ad9ca31a8372d0c353 is paused", "zone [id] is paused"],
  ["no consumer of customer 12345", "no consumer of customer [id]"],
  ["AppID 5f2c3d4e is unknown", "AppID [id] is unknown"],
  ["该用户(ID: 123)已被禁用；用户[45678]", "该用户(ID: [id])已被禁用；用户[[id]]"],
  ["acs:ram::1234567890123456:user/alice is denied", "acs:ram::[id] is denied"],
  ["uin 100012345678, appid 1251234567, uid: 43210", "uin [id], appid [id], uid: [id]"],
  ["no customer cus_NffrFeUfNV2Hib of acct_1032D82eZvKYlo2C", "no customer [id] of [id]"],
  ["用户 4321 已被封禁", "用户 [id] 已被封禁"],
  ["Organization 'Acme Secret Corp' has no credits", "Organization [id] has no credits"],
  ["User john.doe@acme.example is disabled", "User [id] is disabled"],
  ["Limit for account: 100000 tokens", "Limit for account: 100000 tokens"],
  ["role must be 'user' or 'assistant'", "role must be 'user' or 'assistant'"],
])("%s", (message, expected) => {
  expect(shown(message)).toBe(expected);
});

test.each([
  [
    "OpenAI, github.com/vanderschaarlab/climb/issues/1",
    "Request too large for gpt-4o in organization org-FakeFakeFakeFakeFakeFake on tokens per min (TPM): Limit 30000, Requested 30601.",
    "Request too large for gpt-4o in organization [id] on tokens per min (TPM): Limit 30000, Requested 30601.",
  ],
  [
    "Moonshot, github.com/MoonshotAI/kimi-cli/issues/1599",
    `Your account ${ORG} / proj-fa4efa4efa4efa4efa4efa4efa4efa4f <ak-fakefakefake1111fake> request reached organization max RPM: 20`,
    "Your account [id] / [id] <[id]> request reached organization max RPM: 20",
  ],
  [
    "Groq, github.com/continuedev/continue/issues/10920",
    "Rate limit reached for model `llama-3.3-70b-versatile` in organization `org_01fakefakefakefakefakefakef` service tier `on_demand`",
    "Rate limit reached for model `llama-3.3-70b-versatile` in organization [id] service tier `on_demand`",
  ],
  [
    "xAI, github.com/continuedev/continue/issues/10373",
    "Your team 00000000-fake-4fff-8fff-000000000001 has used all available credits.",
    "Your team [id] has used all available credits.",
  ],
  [
    "xAI, github.com/griptape-ai/griptape-nodes-engine/issues/1079",
    "You can purchase credits on https://console.x.ai/team/00000000-fake-4fff-8fff-000000000001.",
    "You can purchase credits on https://console.x.ai/team/[id].",
  ],
  [
    "Volcengine Ark, a public test suite",
    "Your account [2100000000] has reached the limit for the [doubao-seedream-5-0-pro] model. Request id: 0217913482749653a391e4",
    "Your account [id] has reached the limit for the [doubao-seedream-5-0-pro] model. Request id: 0217913482749653a391e4",
  ],
  [
    "NVIDIA NIM, a public test of an adapter",
    "Function 'ee47df99-c92b-4dc9-b3a7-f3fb0f087b73': Not found for account 'fakeaccountfakeaccountfakeaccountfake000'",
    "Function 'ee47df99-c92b-4dc9-b3a7-f3fb0f087b73': Not found for account [id]",
  ],
  [
    "Vertex AI, open-telemetry/opentelemetry-python-contrib, test_generate_content_missing_model.yaml",
    "Publisher Model `projects/fake-project/locations/us-central1/publishers/google/models/gemini-9` not found.",
    "Publisher Model `projects/[id]/locations/us-central1/publishers/google/models/gemini-9` not found.",
  ],
  [
    "SageMaker",
    "Endpoint llm-prod of account 123456789012 not found.",
    "Endpoint llm-prod of account [id] not found.",
  ],
  ["GitHub", "API rate limit exceeded for user ID 1.", "API rate limit exceeded for user ID [id]."],
  [
    "one-api, middleware/auth.go",
    "该令牌只能在指定网段使用：10.20.0.0/16，当前 ip：203.0.113.77 (request id: 2025021000000000000000000000010)",
    "该令牌只能在指定网段使用：10.20.0.0/16，当前 ip：[address] (request id: 2025021000000000000000000000010)",
  ],
  ["invented", "用户 10023 额度不足；用户ID：7", "用户 [id] 额度不足；用户ID：[id]"],
  [
    "AWS, docs.aws.amazon.com/IAM, Error messages",
    "User: arn:aws:iam::123456789012:user/alice is not authorized to perform: bedrock:InvokeModel on resource: arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.nova",
    "User: arn:aws:iam::[id] is not authorized to perform: bedrock:InvokeModel on resource: arn:aws:bedrock:us-east-1:[id]:inference-profile/us.nova",
  ],
  [
    "invented",
    "request from 203.0.113.7:51234 or [2001:db8::7] is not allowed",
    "request from [address] or [address] is not allowed",
  ],
  ["invented, cut", `${"x ".repeat(143)}from 203.0.113`, `${"x ".repeat(143)}from [address]`],
])("%s: who asked is gone", (_, said, expected) => {
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
  expect(changed.toSorted()).toEqual([
    "azure-arm-b01",
    "cloudflare-api-03",
    "github-rest-w41",
    "groq-01",
    "litellm-proxy-w32",
    "moonshot-01",
    "moonshot-b01",
    "moonshot-b02",
    "moonshot-b03",
    "nvidia-api-01",
    "nvidia-nim-01",
    "openai-21",
    "sagemaker-w32",
    "second-google-vertex-02",
    "second-groq-03",
    "second-moonshot-01",
    "second-moonshot-02",
    "second-moonshot-03",
    "second-moonshot-05",
    "second-ngrok-02",
    "second-one-api-18",
    "second-openai-14",
    "second-openai-25",
    "second-xai-02",
    "second-xai-03",
    "shell-api-w21",
    "veo-b01",
    "vertex-b02",
    "vertex-veo-w81",
    "volcengine-ark-03",
    "volcengine-ark-b01",
  ]);
});
