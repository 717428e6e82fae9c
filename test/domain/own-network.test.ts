import { expect, test } from "vitest";
import { applyChanges, type OpenIncidents } from "../../src/domain/incident.ts";
import {
  failsByItself,
  isNetworkOut,
  NETWORK_UNSEEN,
  type NetworkSight,
  type OwnNetworkState,
  watchOwnNetwork,
} from "../../src/domain/monitoring.ts";
import { DIAGNOSES, MINUTE } from "./alarm-play.ts";

const SIGHTS: Readonly<Record<string, NetworkSight>> = {
  F: { type: "failed", diagnosis: DIAGNOSES["L"]! },
  R: { type: "reached" },
  ".": { type: "not_seen" },
};

/** One word a tick, one a minute from minute 1 on; one letter a batch. */
class Ticks {
  state: OwnNetworkState = NETWORK_UNSEEN;
  incidents: OpenIncidents = {};
  readonly told: string[] = [];

  play(words: string, from = 1): this {
    for (const [index, word] of words.split(" ").entries()) {
      for (const letter of word) this.#batch(SIGHTS[letter]!, (from + index) * MINUTE);
    }
    return this;
  }

  #batch(sight: NetworkSight, tickMs: number): void {
    const open = this.incidents[this.state.incidentId ?? ""] ?? null;
    const moved = watchOwnNetwork(this.state, open, sight, { tickMs, atMs: tickMs + 5000 });
    this.state = JSON.parse(JSON.stringify(moved.state)) as OwnNetworkState;
    this.incidents = applyChanges(this.incidents, moved).incidents;
    expect(Object.keys(this.incidents)).toEqual(
      this.state.incidentId === null ? [] : [this.state.incidentId],
    );
    for (const happening of moved.happenings) {
      expect(happening).toMatchObject({ monitorId: null, atMs: tickMs + 5000 });
      const reason = "incident" in happening && happening.reason !== null ? ` (${happening.reason})` : "";
      this.told.push(`${tickMs / MINUTE} ${happening.type.slice("incident.".length)}${reason}`);
    }
  }
}

test.each<[title: string, ticks: string, ...events: string[]]>([
  ["opens when two ticks in a row reached no gateway", "R F F", "3 opened"],
  ["counts a tick once, however many batches it has", "FFF R RF"],
  ["does not mind ticks in which nothing was seen", "F . . F . .", "4 opened"],
  ["ends when two ticks in a row reached one", "F F R R", "2 opened", "4 resolved"],
  ["does not end by one, in whatever number of batches", "F F RRR F R F", "2 opened"],
  ["takes a tick for one that reached, if any batch of it did", "F R. .R"],
  ["takes it so too where the batch that failed came first", "FR F"],
  ["nor does that end it before its time", "F F FR R", "2 opened", "4 resolved"],
  ["tells nothing of a network that is out every other tick", "F R ".repeat(30).trim()],
])("the monitoring's own incident %s", (_, ticks, ...events) => {
  expect(new Ticks().play(ticks).told).toEqual(events);
});

test("it is nobody's outage, and no gateway's", () => {
  const ticks = new Ticks().play("F F");
  const nobodys = { gatewayId: null, health: "unknown", owner: "network" };
  const incident = { id: "monitoring-19700101t000205z", ...nobodys };
  expect(Object.values(ticks.incidents)).toMatchObject([incident]);
});

test("the network is out from the first tick that reached nobody to the first that did", () => {
  const ticks = new Ticks();
  expect(isNetworkOut(ticks.state)).toBe(false);
  const out = ["F", ".", "F", "R"].map((sight, minute) => isNetworkOut(ticks.play(sight, minute + 1).state));
  expect(out).toEqual([true, true, true, false]);
  expect(ticks.state.incidentId).not.toBe(null);
});

test.each<[title: string, since: number | null, reached: number | null, isItself: boolean]>([
  ["was reached last", null, 5, false],
  ["is not reached while nobody ever was", 4, null, false],
  ["is not reached since before the tick that reached another", 4, 5, true],
  ["is not reached since that tick", 5, 5, false],
])("of a gateway that %s it is known whether it fails by itself", (_, since, reachedTickMs, isItself) => {
  expect(failsByItself(since, { reachedTickMs })).toBe(isItself);
});
