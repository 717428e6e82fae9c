/** Keys that a service repeats in its words, and words that only stand where a key might. */
import { describe, expect, test } from "vitest";
import { redact } from "../../../src/protocol/redaction/redact.ts";

const KEY = "aB3dE5fG7hJ9kL1mN3pQ5rS7";

describe("a refused key goes, wherever the sentence repeats it", () => {
  test.each([
    `LiteLLM Virtual Key expected. Received=${KEY}, expected to start with 'sk-'.`,
    "LiteLLM Virtual Key expected. Received=Admi****@123, expected to start with 'sk-'.",
    `Malformed API Key passed in. Ensure Key has \`Bearer \` prefix. Passed in: ${KEY}`,
    `Unable to verify API key. Received: "${KEY}"`,
    `Illegal header value b'${KEY}\\n'`,
    `密钥${KEY}无效`,
    `令牌为${KEY}，已过期`,
    `API key ${KEY}无效`,
  ])("%s", (text) => {
    const left = redact(text);
    expect(left).toContain("[redacted]");
    expect(left).not.toContain(KEY);
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
    `Unexpected checksum. Received: ${KEY}`,
  ])("%s", (text) => expect(redact(text)).toBe(text));
});
