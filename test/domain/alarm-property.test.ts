/** Random sequences, judged by the transitions and by the slow model of the same rules: both must say the same. */
import { deepStrictEqual, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { acknowledgeIncident, type Happening, type Incident } from "../../src/domain/incident.ts";
import { AlarmModel, type ModelOpen, type ModelTold } from "./alarm-model.ts";
import { matterOf, type ModelRules, type ModelStep } from "./alarm-model-rules.ts";
import { AlarmPlay, DIAGNOSES, MINUTE, played, type PlayedMonitor } from "./alarm-play.ts";
import { rounds } from "../extent.ts";

/** Low thresholds make changes frequent, so that things flap. */
const threshold = fc.constantFrom(1, 1, 1, 2, 2, 3);
const rulesArbitrary: fc.Arbitrary<ModelRules> = fc.record({
  open: threshold,
  close: threshold,
  flapping: fc.constantFrom(null, 1, 1, 2, 3, 4),
  remindEveryMs: fc.constantFrom(null, 7 * MINUTE, 30 * MINUTE),
});

const SWITCHES = ["pause", "resume", "rename", "remove", "add", "acknowledge"] as const;

/**
 * What happens next; whom it hits is taken modulo those that are there.
 * @param letters of the probes, as often as they come.
 * @param switches of a hundred turns that are no probe, about.
 */
const turnArbitrary = (letters: string, switches: number) =>
  fc.record({
    what: fc.oneof(
      { weight: 90, arbitrary: fc.constantFrom("probe", "probe", "round") },
      { weight: 6, arbitrary: fc.constant("maintenance") },
      { weight: switches, arbitrary: fc.constantFrom(...SWITCHES) },
    ),
    who: fc.nat(1000),
    letter: fc.constantFrom(...letters.split("")),
    minutes: fc.constantFrom(1, 1, 1, 1, 1, 1, 2, 3, 5, 20, 40, 60),
    rules: rulesArbitrary,
  });
type Turn = ReturnType<typeof turnArbitrary> extends fc.Arbitrary<infer Value> ? Value : never;

const sequenceOf = (turnOf: fc.Arbitrary<Turn>) =>
  fc.record({
    rules: fc.array(rulesArbitrary, { minLength: 4, maxLength: 4 }),
    turns: fc.array(turnOf, { minLength: 1, maxLength: 60, size: "max" }),
  });
type Sequence = ReturnType<typeof sequenceOf> extends fc.Arbitrary<infer Value> ? Value : never;

const sequenceArbitrary = sequenceOf(turnArbitrary("UUUUUUULLLLLLLLDDNTASMM?", 12));
/** Gateways that fail for one reason after the other. */
const fickleArbitrary = sequenceOf(turnArbitrary("DDDAAATTLNSU?", 6));

const NAMES = ["a/m", "a/n", "a/o", "b/m"];

/** Plays a sequence to both; throws where they differ. */
class Trial {
  readonly play = new AlarmPlay([]);
  readonly model = new AlarmModel();
  readonly told: ModelTold[] = [];
  /** Of all timelines that ever were. */
  readonly entries = new Set<string>();
  readonly #watched: { who: number; monitor: PlayedMonitor }[] = [];
  readonly #maintained = new Set<string>();
  #atMs = 0;
  #born = 0;

  constructor({ rules, turns }: Sequence) {
    for (const [index, name] of NAMES.entries()) this.#start(name, rules[index]!);
    for (const turn of turns) {
      this.#atMs += turn.minutes * MINUTE;
      this.#turn(turn);
    }
  }

  #turn(turn: Turn): void {
    const chosen = this.#watched[turn.who % this.#watched.length];
    const atMs = this.#atMs;
    if (turn.what === "add") this.#start(`${turn.who % 2 ? "a" : "b"}/x${this.#born}`, turn.rules);
    if (!chosen) return;
    const { who, monitor } = chosen;
    const isPaused = (this.play.members.monitors[monitor.id]?.pausedAtMs ?? null) !== null;
    switch (turn.what) {
      case "probe":
        return this.#probe(chosen, turn);
      case "round": {
        const together = this.#watched.filter((other) => other.monitor.gatewayId === monitor.gatewayId);
        for (const other of together) this.#probe(other, turn);
        return;
      }
      case "maintenance":
        if (!this.#maintained.delete(monitor.gatewayId)) this.#maintained.add(monitor.gatewayId);
        return;
      case "pause":
        return this.#judge(this.play.pause(monitor.id, atMs), { type: "pause", atMs, who });
      case "resume":
        if (!isPaused) return;
        this.play.resume(monitor.id);
        return this.#judge([], { type: "resume", atMs, who });
      case "remove":
        this.#watched.splice(this.#watched.indexOf(chosen), 1);
        return this.#judge(this.#configure(), { type: "remove", atMs, who });
      case "rename": {
        const id = `${monitor.gatewayId}/r${this.#atMs / MINUTE}`.replace(".", "-");
        chosen.monitor = { ...monitor, id, formerly: [...monitor.formerly, monitor.id] };
        return this.#judge(this.#configure(), { type: "rename", atMs, who, name: id });
      }
      case "acknowledge":
        this.play.edit((incident) => {
          return incident.gatewayId === monitor.gatewayId ? acknowledgeIncident(incident, atMs) : incident;
        });
        return this.#judge([], { type: "acknowledge", atMs, gateway: monitor.gatewayId });
      case "add":
    }
  }

  #probe({ who, monitor }: { who: number; monitor: PlayedMonitor }, { letter }: Turn): void {
    const atMs = this.#atMs;
    const inMaintenance = this.#maintained.has(monitor.gatewayId);
    const told = this.play.probe(monitor.id, atMs, { diagnosis: DIAGNOSES[letter]! }, inMaintenance);
    this.#judge(told, { type: "probe", atMs, who, letter, inMaintenance });
  }

  #start(name: string, rules: ModelRules): void {
    const monitor = played(name, rules);
    const who = this.#born;
    this.#born += 1;
    this.#watched.push({ who, monitor });
    const gateway = monitor.gatewayId;
    const step = { type: "start", atMs: this.#atMs, who, name, gateway, rules } as const;
    this.#judge(this.#configure(), step);
  }

  #configure(): readonly Happening[] {
    const monitors = this.#watched.map(({ monitor }) => monitor);
    return this.play.configure(monitors, this.#atMs);
  }

  #judge(happenings: readonly Happening[], step: ModelStep): void {
    const expected = this.model.take(step);
    const said = happenings.map(asTold);
    const open = Object.values(this.play.members.incidents).map(asOpen);
    deepStrictEqual({ said, open }, { said: expected, open: this.model.open() });
    this.told.push(...said);
    const ended = happenings.flatMap((happening) => ("incident" in happening ? happening.incident : []));
    for (const { timeline } of [...ended, ...Object.values(this.play.members.incidents)]) {
      for (const { type } of timeline) this.entries.add(type);
    }
    this.#checkMembers();
  }

  /** Each monitor is in one open incident at most, and knows in which. */
  #checkMembers(): void {
    const { monitors, incidents } = this.play.members;
    const memberships = Object.values(incidents).flatMap((incident) =>
      incident.memberIds.map((id) => [id, incident.id] as const),
    );
    const known = Object.entries(monitors).flatMap(([id, { incidentId }]) =>
      incidentId === null ? [] : [[id, incidentId] as const],
    );
    deepStrictEqual(memberships.toSorted(byId), known.toSorted(byId));
    for (const incident of Object.values(incidents)) {
      ok(incident.memberIds.length > 0);
      ok(incident.memberIds.every((id) => incident.monitorIds.includes(id)));
      ok(incident.timeline.length <= 40);
    }
    for (const { monitor } of this.#watched) {
      ok((monitors[monitor.id]?.swings.length ?? 0) <= (monitor.flapping ?? -1) + 1);
    }
  }
}

