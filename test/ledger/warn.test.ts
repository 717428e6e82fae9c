import { expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { warnOfLedger } from "../../src/ledger/rpc.ts";

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

function logged(error: unknown): unknown[] {
  const log = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  warnOfLedger("it failed", error);
  const [words = []] = log.mock.calls;
  log.mockRestore();
  return words;
}

test("a text that is no JSON is not quoted in the log", () => {
  const error = thrownBy(() => JSON.parse("sk-secret"));
  expect(String(error)).toContain("sk-secret");
  expect(logged(error)).toEqual(["ledger: it failed", "SyntaxError"]);
});

test("a record that does not fit is not quoted in the log", () => {
  const error = thrownBy(() => z.strictObject({}).parse({ "sk-secret": 1 }));
  expect(String(error)).toContain("sk-secret");
  expect(logged(error).join()).not.toContain("sk-secret");
});
