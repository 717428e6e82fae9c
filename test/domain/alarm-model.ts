/**
 * The rules of incidents once more, slow and obvious: what the thresholds and the flapping say of a monitor is worked out
 * anew from all its probes at every step, what was last told, or seen by an incident's lead, is looked up in all that ever
 * was. No counter and no window is kept. Shares nothing with what it judges but the letters of the probes.
 */
import {
  failsSteadily,
  isFailed,
  isFlapping,
  isOpen,
  isUnreached,
  matterOf,
  type ModelRules,
  type ModelStep,
  type Probe,
} from "./alarm-model-rules.ts";
import { DIAGNOSES } from "./alarm-play.ts";

export interface ModelTold {
  readonly atMs: number;
  readonly type: string;
  readonly reason: string | null;
  /** `<name>@<opened>`. */
  readonly key: string;
  /** The monitor that brought it. */
  readonly name: string | null;
  readonly matter: string;
}

interface ModelIncident {
  readonly key: string;
  readonly gateway: string;
  readonly members: number[];
  isUnreached: boolean;
  /** Who hears of it knows it as flapping. */
  isFlapping: boolean;
  isAcknowledged: boolean;
}

export interface ModelOpen {
  readonly key: string;
  readonly members: readonly string[];
  readonly matter: string;
  readonly isUnreached: boolean;
  readonly isFlapping: boolean;
}

export class AlarmModel {
  readonly #history: ModelStep[] = [];
  readonly #told: ModelTold[] = [];
  /** The failures that it was for an incident to say. */
  readonly #seen: { key: string; matter: string }[] = [];
  /** The probes that failed otherwise than the one that was seen before them. */
  readonly #turns: Probe[] = [];
  #incidents: ModelIncident[] = [];

  /** What is told of the step. */
  take(step: ModelStep): readonly ModelTold[] {
    this.#history.push(step);
    const before = this.#told.length;
    if (step.type === "probe" && !this.#isPaused(step.who)) this.#probe(step);
    if (step.type === "remove") this.#leave(step.who, "removed", step.atMs);
    if (step.type === "pause" && !this.#isPaused(step.who, 1)) this.#leave(step.who, "paused", step.atMs);
    if (step.type === "acknowledge") {
      for (const incident of this.#incidents) {
        if (incident.gateway === step.gateway) incident.isAcknowledged = true;
      }
    }
    return this.#told.slice(before);
  }

  open(): readonly ModelOpen[] {
    return this.#incidents.map((incident) => ({
      key: incident.key,
      members: incident.members.map((who) => this.#name(who)),
      matter: this.#lastMatter(incident.key),
      isUnreached: incident.isUnreached,
      isFlapping: incident.isFlapping,
    }));
  }

