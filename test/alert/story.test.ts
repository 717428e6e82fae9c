/** What a message tells beside its headline, and how much it presses. */
import { describe, expect, test } from "vitest";
import { severityOf } from "../../src/alert/severity.ts";
import { storyOf } from "../../src/alert/story.ts";
import { HEALTHS } from "../../src/protocol/diagnosis.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import {
  balanceIsUsedUp,
  blocked,
  changed,
  changedAgain,
  failure,
  flappingReminder,
  incident,
  modelsChanged,
  opened,
  resolved,
  steady,
  STEADY_TEXT,
  TITLE,
  updated,
  upstreamFails,
} from "./telling.ts";

describe("facts", () => {
  const factsOf = (event: Parameters<typeof storyOf>[0]) =>
    storyOf(event, TITLE).facts.map(({ label, text }) => `${label}: ${text}`);

  test("an outage says whose turn it is, what to do, since when, and what the gateway said", () => {
    expect(factsOf(opened())).toEqual([
      "Whose turn: the provider behind the gateway",
      "What to do: Send the report to the gateway's support and see its status page.",
      "Since: 2026-11-20 11:59:00 UTC",
      "Incident id: acme.models-20261120t120000z",
      "Monitors: acme/models",
      "Answer: HTTP 503, upstream_error, request req_8f2a",
      "It says: no channel is available for this model",
    ]);
  });

  test("a failure that regions see says from which of them", () => {
    const seenFrom = (...regions: readonly string[]) => {
      const event = opened();
      return factsOf({ ...event, incident: event.incident && { ...event.incident, regions: [...regions] } });
    };
    expect(seenFrom("weur", "enam", "apac")).toContain("Seen from: weur, enam and apac");
    expect(seenFrom("weur")).toContain("Seen from: weur");
  });

  test("what has changed tells since when, and how it began", () => {
    const facts = factsOf(updated());
    expect(facts).toContain(
      "Since: 2026-11-20 12:10:00 UTC (down from 11:59:00: its upstream is unavailable)",
    );
    expect(facts.some((fact) => fact.startsWith("Before"))).toBe(false);
  });

  test("after several changes it says also what it was just before", () => {
    const facts = factsOf(changedAgain());
    expect(facts).toContain(
      "Since: 2026-11-20 12:20:00 UTC (down from 11:59:00: its upstream is unavailable)",
    );
    expect(facts).toContain("Before: blocked (our key's balance is used up)");
  });

  test("a beginning of another day has its date", () => {
    const event = updated({
      incident: { ...updated().incident!, firstFailureAt: "2026-11-19T23:59:00.000Z" },
    });
    expect(factsOf(event)).toContain(
      "Since: 2026-11-20 12:10:00 UTC (down from 2026-11-19 23:59:00: its upstream is unavailable)",
    );
  });

  test("what flaps tells when it began, since when it flaps, and all that it was", () => {
    expect(factsOf(flappingReminder())).toEqual(
      expect.arrayContaining([
        "Began: 2026-11-20 11:59:00 UTC",
        "Flapping since: 2026-11-20 12:20:00 UTC",
        "So far: down (its upstream is unavailable), then flapping",
      ]),
    );
    expect(factsOf(flappingReminder()).some((fact) => fact.startsWith("Since"))).toBe(false);
    const { timeline } = flappingReminder().incident!;
    const wasBlocked = incident({
      ...updated().incident,
      flapping: true,
      timeline: [...(updated().incident?.timeline ?? []), ...timeline.slice(-1)],
    });
    expect(factsOf(flappingReminder({ incident: wasBlocked }))).toContain(
      "So far: down (its upstream is unavailable), then blocked (our key's balance is used up), then flapping",
    );
  });

  test("what flaps and was good at its latest check advises only for the next failure", () => {
    const flaps = { type: "incident.updated", reason: "flapping" } as const;
    expect(factsOf(blocked({ ...flaps, diagnosis: diagnosis("ok", "up") }))).toEqual([
      "Whose turn: ours (the owner of the monitor's key)",
      "Latest check: good",
      "If it fails again: Top up the account of the key: waiting does not help.",
      "Began: 2026-11-20 11:59:00 UTC",
      "So far: blocked (our key's balance is used up)",
      "Incident id: acme.models-20261120t120000z",
      "Monitors: acme/models",
    ]);
    expect(factsOf(blocked(flaps))).toContain(
      "What to do: Top up the account of the key: waiting does not help.",
    );
  });

  test.each([
    ["authentication", ""],
    ["insufficient_balance", ". Topped up? Probe now"],
    ["quota_exceeded", ". Quota raised? Probe now"],
    ["permission_denied", ". Permission given? Probe now"],
  ] as const)("after %s it says when it is asked again, and how to ask at once%s", (cause, more) => {
    const event = blocked({ diagnosis: balanceIsUsedUp({ cause }) });
    expect(factsOf(event).filter((fact) => fact.startsWith("Next check"))).toEqual([
      `Next check: less and less often, every 15 minutes at last; at once when the key is changed${more}${
        more === "" ? "" : ": POST /api/v1/admin/gateways/acme/monitors/models/probe"
      }`,
    ]);
  });

  test("what is steady after it flapped tells when it began, and since when each check failed", () => {
    const story = storyOf(steady(), TITLE);
    expect(story.note).toBe(STEADY_TEXT);
    expect(factsOf(steady())).toEqual(factsOf(opened()));
    const ours = storyOf(steady(blocked()), TITLE);
    expect(ours.note).toBe(
      `This is no outage of the gateway: the monitor cannot see whether it works. ${STEADY_TEXT}`,
    );
    const older = steady(opened(), { incident: incident() });
    expect(storyOf(older, TITLE).note).toBeNull();
  });

  test("who has left is not among its monitors while it is open", () => {
    const shared = incident({ monitors: ["acme/eu", "acme/models"], members: ["acme/eu"] });
    expect(factsOf(opened({ incident: shared }))).toContain("Monitors: acme/eu");
    const over = incident({ monitors: ["acme/eu", "acme/models"] });
    expect(factsOf(resolved(opened({ incident: over })))).toContain("Monitors: acme/eu, acme/models");
  });

  test("what joined in between is no advice", () => {
    const joined = { ...failure("updated", "2026-11-20T12:01:00.000Z"), type: "joined", text: "x/y joined." };
    const event = opened({ incident: incident({ timeline: [...incident().timeline, joined] }) });
    expect(factsOf(event)[1]).toMatch(/^What to do: Send the report/);
  });

  test("the gateway's Retry-After is told, but not again in a reminder", () => {
    const retry = { allowed: true, afterSeconds: 300, hint: null };
    const event = opened({ diagnosis: upstreamFails({ retry }) });
    expect(factsOf(event)).toContain("Next check: after 5 min at the earliest, as the gateway asks");
    const reminder = { ...event, type: "incident.updated", reason: "reminder" } as const;
    expect(factsOf(reminder).some((fact) => fact.startsWith("Next check"))).toBe(false);
  });

  test("an end asks nobody to act", () => {
    expect(factsOf(resolved())).toEqual([
      "It was: down (its upstream is unavailable)",
      "Lasted: 31 min, from 2026-11-20 11:59:00 UTC",
      "Incident id: acme.models-20261120t120000z",
      "Monitors: acme/models",
    ]);
  });

  test("an end tells all that it was", () => {
    expect(factsOf(resolved(updated()))[0]).toBe(
      "It was: down (its upstream is unavailable), then blocked (our key's balance is used up)",
    );
    expect(factsOf(resolved(changedAgain()))[0]).toBe(
      "It was: down (its upstream is unavailable), then blocked (our key's balance is used up), then down (no complete answer came in time)",
    );
    expect(factsOf(resolved(flappingReminder()))[0]).toBe(
      "It was: down (its upstream is unavailable), then flapping",
    );
  });

  test("of many changes the first two and the last are told", () => {
    const event = changedAgain();
    const more = failure("updated", "2026-11-20T12:25:00.000Z", "slow", "operator", "degraded");
    const timeline = [...(event.incident?.timeline ?? []), more];
    expect(factsOf(resolved({ ...event, incident: { ...event.incident!, timeline } }))[0]).toBe(
      "It was: down (its upstream is unavailable), then blocked (our key's balance is used up), …, then degraded (it is slower than it should be)",
    );
  });

  test("where the first failure is not known it lasted from its opening", () => {
    expect(factsOf(resolved(opened({ incident: incident({ firstFailureAt: null }) })))).toContain(
      "Lasted: 30 min, from 2026-11-20 12:00:00 UTC",
    );
  });

  test("of several missing models those that are new are named", () => {
    expect(factsOf(modelsChanged(["b"], ["c"], ["a", "b"])).slice(1)).toEqual([
      "Back: c",
      "New: b",
      "Missing: a, b",
      "Monitor: acme/models",
    ]);
  });

  test("models that nobody looks for any more are never said to be back", () => {
    const story = storyOf(modelsChanged([]), TITLE);
    expect(story.note).toBe(
      "Nobody saw them return: their monitor was paused, removed or renamed, or expect names them no more.",
    );
    expect(factsOf(modelsChanged([]))).toEqual(["Monitor: acme/models"]);
    expect(storyOf(modelsChanged([], ["a"]), TITLE).note).toBeNull();
    expect(factsOf(modelsChanged([], ["a"]))).toContain("Missing: none any more");
  });

  test("of many models ten are named", () => {
    const many = Array.from({ length: 100 }, (_, index) => `m${index}`);
    expect(factsOf(modelsChanged(many))).toContain(
      "Missing: m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 and 90 more",
    );
  });

  test.each([
    "/incidents/1",
    "javascript:alert(1)",
    "https://a.example/ x",
    'https://a.example/"onload=',
    "https://a.example/<b>",
    "https://a.example/|x",
    "https://a.example/`",
    "https://ä.example/",
    `https://a.example/${"x".repeat(483)}`,
  ])("%s is no link", (url) => {
    expect(storyOf(opened({ url, report: url }), TITLE).links).toEqual([]);
  });

  test("the page's own addresses are", () => {
    const url = `https://a.example/${"x".repeat(482)}`;
    expect(storyOf(opened({ url, report: "http://127.0.0.1:8787/reports/1" }), TITLE).links).toEqual([
      { label: "Incident", url },
      { label: "Report", url: "http://127.0.0.1:8787/reports/1" },
    ]);
  });
});

