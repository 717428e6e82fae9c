/** Planned work over an incident that was there before it: it may end, and nothing may begin. */
import { expect, test } from "vitest";
import { beginTick } from "../../src/ledger/begin.ts";
import { recordBatch } from "../../src/ledger/record.ts";
import { EMPTY_STATE, type LedgerState } from "../../src/ledger/state.ts";
import { config, gateway } from "../fixtures/config.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";

const MINUTE = 60_000;
const ONE = config([gateway("a")]);
const WINDOW = { gateways: ["a"], fromMs: 3 * MINUTE, toMs: 7 * MINUTE, title: "Move" };

/** `D`: it fails, `U`: it is good; a tick a minute from minute 1 on. What is told, and which samples count for uptime. */
function played(letters: string) {
  let state: LedgerState = EMPTY_STATE;
  const told: string[] = [];
  const resolved: string[] = [];
  let counted = "";
  for (const [index, letter] of letters.split("").entries()) {
    const tickMs = (index + 1) * MINUTE;
    const world = { config: ONE, maintenance: [WINDOW], nowMs: tickMs, tickIntervalMs: MINUTE };
    const begun = beginTick(state, { tickMs, invocation: "i" }, { ...world, identities: {}, run: null });
    const judged = letter === "D" ? { diagnosis: diagnosis("http_error", "down") } : {};
    const results = [{ monitorId: "a/models", outcome: outcome({ startedAtMs: tickMs, ...judged }) }];
    const batch = { tickMs, invocation: "i", results, ownNetworkFailed: false, returned: [] };
    const recorded = recordBatch(begun.state, batch, { ...world, isRecorded: () => false });
    state = recorded.state;
    told.push(...recorded.happenings.map(({ type }) => `${index + 1} ${type}`));
    resolved.push(...recorded.resolved.map(({ id }) => id));
    counted += recorded.samples.map(({ sample }) => (sample.inMaintenance ? "-" : letter)).join("");
  }
  return { told, resolved, counted, open: Object.keys(state.incidents) };
}

test("good probes within it close the incident, and that is told and kept", () => {
  expect(played("DDDUUUUU")).toEqual({
    told: ["2 incident.opened", "5 incident.resolved"],
    resolved: ["a.models-19700101t000200z"],
    counted: "DD----UU",
    open: [],
  });
});

test("failures within it are told to nobody, and open nothing before there are enough of them behind it", () => {
  expect(played("UUDDDDD").told).toEqual([]);
  expect(played("UUDDDDDD").told).toEqual(["8 incident.opened"]);
});

test("what fails before, within and behind it is one incident", () => {
  expect(played("DDDDDDDD")).toMatchObject({
    told: ["2 incident.opened"],
    open: ["a.models-19700101t000200z"],
  });
});
