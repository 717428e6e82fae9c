/** What tests of the forms have in common. */
import { explain, type Explanation } from "../../src/explain/explain.ts";
import type { Kind } from "../../src/protocol/observation.ts";
import { redact } from "../../src/protocol/redaction/redact.ts";

export const NO_MONEY =
  '{"error":{"message":"no money","type":"insufficient_quota","code":"insufficient_balance"}}';

export function explained(text: string, kind: Kind | null = null): Explanation {
  const explanation = explain(text, { kind, nowMs: 0, timeZone: "Asia/Shanghai", redact });
  if (explanation === null) throw new Error("there is nothing to explain");
  return explanation;
}
