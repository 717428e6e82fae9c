import { describe, expect, test } from "vitest";
import { REDACTED, redact } from "../../../src/protocol/redaction/redact.ts";

const HEX32 = "fa4e0c1b2d3e4f5a6b7c8d9e0f1a2b3c";
const HEX64 = HEX32 + HEX32;
const UUID = "d3be1dcd-5e15-488e-b48f-a3066967d205";
const RANDOM = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d";

/** Masked keys, and one of two parts; whole ones of each issuer are in `secret-shapes.jsonl`. */
const KEYS = [
  `ALTAK-${RANDOM.slice(0, 21)}/${HEX32}01234567`,
  ..."sk-...fAkE|sk-proj-****************WXYZ|sk-ant-api03-abc…xyz|gsk_****abcd|AIza...x9Qk".split("|"),
  // By chance, these have letters only, in the pattern of a name of several words.
  "dataset-ogzmdldpejdomjbchLlbnrLj",
  "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",
  "xoxb-921497304596-3193778686076-UigilSttxyYxdJcyjbyezpvz",
  "sk-lf-fffbbb09-a7a5-421b-a6eb-390390244735",
];

describe("a key goes by its shape alone", () => {
  test.each(KEYS)("%s", (key) => {
    expect(redact(`The value ${key} was refused`)).toBe(`The value ${REDACTED} was refused`);
    expect(redact(`{"detail":"refused: ${key}"}`)).toBe(`{"detail":"refused: ${REDACTED}"}`);
    expect(redact(`see (${key}), or <${key}>.`)).toBe(`see (${REDACTED}), or <${REDACTED}>.`);
    expect(redact(JSON.stringify({ a: JSON.stringify({ b: `\n${key}\n` }) }))).not.toContain(key.slice(-8));
  });
});

/** Text, and what must not be left of it; the usual places of secrets of every kind are in `surroundings.ts`. */
const PLACES: readonly (readonly [string, ...string[]])[] = [
  ["Proxy-Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"],
  [
    `Authorization: AWS4-HMAC-SHA256 Credential=AKIAZ2Y3X4W5V6U7T8S9/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=${HEX64}`,
    HEX64,
    "AKIAZ2Y3X4W5V6U7T8S9",
  ],
  [`{"authorization":["Bearer ${RANDOM}"]}`, RANDOM],
  ['{"x-api-key":"correct horse 1"}', "correct horse 1"],
  [`["x-api-key","${RANDOM}"],["accept","*/*"]`, RANDOM],
  [`Authorization: Key my-id:${RANDOM.slice(0, 20)}`, "my-id", RANDOM.slice(0, 20)],
  [`Proxy-Authorization: Negotiate ${RANDOM}`, RANDOM],
  ['{"set-cookie":"__cf_bm=abc.def-1; path=/; HttpOnly"}', "abc.def-1"],
  ["__cf_bm=abc.def-123; path=/; expires=Fri, 20-Nov-26 12:00:00 GMT; HttpOnly; Secure", "abc.def-123"],
  ["postgres://u:p@ss@db.example/x", "p@ss", "ss@"],
  ["lookup relayuser:FAKEp4ss@proxy.example: no such host", "FAKEp4ss", "relayuser"],
  ["https://a.example/x?a=1&sig=a%2Bb%3D&sv=2", "a%2Bb"],
  ["https:\\/\\/a.example\\/x?a=1\\u0026access_token=abcdefg\\u0026b=2", "abcdefg"],
  ["https://a.example/x?a=1&amp;password=abcdefg&amp;b=2", "abcdefg"],
  ["https%3A%2F%2Fa.example%2Fx%3Fsecret%3Dabcdefg%26b%3D2", "abcdefg"],
  [
    `https://b.s3.example/x?X-Amz-Credential=AKIAZ2Y3X4W5V6U7T8S9%2F2026&X-Amz-Signature=${HEX64}&X-Amz-Security-Token=IQoJb3Jp`,
    HEX64,
    "AKIA",
    "IQoJb3Jp",
  ],
  [`https://b.tos.example/x?X-Tos-Credential=AKLTabc%2F2026&X-Tos-Signature=${HEX64}`, HEX64, "AKLTabc"],
  ['{"apiKey":"a\\"b c"}', "a\\", "b c"],
  ['{"error":"{\\"e\\":\\"{\\\\\\"password\\\\\\":\\\\\\"hunter2\\\\\\"}\\"}"}', "hunter2"],
  ["password: hunter2", "hunter2"],
  ["api-key: 0a1b2c3d", "0a1b2c3d"],
  ["Incorrect API key provided: abc***xyz. Find it at https://a.example.", "abc***xyz", "abc", "xyz"],
  ["Your api key: ****-key is invalid", "****-key"],
  ["Your api key: sk-your-****-key is invalid", "sk-your", "****"],
  [`Received API Key = sk-...fAkE, Key Hash (Token) =${HEX64}. Unable to find token`, "fAkE", HEX64],
  [`API key ${HEX32} is not valid`, HEX32],
  [`Unknown API key: ${UUID}`, UUID],
  [`API-Key value ${RANDOM} already exists`, RANDOM],
  [`API-Key-Token:${RANDOM}`, RANDOM],
  [`API密钥 ${HEX32} 已过期`, HEX32],
  ["contact bob.fake+x@mail.example.org now", "bob.fake", "example.org"],
  ['{"m":"\\nbob@example.org"}', "bob"],
  ["bob%40example.org", "bob"],
  ["-----BEGIN RSA PRIVATE KEY-----\nMIIEab\nDEF==\n-----END RSA PRIVATE KEY-----", "MIIE", "DEF", "PRIVATE"],
  ['{"k":"-----BEGIN PRIVATE KEY-----\\nMIIEabc\\nDEF=="}', "MIIE", "DEF"],
  ["https://hooks.slack.com/services/T000/B000/abcDEF", "T000", "abcDEF"],
  ["https://discord.com/api/webhooks/123/abc-DEF", "abc-DEF"],
  [`https://open.feishu.cn/open-apis/bot/v2/hook/${UUID}`, UUID],
  [`https://api.telegram.example/bot123456789:AA${RANDOM.slice(0, 33)}/sendMessage`, RANDOM.slice(0, 33)],
];

