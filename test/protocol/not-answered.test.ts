import { describe, expect, it } from "vitest";
import { diagnose } from "../../src/protocol/diagnose.ts";
import type { NetworkFailure } from "../../src/protocol/observation.ts";
import { CONTEXT } from "./answers.ts";

const FAILURE: NetworkFailure = {
  type: "network_failure",
  kind: "models",
  stage: "unknown",
  status: null,
  headers: {},
  detail: "ECONNRESET",
};

describe("a network failure", () => {
  it.each([
    ["dns", "dns_failure", "network"],
    ["connect", "connection_failed", "operator"],
    ["tls", "tls_failure", "operator"],
    ["timeout", "timeout", "operator"],
    ["unknown", "network_error", "network"],
  ] as const)("of stage %s is %s", (stage, cause, owner) => {
    expect(diagnose({ ...FAILURE, stage }, CONTEXT)).toMatchObject({
      cause,
      owner,
      health: "down",
      layer: "network",
      ok: false,
      httpStatus: null,
      message: "ECONNRESET",
      retry: { allowed: false, afterSeconds: null, hint: null },
    });
  });

  it("after the headers keeps their status and id, and is the connection's", () => {
    const after = diagnose({ ...FAILURE, status: 200, headers: { "x-request-id": "req-1" } }, CONTEXT);
    expect(after).toMatchObject({ cause: "connection_failed", httpStatus: 200, requestId: "req-1" });
    const late = diagnose({ ...FAILURE, status: 503, stage: "timeout" }, CONTEXT);
    expect(late).toMatchObject({ cause: "timeout", httpStatus: 503, retry: { allowed: false } });
  });
});

describe("a request that was not sent", () => {
  it.each([
    ["secret_missing", "The secret ACME_KEY is not set. Set it to the complete API key."],
    ["secret_malformed", "The secret ACME_KEY cannot be sent in a header. Set it to the complete API key."],
  ] as const)("because of %s names the secret", (reason, advice) => {
    const found = diagnose({ type: "not_sent", kind: "models", reason, secretName: "ACME_KEY" }, CONTEXT);
    expect(found).toMatchObject({
      cause: "authentication",
      owner: "caller",
      health: "blocked",
      layer: null,
      httpStatus: null,
      advice,
    });
  });
});
