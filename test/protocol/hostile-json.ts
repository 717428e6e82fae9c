/** JSON made of the members and the words that a gateway's answer is read by. */
import * as fc from "fast-check";

const MEMBERS = (
  "error code message data type status state task_id id choices success base_resp header Response detail output " +
  "errors request_id done name result status_code delta content usage url prompt_tokens output_tokens balance " +
  "finish_reason"
).split(" ");
const WORDS = (
  "insufficient_balance|quota_exceeded|rate limit|invalid api key|余额不足|FAILED|PENDING|queued|succeeded|pong|5000|0|" +
  '|success|null|{"error":"x"}|data: x\n\n|error code: 1016|<html>|https://files.example/1'
).split("|");

export const member = fc.constantFrom(...MEMBERS);
export const words = fc.constantFrom(...WORDS);

/** `more`: further words. */
export function hostileJson(...more: readonly string[]): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(null, true, false, 0, 1, -1, 1.5, 1e300, 200, 401, 5000, 4004),
      fc.constantFrom(...WORDS, ...more),
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(member, tie("value"), { maxKeys: 5 }),
    ),
  })).value;
}