// What the services of the new-api family put before their messages.
const MASKED_IN_BRACKETS = "[sk-Ab1***Xy9] 该令牌状态不可用 (request id: 20260704211105265356413lWilsGXR)";

test("a masked key goes and the id beside it stays", () => {
  const [, rest = ""] = MASKED_IN_BRACKETS.split("]");
  expect(redact(MASKED_IN_BRACKETS)).toBe(`[[redacted]]${rest}`);
  expect(redact(`The API Key appears to be invalid or may have expired: ${HEX32}`)).not.toContain(HEX32);
});

describe("a secret goes by its place", () => {
  test.each(PLACES)("%s", (text, ...secrets) => {
    const left = redact(text);
    for (const secret of secrets) expect(left).not.toContain(secret);
    expect(left).toContain(REDACTED);
    expect(redact(left)).toBe(left);
  });
});

test("a number in the place of a password becomes null, for JSON must stay JSON", () => {
  expect(redact('{"password": 12345678, "n": 12345678}')).toBe('{"password": null, "n": 12345678}');
});

/** Not one character of these goes. */
const USEFUL = [
  "session_id: 0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
  "Auth error [trace_id=05997465cd2ee4bd50b24b216c911b75]",
  "Authorization failed: Bearer token is missing",
  'Bearer error="invalid_token", error_description="The access token expired"',
  'curl -H "Authorization: Bearer $OPENAI_API_KEY"',
  "AuthFailure.SecretIdNotFound, InvalidAccessKeyId.NotFound: Specified access key is not found.",
  "Rate limit reached for gpt-4o in organization org-AbCdEf123456 on tokens per min (TPM): Limit 30000",
  `Invalid API key, trace: ${HEX32}`,
  `{"error":{"message":"Invalid API key","type":"authentication_error","code":"invalid_api_key"},"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}`,
  `{"param":"key","code":"401","request_id":"${HEX32}"}`,
  '{"type":"token_not_found_in_db","trace":"4594b6332801e2c2b26d054c3aba58b2"}',
  "key error, cf-ray 9bcf27732f28ab39-YYZ",
  "token claude-3-5-sonnet-20241022",
  '{"max_tokens":4096,"total_tokens":13,"token_type":"Bearer","keyword":"a","tokenizer":"o200k_base"}',
  "max_tokens: 4096 is above the limit of 2048 tokens for this key",
  '{"logprobs":[{"token":"Hello","logprob":-0.1,"bytes":[72]},{"token":" world","top":[]}]}',
  "duplicate key value violates unique constraint",
  "Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON",
  "Unexpected token e in JSON at position 0",
  'WWW-Authenticate: Bearer realm="api"',
  "Missing bearer or basic authentication in header",
  "Use Authorization: Bearer <API_KEY>",
  "login fail: Please carry the API secret key in the 'Authorization' field of the request header (1004)",
  "Access denied due to invalid subscription key or wrong API endpoint.",
  '{"password":"This field is required.","api_key":["This field is required."],"token":null,"secret":""}',
  '{"api_key":"missing","authorization":"required","credentials":{"type":"none"},"cookie":{}}',
  "invalid_api_key: The key is not known",
  "Retry-After: 31, x-ratelimit-reset-tokens: 6m0s, at 2026-11-20T12:00:00.000Z",
  "status 429, code 1302, RESOURCE_EXHAUSTED, MAX_RETRIES_EXCEEDED, InvalidEndpointOrModel.NotFound",
  "https://platform.openai.com/account/api-keys and https://docs.example.com/key-management#tokens",
  "https://docs.example.com/errors?page=2&lang=en",
  "sk-learn is no key; the sk-SK locale is none; ask-me-anything-about-this-thing",
  "key: value, key=value, KeyError: 'choices'",
  "Token is invalid. Token expired at 2026-01-01 00:00:00",
  "Signature expired: 20260101T000000Z is now earlier than 20260101T001000Z",
  "Signature not yet current: 20260101T001500Z is still later than 20260101T001000Z (20260101T000500Z + 5 min.)",
  "You need to provide your API key in an Authorization header (i.e. Authorization: Bearer YOUR_KEY)",
  '{"apiKey":"ACME_API_KEY","headers":{"x-api-key":"{key}","authorization":"Bearer $TOKEN"}}',
  "new OpenAI({ apiKey: process.env.OPENAI_API_KEY, webhookSecret: process.env['OPENAI_WEBHOOK_SECRET'] })",
  '{"required":["api_key","model","messages"],"secrets":["token","password","chat-completions-v1"]}',
  '{"name":"access_token","value":null},{"name":"token","value":""},{"name":"max_tokens","value":"4096"}',
  "set GATEWAY_API_KEY=… and try again",
  "curl -H 'x-api-key: $ANTHROPIC_API_KEY' -H 'api-key: AZURE_OPENAI_API_KEY'",
  `resp_${Buffer.from("litellm:custom_llm_provider:openai;model_id:3f2a91;response_id:resp_68af4030592c81938ec0a5fbab4a3e9f68af4030592c8").toString("base64")}`,
  "余额不足或无可用资源包,请充值。令牌额度不足",
];