function byId([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

/** The name with which it opened stands in its id. */
function keyOf({ id, openedAtMs }: Incident): string {
  return `${id.slice(0, id.lastIndexOf("-")).replace(".", "/")}@${openedAtMs}`;
}

function asTold(happening: Happening): ModelTold {
  const { type, atMs } = happening;
  if (!("incident" in happening)) throw new Error(`nobody asked for ${type}`);
  const { reason, monitorId, incident } = happening;
  const matter = type === "incident.resolved" ? "" : matterOf(incident);
  return { atMs, type, reason, key: keyOf(incident), name: monitorId, matter };
}

function asOpen(incident: Incident): ModelOpen {
  return {
    key: keyOf(incident),
    members: incident.memberIds,
    matter: matterOf(incident),
    isUnreached: incident.unreached,
    isFlapping: incident.flapping,
  };
}

/** Opened once, then updated, then resolved at most once and no more. */
function expectProperLives(told: readonly ModelTold[]): void {
  for (const life of Map.groupBy(told, ({ key }) => key).values()) {
    const letters = life.map(
      ({ type }) => ({ "incident.opened": "o", "incident.updated": "u", "incident.resolved": "r" })[type],
    );
    expect(letters.join("")).toMatch(/^ou*r?$/u);
  }
}

test.each([
  ["mixed", sequenceArbitrary, rounds(12, 100)],
  ["causes that change", fickleArbitrary, rounds(8, 50)],
] as const)(
  "transitions and the slow model of the rules tell the same, step by step: %s",
  (_, arbitrary, numRuns) => {
    fc.assert(
      fc.property(arbitrary, (sequence) => {
        expectProperLives(new Trial(sequence).told);
      }),
      { numRuns },
    );
  },
);

const KINDS = [
  ..."flapping joined left opened paused removed resolved steady updated".split(" "),
  ...["flapping", "null"].map((reason) => `incident.opened ${reason}`),
  ...["cause", "flapping", "reminder", "steady"].map((reason) => `incident.updated ${reason}`),
  ...["null", "paused", "removed"].map((reason) => `incident.resolved ${reason}`),
].toSorted();

test("the random sequences reach every kind of event, and every kind of entry of a timeline", () => {
  const kinds = new Set<string>();
  // A dozen sequences reach all of them about every other time.
  for (let seed = 1; seed <= 20 && kinds.size < KINDS.length; seed += 1) {
    for (const sequence of fc.sample(sequenceArbitrary, { numRuns: 12, seed })) {
      const { told, entries } = new Trial(sequence);
      for (const { type, reason } of told) kinds.add(`${type} ${reason}`);
      for (const type of entries) kinds.add(type);
    }
  }
  expect([...kinds].toSorted()).toEqual(KINDS);
});
