/** What people are told of a canary: what it asks, whose turn it is, and what it costs to look again. */
import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { storyOf } from "../../src/alert/story.ts";
import { headline } from "../../src/alert/wording.ts";
import { CAUSE_TABLE } from "../../src/protocol/causes.ts";
import type { Cause, KeptDiagnosis } from "../../src/protocol/diagnosis.ts";
import { failure, incident, opened, TITLE, upstreamFails } from "./telling.ts";

const AT = "2026-11-20T12:00:00.000Z";
const STREAM = { name: "chat · gpt-4o-mini · stream", generates: true };
const VIDEO = { name: "video · sora-2", generates: true };
const CONSOLE = { name: "console", generates: false };

/** As its cause is judged where nothing is unusual. */
function failing(cause: Cause, canary: AlertEvent["canary"], over: Partial<KeptDiagnosis> = {}): AlertEvent {
  const { ok, owner, health, advice } = CAUSE_TABLE[cause];
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

const factOf = (event: AlertEvent, name: string) =>
  storyOf(event, TITLE).facts.find(({ label }) => label === name)?.text;

const SUPPORT = "Send the report to the gateway's support and see its status page.";

const LOW = "Top up the account of the key before requests are refused, or lower warnBelow.";
const USED_UP = "Top up the account of the key: waiting does not help.";

test.each([
  ["stream_error", STREAM, "Acme (chat · gpt-4o-mini · stream) is down: a stream carried an error", SUPPORT],
  ["task_failed", VIDEO, "Acme (video · sora-2) is down: a task failed", SUPPORT],
  ["balance_low", CONSOLE, "Acme (console): our key's balance is low", LOW],
  ["insufficient_balance", VIDEO, "Acme (video · sora-2): our key's balance is used up", USED_UP],
] as const)("%s of a canary names what it asks, and what to do", (cause, canary, words, advice) => {
  const event = failing(cause, canary);
  expect(headline(event, TITLE)).toBe(words);
  expect(factOf(event, "What to do")).toBe(advice);
});

test("of several monitors none is named by what it asks", () => {
  const event = failing("timeout", null);
  const monitors = ["acme/canary", "acme/models"];
  const both = { ...event, incident: incident({ ...event.incident, monitors }) };
  expect(headline(both, TITLE)).toMatch(/^Acme \(2 of 3 monitors\) is /);
});

describe("how long", () => {
  test("it waited is not told in seconds, for each canary has a time limit of its own", () => {
    const event = failing("timeout", STREAM, { layer: "network", owner: "operator", health: "down" });
    expect(factOf(event, "What to do")).toBe(
      "No answer came in time: send the report to the gateway's support and see its status page.",
    );
  });

  test("until it is asked again is longer and longer where it costs money", () => {
    const spared = "less and less often while it fails, to spare what it costs";
    expect(factOf(failing("stream_dropped", STREAM), "Next check")).toBe(spared);
    expect(factOf(failing("insufficient_balance", STREAM), "Next check")).toBe(spared);
    expect(factOf(failing("stream_dropped", CONSOLE), "Next check")).toBe(undefined);
    expect(factOf(failing("balance_low", CONSOLE), "Next check")).toBe(undefined);
    expect(factOf(failing("insufficient_balance", CONSOLE), "Next check")).toMatch(
      /^less and less often, down to every 15 minutes/,
    );
  });
});

test("what Gatepulse saw is not told as the gateway's words", () => {
  const low = failing("balance_low", CONSOLE, { message: "The balance is 3.5, below 5." });
  expect([factOf(low, "Seen"), factOf(low, "It says")]).toEqual(["The balance is 3.5, below 5.", undefined]);
  const said = failing("task_failed", VIDEO, { message: "The worker gave up." });
  expect([factOf(said, "Seen"), factOf(said, "It says")]).toEqual([undefined, "The worker gave up."]);
});