  #probe(probe: Probe): void {
    const { who } = probe;
    const rules = this.#rules(who);
    const probes = this.#counted(who);
    const own = this.#incidents.find(({ members }) => members.includes(who));
    const shared = this.#incidents.find(
      (incident) => incident.isUnreached && incident.gateway === this.#gateway(who),
    );
    const leads = own?.members[0] === who;
    const isSaidAlready =
      isUnreached(probe) && shared !== undefined && shared !== own && own?.isUnreached === false;
    const isSeen = leads && isFailed(probe) && !isSaidAlready && !probe.inMaintenance;
    if (isSeen && isOpen(probes, rules) && this.#lastSeen(own.key) !== matterOf(DIAGNOSES[probe.letter]!)) {
      this.#turns.push(probe);
    }
    const before = this.#told.length;
    this.#move(probe, own, shared, isSeen);
    if (isSeen && this.#told.length === before) this.#remind(own, probe);
  }

  #move(
    probe: Probe,
    own: ModelIncident | undefined,
    shared: ModelIncident | undefined,
    isSeen: boolean,
  ): void {
    const { who, atMs } = probe;
    const rules = this.#rules(who);
    const probes = this.#counted(who);
    const leads = own?.members[0] === who;
    const flaps = this.#isFlapping(who);
    if (!flaps && !isOpen(probes, rules)) return this.#leave(who, null, atMs);
    if (!own) {
      if (isUnreached(probe) && shared) shared.members.push(who);
      else this.#open(probe, flaps ? "flapping" : null);
      return;
    }
    if (flaps) {
      if (isSeen) this.#see(own.key, probe);
      if (leads && !own.isFlapping && probe.letter !== "?" && !probe.inMaintenance) {
        own.isFlapping = true;
        this.#tell(own.key, "updated", "flapping", probe, this.#lastMatter(own.key));
      }
      return;
    }
    if (!isFailed(probe) || probe.inMaintenance) return;
    if (own.isUnreached && !isUnreached(probe) && own.members.length > 1) {
      this.#leave(who, null, atMs);
      return this.#open(probe, null);
    }
    if (!isSeen) return;
    this.#see(own.key, probe);
    own.isUnreached = isUnreached(probe);
    if (own.isFlapping) {
      if (!failsSteadily(probes, rules.open)) return;
      own.isFlapping = false;
      this.#tell(own.key, "updated", "steady", probe);
    } else if (this.#lastMatter(own.key) !== matterOf(DIAGNOSES[probe.letter]!)) {
      this.#tell(own.key, "updated", "cause", probe);
    }
  }

  #remind({ key, isAcknowledged }: ModelIncident, probe: Probe): void {
    const { remindEveryMs } = this.#rules(probe.who);
    const lastMs = this.#told.findLast((told) => told.key === key)?.atMs ?? 0;
    if (remindEveryMs === null || isAcknowledged || probe.atMs - lastMs < remindEveryMs) return;
    this.#tell(key, "updated", "reminder", probe, this.#lastMatter(key));
  }

  #open(probe: Probe, reason: string | null): void {
    const key = `${this.#name(probe.who)}@${probe.atMs}`;
    this.#incidents.push({
      key,
      gateway: this.#gateway(probe.who),
      members: [probe.who],
      isUnreached: isUnreached(probe),
      isFlapping: reason === "flapping",
      isAcknowledged: false,
    });
    this.#see(key, probe);
    this.#tell(key, "opened", reason, probe);
  }

  #leave(who: number, reason: string | null, atMs: number): void {
    const own = this.#incidents.find(({ members }) => members.includes(who));
    if (!own) return;
    own.members.splice(own.members.indexOf(who), 1);
    if (own.members.length > 0) return;
    this.#incidents = this.#incidents.filter((incident) => incident !== own);
    const name = this.#name(who);
    this.#told.push({ atMs, type: "incident.resolved", reason, key: own.key, name, matter: "" });
  }

  #tell(
    key: string,
    what: "opened" | "updated",
    reason: string | null,
    probe: Probe,
    matter = matterOf(DIAGNOSES[probe.letter]!),
  ): void {
    const name = this.#name(probe.who);
    this.#told.push({ atMs: probe.atMs, type: `incident.${what}`, reason, key, name, matter });
  }

  #see(key: string, { letter }: Probe): void {
    this.#seen.push({ key, matter: matterOf(DIAGNOSES[letter]!) });
  }

  #lastSeen(key: string): string {
    return this.#seen.findLast((seen) => seen.key === key)?.matter ?? "";
  }

  #isFlapping(who: number): boolean {
    return isFlapping(this.#counted(who), this.#rules(who), this.#turns);
  }

  #lastMatter(key: string): string {
    return this.#told.findLast((told) => told.key === key)?.matter ?? "";
  }

  #of<Type extends ModelStep["type"]>(who: number, ...types: Type[]): Extract<ModelStep, { type: Type }>[] {
    return this.#history.filter(
      (step): step is Extract<ModelStep, { type: Type }> =>
        (types as string[]).includes(step.type) && "who" in step && step.who === who,
    );
  }

  #rules(who: number): ModelRules {
    return this.#of(who, "start")[0]!.rules;
  }

  #gateway(who: number): string {
    return this.#of(who, "start")[0]!.gateway;
  }

  #name(who: number): string {
    return this.#of(who, "start", "rename").at(-1)!.name;
  }

  /** @param stepsAgo as it was before so many of the steps that paused or resumed it. */
  #isPaused(who: number, stepsAgo = 0): boolean {
    return this.#switches(who).at(-1 - stepsAgo)?.type === "pause";
  }

  #switches(who: number) {
    return this.#of(who, "pause", "resume");
  }

  /** The probes that count for its incident: those since it was last paused or resumed, and none of the time when it was paused. */
  #counted(who: number): readonly Probe[] {
    const last = this.#switches(who).at(-1);
    if (last?.type === "pause") return [];
    return this.#of(who, "probe").filter(({ atMs }) => atMs > (last?.atMs ?? -1));
  }
}