test.each([
  [["a"], [], ["a"], "warning"],
  [[], ["a"], ["b"], "warning"],
  [[], ["a"], [], "good"],
  // Nobody saw them return.
  [[], [], [], "info"],
] as const)(
  "models that vanished %j, returned %j and are missing %j: %s",
  (vanished, returned, missing, severity) => {
    expect(severityOf(modelsChanged(vanished, returned, missing))).toBe(severity);
  },
);

test("what is steady after it flapped presses as its health does", () => {
  expect(severityOf(steady())).toBe("critical");
  expect(severityOf(steady(blocked()))).toBe("error");
  expect(severityOf(steady(changed("slow", "degraded")))).toBe("warning");
});

describe("flapping", () => {
  test.each([
    ["a reminder", flappingReminder(), "warning"],
    ["what stands", flappingReminder({ reason: null }), "warning"],
    [
      "a good probe that makes it flap",
      opened({ type: "incident.updated", reason: "flapping", diagnosis: diagnosis("ok", "up") }),
      "warning",
    ],
    ["a failed probe that makes it flap", opened({ reason: "flapping" }), "critical"],
  ] as const)("%s is %s", (_, event, severity) => {
    expect(severityOf(event)).toBe(severity);
  });

  test("of an outage is never said to be none", () => {
    expect(storyOf(updated({ reason: "flapping" }), TITLE).note).toBe(
      "It changes so often that, until it is steady, nothing is told but reminders and what is new.",
    );
  });
});

test.each([
  ["down", "critical"],
  ["blocked", "error"],
  ["unknown", "error"],
  ["degraded", "warning"],
  ["up", "info"],
] as const)("%s is %s", (health, severity) => {
  expect(HEALTHS).toContain(health);
  expect(severityOf(opened({ incident: incident({ health }) }))).toBe(severity);
});
