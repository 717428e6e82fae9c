/** What people are advised: by cause, by whose turn it is, and of a canary by what it asks and what it costs to ask again. */
import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { storyOf } from "../../src/alert/story.ts";
import { headline } from "../../src/alert/wording.ts";
import { rowOf } from "../../src/protocol/causes.ts";
import { type Cause, type KeptDiagnosis, type Owner } from "../../src/protocol/diagnosis.ts";
import {
  balanceIsUsedUp,
  failure,
  flappingReminder,
  incident,
  opened,
  ownNetworkFails,
  SPEAKER,
  upstreamFails,
} from "./telling.ts";

const AT = "2026-11-20T12:00:00.000Z";

const factOf = (event: AlertEvent, name: string) => {
  const { facts, more } = storyOf(event, SPEAKER);
  return [...facts, ...more].find(({ label }) => label === name)?.text;
};
const adviceFor = (event: AlertEvent) => storyOf(event, SPEAKER).facts[0]?.text;

describe("what who is on call can do", () => {
  const failing = (cause: Cause, owner: Owner): AlertEvent => {
    const timeline = [failure("opened", AT, cause, owner, "down", "The advice.")];
    return opened({
      incident: incident({ cause, owner, timeline }),
      diagnosis: upstreamFails({ cause, owner, advice: "The advice." }),
    });
  };

  test.each([
    ["service_misconfigured", "operator", "The advice."],
    ["wrong_url", "caller", "The advice."],
  ] as const)("%s of the %s", (cause, owner, advice) => {
    expect(adviceFor(failing(cause, owner))).toBe(advice);
  });

  test("only the diagnosis knows the name of a secret that is not set, and what to look at in one's own network", () => {
    const told = failure("opened", AT, "authentication", "caller", "blocked");
    const timeline = [{ ...told, sent: false, text: "Set ACME_KEY." }];
    const facts = { cause: "authentication", owner: "caller", health: "blocked" } as const;
    expect(adviceFor(opened({ incident: incident({ ...facts, timeline }) }))).toBe("Set ACME_KEY.");
    expect(adviceFor(ownNetworkFails())).toMatch(/^Every gateway failed in the same tick/);
  });

  test("of what flaps it is that of the last failure, whatever was told before", () => {
    const advice = "The secret ACME_KEY is not set.";
    const unset = balanceIsUsedUp({ cause: "authentication", httpStatus: null, layer: null, advice });
    expect(adviceFor(flappingReminder({ diagnosis: unset }))).toBe(advice);
    expect(adviceFor(flappingReminder({ diagnosis: balanceIsUsedUp() }))).toMatch(/^Check the balance/);
  });
});

const STREAM = { name: "chat · gpt-4o-mini · stream", generates: true };
const VIDEO = { name: "video · sora-2", generates: true };
const CONSOLE = { name: "console", generates: false };

/** As its cause is judged where nothing is unusual. */
function canaryFails(
  cause: Cause,
  canary: AlertEvent["canary"],
  over: Partial<KeptDiagnosis> = {},
): AlertEvent {
  const { ok, owner, health, advice } = rowOf(cause);
  const diagnosis = upstreamFails({ ok, cause, owner, health, advice, ...over });
  const { owner: turn, health: stands } = diagnosis;
  const timeline = [failure("opened", AT, cause, turn, stands, advice)];
  return opened({
    gateway: { id: "acme", name: "Acme", monitors: 3 },
    monitor: "acme/canary",
    canary,
    incident: incident({ cause, owner: turn, health: stands, monitors: ["acme/canary"], timeline }),
    diagnosis,
  });
}

const LOW = "Top up the account before requests are refused.";
const USED_UP = "Check the balance, quota and provider of the account. Waiting does not help.";

test.each([
  [
    "stream_error",
    STREAM,
    "Down: Acme (chat · gpt-4o-mini · stream): the stream carried an error, for 1 min",
    rowOf("stream_error").advice,
  ],
  [
    "task_failed",
    VIDEO,
    "Down: Acme (video · sora-2): the task failed, for 1 min",
    rowOf("task_failed").advice,
  ],
  ["balance_low", CONSOLE, "Degraded: Acme (console): the balance is low, for 1 min", LOW],
  [
    "insufficient_balance",
    VIDEO,
    "Blocked: Acme (video · sora-2): the balance is used up, for 1 min",
    USED_UP,
  ],
] as const)("%s of a canary names what it asks, and what to do", (cause, canary, words, advice) => {
  const event = canaryFails(cause, canary);
  expect(headline(event, SPEAKER)).toBe(words);
  expect(adviceFor(event)).toBe(advice);
});

test("of several monitors none is named by what it asks", () => {
  const event = canaryFails("timeout", null);
  const monitors = ["acme/canary", "acme/models"];
  const both = { ...event, incident: incident({ ...event.incident, monitors }) };
  expect(headline(both, SPEAKER)).toMatch(/^Down: Acme \(2 of 3 monitors\): /);
});

test("a canary that costs money is asked less and less often", () => {
  const spared = "less often while it fails, to save money";
  expect(factOf(canaryFails("stream_dropped", STREAM), "Next check")).toBe(spared);
  expect(factOf(canaryFails("insufficient_balance", STREAM), "Next check")).toBe(spared);
  expect(factOf(canaryFails("stream_dropped", CONSOLE), "Next check")).toBe(undefined);
  expect(factOf(canaryFails("balance_low", CONSOLE), "Next check")).toBe(undefined);
  expect(factOf(canaryFails("insufficient_balance", CONSOLE), "Next check")).toMatch(
    /^less often each time, later every 15 min/,
  );
});

test("what Gatepulse saw is not told as the gateway's words", () => {
  const answer = { httpStatus: null, errorCode: null, errorType: null, requestId: null };
  const low = canaryFails("balance_low", CONSOLE, { ...answer, message: "The balance is 3.5, below 5." });
  expect([factOf(low, "Seen"), factOf(low, "Answer")]).toEqual(["The balance is 3.5, below 5.", undefined]);
  const said = canaryFails("task_failed", VIDEO, { ...answer, message: "The worker gave up." });
  expect([factOf(said, "Seen"), factOf(said, "Answer")]).toEqual([undefined, "The worker gave up."]);
});
