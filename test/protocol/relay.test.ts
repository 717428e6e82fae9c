/** Who refused or failed: the gateway, a provider behind it, or a proxy before it. */
import { describe, expect, it } from "vitest";
import { readVectors, type Vector } from "../vectors/read-vectors.ts";
import { diagnosed } from "./answers.ts";

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

/** Answers with the marks of gateways, providers and proxies; `src/protocol/gateway-marks.ts` has their sources. */
interface Marked extends Pick<Vector, "status" | "headers" | "body"> {
  /** Whose words these are. */
  readonly speaker: "gateway" | "provider" | "proxy";
  readonly by: string;
  readonly cause?: string;
  readonly provider?: string | null;
}

const of = (speaker: Marked["speaker"]) =>
  readVectors<Marked>("relayed-answers").filter((row) => row.speaker === speaker);
const judged = ({ status, body, headers }: Marked) => diagnosed(status, body, { kind: "chat", headers });

describe("a provider that refuses the gateway's own key", () => {
  it.each(of("provider"))("is told from the gateway: $by", ({ cause, provider, ...row }) => {
    expect(judged(row)).toMatchObject({
      cause,
      owner: "operator",
      health: "down",
      retry: { allowed: false },
      relayed: { provider },
      advice: expect.stringMatching(
        new RegExp(`^${provider ?? "The provider"} refused the gateway's own key`, "i"),
      ),
    });
  });

  it.each([
    ["OpenAI", "OpenAI"],
    ["Xai", "xAI"],
    ["Acme", "acme"],
  ])("%s is written %s", (name, written) => {
    const body = error(`litellm.AuthenticationError: ${name}Exception - Incorrect API key`);
    expect(diagnosed(401, body, { kind: "chat" }).advice).toMatch(new RegExp(`^${written} refused `));
  });
});

it.each(of("gateway"))("a refusal of the caller's own key by $by stays the caller's", (row) => {
  expect(judged(row)).toMatchObject({ owner: "caller", health: "blocked", relayed: null });
});

describe("the default page of a proxy", () => {
  it.each(of("proxy"))("is the operator's turn, and may be retried: $by", (row) => {
    expect(judged(row)).toMatchObject({
      cause: "upstream_unavailable",
      owner: "operator",
      health: "down",
      retry: { allowed: true },
      relayed: null,
      advice: expect.stringContaining("cannot reach the gateway: it is stopped, starting, or too slow"),
    });
  });
});