describe("what helps to find a fault stays", () => {
  test.each(USEFUL)("%s", (text) => {
    expect(redact(text)).toBe(text);
    expect(redact(JSON.stringify({ message: text }))).toBe(JSON.stringify({ message: text }));
  });
});

/** What a service repeats in its words. */
const ECHOED = "aB3dE5fG7hJ9kL1mN3pQ5rS7";

describe("a refused key goes, wherever the sentence repeats it", () => {
  test.each([
    `LiteLLM Virtual Key expected. Received=${ECHOED}, expected to start with 'sk-'.`,
    "LiteLLM Virtual Key expected. Received=Admi****@123, expected to start with 'sk-'.",
    `Malformed API Key passed in. Ensure Key has \`Bearer \` prefix. Passed in: ${ECHOED}`,
    `Unable to verify API key. Received: "${ECHOED}"`,
    `Illegal header value b'${ECHOED}\\n'`,
    `密钥${ECHOED}无效`,
    `令牌为${ECHOED}，已过期`,
    `API key ${ECHOED}无效`,
  ])("%s", (text) => {
    const left = redact(text);
    expect(left).toContain("[redacted]");
    expect(left).not.toContain(ECHOED);
    expect(left).not.toContain("Admi");
  });
});

describe("a sentence stays whole behind the name of a key", () => {
  test.each([
    "旧版 API Key 仅在明确的历史兼容窗口内可用。请升级并重新登录",
    "Token 已经过期请前往控制台重新生成一个新的令牌后再试",
    "令牌 已经过期请前往控制台重新生成一个新的令牌后再试一次谢谢",
    "api_key 参数缺失或者格式不正确请检查后再重新提交请求",
    "API 密钥 只能用于企业版套餐且不支持当前所选择的模型版本",
    "Неверный API key используйтеправильныйключдлядоступа",
    "The key is valid. Received: gpt-4o-mini-2024-07-18",
    "Token limit exceeded. Received: 128000",
    "Invalid API key. Received request id: req_aB3dE5fG7hJ9kL1mN3pQ",
    `Unexpected checksum. Received: ${ECHOED}`,
  ])("%s", (text) => expect(redact(text)).toBe(text));
});

