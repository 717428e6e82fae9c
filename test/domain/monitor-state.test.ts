import { expect, test } from "vitest";
import {
  incidentChange,
  incidentId,
  openedAtOf,
  openIncident,
  updateIncident,
} from "../../src/domain/incident.ts";
import {
  applyOutcome,
  judgeByHistory,
  newMonitor,
  withNewIdentity,
  withoutVerdict,
} from "../../src/domain/monitor-state.ts";
import type { Cause, Diagnosis, Health } from "../../src/protocol/diagnosis.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";

const rhythm = { monitorId: "acme/models", everyMs: 60_000, tickMs: 60_000 };
const HOUR = 3_600_000;

function after(verdicts: readonly [Cause, Health][]) {
  return verdicts.reduce(
    (state, [cause, health], n) =>
      applyOutcome(
        state,
        outcome({ startedAtMs: (n + 1) * 60_000, diagnosis: diagnosis(cause, health) }),
        rhythm,
        (n + 1) * 60_000,
      ),
    newMonitor(0),
  );
}

test("a good probe ends the failures in a row, and a bad one the good ones", () => {
  expect(
    after([
      ["timeout", "down"],
      ["timeout", "down"],
    ]).failedInARow,
  ).toBe(2);
  expect(
    after([
      ["timeout", "down"],
      ["ok", "up"],
    ]),
  ).toMatchObject({ failedInARow: 0, goodInARow: 1 });
  expect(
    after([
      ["ok", "up"],
      ["rate_limited", "degraded"],
    ]),
  ).toMatchObject({ failedInARow: 1, goodInARow: 0 });
});

test("unknown moves no counter and keeps the last verdict", () => {
  const state = after([
    ["timeout", "down"],
    ["network_error", "unknown"],
  ]);
  expect(state).toMatchObject({ health: "unknown", lastVerdict: "down", failedInARow: 1, goodInARow: 0 });
});

test("a health begins with the first probe that showed it", () => {
  expect(
    after([
      ["ok", "up"],
      ["timeout", "down"],
      ["http_error", "down"],
    ]).sinceMs,
  ).toBe(120_000);
});

test("refusals in a row stretch the interval, and any other cause ends that", () => {
  expect(
    after([
      ["authentication", "blocked"],
      ["authentication", "blocked"],
    ]).nextDueMs,
  ).toBe(120_000 + 4 * 60_000);
  expect(
    after([
      ["authentication", "blocked"],
      ["ok", "up"],
    ]).nextDueMs,
  ).toBe(180_000);
});

test("a new key is tried at once, and nothing is claimed of its past", () => {
  const state = withNewIdentity(
    after([
      ["ok", "up"],
      ["authentication", "blocked"],
    ]),
  );
  expect(state).toMatchObject({ refusalsInARow: 0, nextDueMs: 0, lastUpMs: null });
});

const suspicious: Cause[] = ["wrong_url", "not_found", "malformed_request"];
test.each(suspicious)("%s right after success is the operator's outage", (cause) => {
  const judged = judgeByHistory(diagnosis(cause, "blocked"), 10 * HOUR, 12 * HOUR);
  expect(judged).toMatchObject({ cause, owner: "operator", health: "down" });
});

test("without a success in the last day, or for another cause, history changes nothing", () => {
  const wrong = diagnosis("wrong_url", "blocked");
  expect(judgeByHistory(wrong, null, 12 * HOUR)).toBe(wrong);
  expect(judgeByHistory(wrong, 0, 24 * HOUR + 1)).toBe(wrong);
  const refused = diagnosis("authentication", "blocked");
  expect(judgeByHistory(refused, 11 * HOUR, 12 * HOUR)).toBe(refused);
});

test("a failure of the own network is no verdict on the gateway", () => {
  expect(withoutVerdict(diagnosis("dns_failure", "down"))).toMatchObject({
    cause: "dns_failure",
    health: "unknown",
  });
});

const thresholds = { open: 2, close: 2 };
function change(verdicts: readonly [Cause, Health][], open: Diagnosis | null) {
  const incident =
    open &&
    openIncident({ gatewayId: "acme", monitorIds: ["acme/models"], name: "acme/models" }, open, null, 0);
  return incidentChange(after(verdicts), incident, thresholds);
}
const down = diagnosis("timeout", "down");

test.each<[string, [Cause, Health][], Diagnosis | null, string]>([
  ["one failure opens nothing", [["timeout", "down"]], null, "none"],
  [
    "two failures open",
    [
      ["timeout", "down"],
      ["http_error", "down"],
    ],
    null,
    "open",
  ],
  [
    "degraded and blocked count as failed",
    [
      ["slow", "degraded"],
      ["authentication", "blocked"],
    ],
    null,
    "open",
  ],
  [
    "a success between starts anew",
    [
      ["timeout", "down"],
      ["ok", "up"],
      ["timeout", "down"],
    ],
    null,
    "none",
  ],
  [
    "unknown between does not",
    [
      ["timeout", "down"],
      ["network_error", "unknown"],
      ["timeout", "down"],
    ],
    null,
    "open",
  ],
  [
    "one success closes nothing",
    [
      ["timeout", "down"],
      ["ok", "up"],
    ],
    down,
    "none",
  ],
  [
    "two successes close",
    [
      ["ok", "up"],
      ["ok", "up"],
    ],
    down,
    "resolve",
  ],
  ["another cause is told", [["authentication", "blocked"]], down, "update"],
  ["the same cause is not", [["timeout", "down"]], down, "none"],
])("%s", (_, verdicts, open, expected) => {
  expect(change(verdicts, open)).toBe(expected);
});

test("an incident's id tells when it opened", () => {
  const id = incidentId("acme/models", Date.parse("2026-11-21T09:12:33.456Z"));
  expect(id).toBe("acme.models-20261121t091233z");
  expect(openedAtOf(id)).toBe(Date.parse("2026-11-21T09:12:33Z"));
  expect(openedAtOf("acme.models-20269921t991233z")).toBeNull();
  expect(openedAtOf("nonsense")).toBeNull();
});

test("a cause that changes for ever does not grow the timeline for ever", () => {
  let incident = openIncident({ gatewayId: "a", monitorIds: [], name: "a/b" }, down, null, 0);
  for (let n = 1; n <= 500; n += 1) incident = updateIncident(incident, diagnosis("http_error", "down"), n);
  expect(incident.timeline).toHaveLength(40);
  expect(incident.timeline[0]).toMatchObject({ type: "opened", atMs: 0 });
  expect(incident.timeline.at(-1)).toMatchObject({ type: "updated", atMs: 500 });
});
