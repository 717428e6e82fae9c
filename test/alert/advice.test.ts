/** What who is on call can do: by cause, and by whose turn it is. */
import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { storyOf } from "../../src/alert/story.ts";
import { type Cause, CAUSES, type Diagnosis, type Owner, OWNERS } from "../../src/protocol/diagnosis.ts";
import {
  balanceIsUsedUp,
  failure,
  flappingReminder,
  incident,
  opened,
  ownNetworkFails,
  TITLE,
  upstreamFails,
} from "./telling.ts";

describe("what who is on call can do", () => {
  const adviceFor = (event: AlertEvent) =>
    storyOf(event, TITLE).facts.find(({ label }) => label === "What to do")?.text;
  const failing = (cause: Cause, owner: Owner, over: Partial<Diagnosis> = {}): AlertEvent => {
    const timeline = [failure("opened", "2026-11-20T12:00:00.000Z", cause, owner, "down", "The advice.")];
    return opened({
      incident: incident({ cause, owner, timeline }),
      diagnosis: upstreamFails({ cause, owner, advice: "The advice.", ...over }),
    });
  };

  const ASK = "Send the report to the gateway's support and see its status page.";
  const NEW_KEY = "Make a new key, and set the key's secret to it.";
  const VALID = "Set the key's secret to a valid key; make a new one if this one is revoked or expired.";
  const CHANGE = "See what the answer says, and change what the monitor asks.";
  const CHECK_URL = "Check baseUrl in the configuration: host, port and path.";

  test.each([
    ["service_misconfigured", "operator", {}, ASK],
    ["timeout", "operator", { layer: "network" }, `No answer came within 30 s: s${ASK.slice(1)}`],
    ["wrong_url", "caller", {}, CHECK_URL],
    ["authentication", "caller", { errorCode: "api_key_revoked" }, NEW_KEY],
    ["authentication", "caller", { errorCode: null, errorType: "api_key_revoked" }, NEW_KEY],
    ["authentication", "caller", { errorCode: "invalid_api_key" }, VALID],
    ["http_error", "caller", {}, CHANGE],
    ["business_error", "caller", {}, "Make a new key: this one was not kept."],
  ] as const)("%s of the %s", (cause, owner, over, advice) => {
    expect(adviceFor(failing(cause, owner, over))).toBe(advice);
  });

  test("each is one sentence, whoever must act", () => {
    for (const cause of CAUSES)
      for (const owner of OWNERS)
        for (const layer of ["network", "http"] as const)
          expect(adviceFor(failing(cause, owner, { layer }))).toMatch(/^[A-Z][^.!?]*\.$/);
  });

  test("without a report the answer is what can be sent", () => {
    expect(adviceFor(opened({ report: null }))).toMatch(/^Send the answer to /);
  });

  test("only the diagnosis knows the name of a secret that is not set, and what to look at in one's own network", () => {
    const told = failure("opened", "2026-11-20T12:00:00.000Z", "authentication", "caller", "blocked");
    const timeline = [{ ...told, sent: false, text: "Set ACME_KEY." }];
    const facts = { cause: "authentication", owner: "caller", health: "blocked" } as const;
    expect(adviceFor(opened({ incident: incident({ ...facts, timeline }) }))).toBe("Set ACME_KEY.");
    expect(adviceFor(ownNetworkFails())).toMatch(/^Every gateway failed in the same tick/);
  });

  test("of what flaps it is that of the last failure, whatever was told before", () => {
    const advice = "The secret ACME_KEY is not set.";
    const unset = balanceIsUsedUp({ cause: "authentication", httpStatus: null, layer: null, advice });
    expect(adviceFor(flappingReminder({ diagnosis: unset }))).toBe(advice);
    expect(adviceFor(flappingReminder({ diagnosis: balanceIsUsedUp() }))).toMatch(/^Top up the account/);
  });
});