describe("the secrets of others go", () => {
  test.each([
    ["root:S3cr3tPw@tcp(10.0.0.5:3306)/db", `${REDACTED}@tcp(10.0.0.5:3306)/db`],
    ["joe:hunter22@10.0.0.1 refused", `${REDACTED}@10.0.0.1 refused`],
    ["joe:pw@dbhost:5432", `${REDACTED}@dbhost:5432`],
    ["https://joe:hunter/22@c.example/", `https://${REDACTED}@c.example/`],
    ["curl -u admin:pw https://a.example", `curl -u admin:${REDACTED} https://a.example`],
    ["curl --user 'admin:pw' x", `curl --user 'admin:${REDACTED}' x`],
    ["upstream_sk-proj-T3stKeyAbCdEfGhIjKl", `upstream_${REDACTED}`],
    ["sk-proj-T3\u200bstKeyAbCdEfGh\u00adIjKl", REDACTED],
    ["<apiKey>hunter22aa</apiKey>", `<apiKey>${REDACTED}</apiKey>`],
    ["TOKEN=hunter22aa", `TOKEN=${REDACTED}`],
    ["DB_PASS=S3cr3tPw;", `DB_PASS=${REDACTED};`],
    ["invalid api key: hunter22", `invalid api key: ${REDACTED}`],
    ["Incorrect API key provided: 'hunter22'", `Incorrect API key provided: '${REDACTED}'`],
    ["the password is S3cr3tPw", `the password is ${REDACTED}`],
    ["密钥：hunter22abc", `密钥：${REDACTED}`],
    ["密码为 hunter22", `密码为 ${REDACTED}`],
  ])("%s", (text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });

  test("in base64 and in hexadecimal", () => {
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    const header = "Authorization: Bearer sk-proj-T3stKeyAbCdEfGhIjKl";
    for (const encoded of [base64(header), base64(base64(header)), Buffer.from(header).toString("hex")]) {
      const left = redact(`sent /${encoded} today`);
      expect(left).toMatch(/^sent \/\w{1,60}\[redacted\]\w{0,4}=* today$/);
    }
  });

  test.each([
    "http://a.example:8080/@scope/name and https://a.example/x:y@z",
    "image registry/ollama:latest@sha256:0a1b2c",
    "at 12:30 @ noon, ratio 3:1 @home",
    "curl -u $USER:$PASS x",
    "<token>Missing token</token><key>name</key>",
    "KEY=VALUE, TOKEN=$TOKEN, PASS=, MAX_TOKENS=4096",
    "Invalid API key: please check. API key: required. API key: error 401",
    "令牌：无效",
    "task-sk-learn and desk-lamp-controller-0123456789ab",
    "SGVsbG8gV29ybGQsIHRoaXMgaXMgYSB0ZXN0",
  ])("and this stays: %s", (text) => expect(redact(text)).toBe(text));
});
