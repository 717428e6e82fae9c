/** What a message tells beside its headline, and how much it presses. */
import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { severityOf, headline } from "../../src/alert/wording.ts";
import { storyOf } from "../../src/alert/story.ts";
import type { Health, Cause, KeptDiagnosis, Owner } from "../../src/protocol/diagnosis.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import {
  balanceIsUsedUp,
  blocked,
  changedAgain,
  failure,
  flappingReminder,
  incident,
  modelsChanged,
  noteOf,
  opened,
  resolved,
  steady,
  SPEAKER,
  updated,
  upstreamFails,
  ownNetworkFails,
} from "./telling.ts";
import { rowOf } from "../../src/protocol/causes.ts";

const DOWN = "down (the provider behind the gateway is unavailable)";
const BLOCKED = "blocked (the balance is used up)";
const TOP_UP = "Check the balance, quota and provider of the account. Waiting does not help.";
const factsOf = (event: AlertEvent) => {
  const { facts, more } = storyOf(event, SPEAKER);
  return [...facts, ...more].map(({ label, text }) => `${label}: ${text}`);
};
const labelled = (event: AlertEvent, label: string) =>
  factsOf(event).filter((fact) => fact.startsWith(label));

/** Four changes, the last of them to slow. */
function changedOften(): AlertEvent {
  const event = changedAgain();
  const more = failure("updated", "2026-11-20T12:25:00.000Z", "slow", "operator", "degraded");
  return { ...event, incident: { ...event.incident!, timeline: [...event.incident!.timeline, more] } };
}

function seenFrom(...regions: string[]): AlertEvent {
  return opened({ incident: { ...incident(), regions } });
}

describe("facts", () => {
  const flaps = { type: "incident.updated", reason: "flapping" } as const;
  const shared = incident({ monitors: ["acme/eu", "acme/models"] });
  const many = Array.from({ length: 100 }, (_, index) => `m${index}`);
  const retry = { allowed: true, afterSeconds: 300, hint: null };
  const asksForPeace = opened({ diagnosis: upstreamFails({ retry }) });

  test.each<[title: string, event: AlertEvent, facts: string[]]>([
    [
      "an outage says whose turn it is and what to do, what the gateway said, and since when",
      opened(),
      [
        "The provider's turn: The gateway got no answer from the provider behind it. Wait, or switch to another gateway.",
        "Answer: HTTP 503, upstream_error, request req_8f2a: no channel is available for this model",
        "Since: 2026-11-20 11:59:00 UTC",
      ],
    ],
    [
      "what flaps and was good at its latest check advises only for the next failure",
      blocked({ ...flaps, diagnosis: diagnosis("ok", "up") }),
      [
        `Your turn if it fails again: ${TOP_UP}`,
        "Note: Not a gateway outage. If production uses this account, its calls fail too. It changes often. Until it is steady, only reminders are sent.",
        "Since: 2026-11-20 11:59:00 UTC",
      ],
    ],
    ["an end asks nobody to act", resolved(), [`It was: ${DOWN}`, "Since: 2026-11-20 11:59:00 UTC"]],
    ["models that nobody looks for are not told", modelsChanged([]), []],
  ])("%s", (_, event, facts) => {
    expect(factsOf(event)).toEqual(facts);
  });

  test.each<[fact: string, event: AlertEvent]>([
    ["Seen from: weur, enam, apac", seenFrom("weur", "enam", "apac")],
    ["Since: 2026-11-20 11:59:00 UTC", updated()],
    [`So far: ${DOWN}, then ${BLOCKED}`, updated()],
    [`So far: ${DOWN}, then flapping`, flappingReminder()],
    [`Your turn: ${TOP_UP}`, blocked(flaps)],
    // Monitors that left are not listed while it is open.
    ["Monitors: acme/eu, acme/us", opened({ incident: { ...shared, members: ["acme/eu", "acme/us"] } })],
    ["Monitors: acme/eu, acme/models", resolved(opened({ incident: shared }))],
    ["Next check: after 5 min at the earliest, as the gateway asks", asksForPeace],
    [`It was: ${DOWN}, then ${BLOCKED}`, resolved(updated())],
    [`It was: ${DOWN}, then ${BLOCKED}, then down (the request timed out)`, resolved(changedAgain())],
    // Of many changes the first two and the last.
    [`It was: ${DOWN}, then ${BLOCKED}, …, then degraded (too slow)`, resolved(changedOften())],
    // Where the first failure is not known it lasted from its opening.
    ["Since: 2026-11-20 12:00:00 UTC", resolved(opened({ incident: incident({ firstFailureAt: null }) }))],
    ["Missing: m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 and 90 more", modelsChanged(many)],
  ])("%s", (fact, event) => {
    expect(labelled(event, fact.split(":", 1)[0] ?? "")).toEqual([fact]);
  });

  test("there is no 'So far' of what never changed", () => {
    expect(labelled(opened(), "So far")).toEqual([]);
  });

  test.each(["authentication", "insufficient_balance", "quota_exceeded", "permission_denied"] as const)(
    "after %s it says when it is asked again",
    (cause) => {
      const event = blocked({ diagnosis: balanceIsUsedUp({ cause }) });
      expect(labelled(event, "Next check")).toEqual([
        "Next check: less often each time, later every 15 min; at once if you change the key",
      ]);
    },
  );

  test("of several missing models those that are new are named", () => {
    expect(factsOf(modelsChanged(["b"], ["c"], ["a", "b"]))).toEqual([
      "The operator's turn: Ask the gateway's support for the model, or remove it from expect.",
      "Back: c",
      "New: b",
      "Missing: a, b",
    ]);
  });
});

const USED = { gateway: { id: "acme", name: "Acme", monitors: 1, usedBy: "production" } } as const;

describe("notes", () => {
  const OURS = "Not a gateway outage. If production uses this account, its calls fail too.";

  test.each<[title: string, event: AlertEvent, note: string]>([
    ["what is steady after it flapped is no outage where it is ours", steady(blocked()), OURS],
    [
      "of a key that production uses, the headline says that its calls fail too",
      blocked(USED),
      "Not a gateway outage.",
    ],
    [
      "flapping of an outage is never said to be none",
      updated({ reason: "flapping" }),
      "It changes often. Until it is steady, only reminders are sent.",
    ],
  ])("%s", (_, event, note) => {
    expect(noteOf(storyOf(event, SPEAKER))).toBe(note);
  });
});

test("pages of an installation without an address are no links, so the incident's id is told", () => {
  const bare = storyOf(opened({ url: "/incidents/1", report: "/reports/1" }), SPEAKER);
  expect(bare.links).toEqual([]);
  expect(bare.facts.map(({ text }) => text)).toContain("acme.models-20261120t120000z");
  expect(storyOf(opened(), SPEAKER).links.map(({ label }) => label)).toEqual([
    "Incident",
    "Acknowledge or silence",
    "Report",
  ]);
});

test("only where somebody administers, and while it is open, an incident links to where they act on it", () => {
  const urlOf = (event: AlertEvent, isAdministered: boolean) =>
    storyOf(event, { ...SPEAKER, isAdministered }).links.find(({ label }) => label.startsWith("Acknowledge"))
      ?.url;
  const { id } = incident();
  expect(urlOf(opened(), true)).toBe(`https://status.acme.example/admin/incidents/${id}`);
  const others = [urlOf(opened(), false), urlOf(resolved(), true), urlOf(modelsChanged(["a"]), true)];
  expect(others).toEqual([undefined, undefined, undefined]);
});

test("a runbook is a link where it is an address, else a fact like the contact", () => {
  const withRunbook = (runbook: string) =>
    opened({ incident: incident({ runbook, contact: "Anna *4711*" }) });
  const story = storyOf(withRunbook("https://wiki.example/a"), SPEAKER);
  expect(story.links.at(-1)).toEqual({ label: "Runbook", url: "https://wiki.example/a" });
  expect(factsOf(withRunbook("Restart it."))).toEqual(
    expect.arrayContaining(["Runbook: Restart it.", "Contact: Anna *4711*"]),
  );
});

test("an incident of several gateways is named by their provider, and its updates say which gateway fails too or works again", () => {
  const gateways = ["Acme", "Beta"].map((name) => ({ id: name.toLowerCase(), name }));
  const headlineOf = (last: "joined" | "left", members = ["acme/models", "beta/models"]) => {
    const { timeline } = incident();
    const moves = [
      { ...timeline[0]!, type: last, text: "beta/models fails in the same way." },
      { ...timeline[0]!, type: "joined", text: "gamma/models fails in the same way." },
    ];
    const shared = incident({
      provider: { name: "OpenAI", gateways },
      monitors: ["acme/models", "beta/models"],
      members,
      timeline: [...timeline, ...moves],
    });
    const update = { type: "incident.updated", monitor: "beta/models", incident: shared } as const;
    return storyOf(opened(update), SPEAKER).headline;
  };
  expect(headlineOf("joined")).toMatch(/^Down: OpenAI, behind Acme and Beta: .*; Beta fails too$/u);
  expect(headlineOf("left", ["acme/models"])).toMatch(/^Down: OpenAI, behind Acme: .*; Beta works again$/u);
});

const standing = (health: Health) => opened({ incident: incident({ health }) });
const turned = { type: "incident.updated", reason: "flapping", diagnosis: diagnosis("ok", "up") } as const;

test.each<[title: string, event: AlertEvent, severity: string]>([
  ["down", standing("down"), "critical"],
  ["blocked", standing("blocked"), "error"],
  ["a refused key that production uses", blocked(USED), "critical"],
  ["a refused key that only the monitor uses", blocked(), "error"],
  ["degraded", standing("degraded"), "warning"],
  ["a model that vanished", modelsChanged(["a"], [], ["a"]), "warning"],
  ["one that returned while another is missing", modelsChanged([], ["a"], ["b"]), "warning"],
  ["the last that returned", modelsChanged([], ["a"], []), "good"],
  ["models that nobody saw return", modelsChanged([], [], []), "info"],
  ["a reminder of what flaps", flappingReminder(), "warning"],
  ["a good probe that makes it flap", opened(turned), "warning"],
  ["a failed probe that makes it flap", opened({ reason: "flapping" }), "critical"],
])("$0 presses: $2", (_, event, severity) => {
  expect(severityOf(event)).toBe(severity);
});

// What people are advised: by cause, by whose turn it is, and of a canary by what it asks and what it costs
// to ask again.

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
  const failed = upstreamFails({ ok, cause, owner, health, advice, ...over });
  const { owner: turn, health: stands } = failed;
  const timeline = [failure("opened", AT, cause, turn, stands, advice)];
  return opened({
    gateway: { id: "acme", name: "Acme", monitors: 3 },
    monitor: "acme/canary",
    canary,
    incident: incident({ cause, owner: turn, health: stands, monitors: ["acme/canary"], timeline }),
    diagnosis: failed,
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
