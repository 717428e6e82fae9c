/**
 * Whether regions have a network. One from which none of several gateways was reached in a tick has none itself: what it says
 * is no verdict about any of them. The Worker's own network has no part in this, and gets no proof from it.
 */
import { withoutVerdict } from "../domain/monitor-state.ts";
import { reachOf } from "../domain/reach.ts";
import type { ProbeResult, RegionReport } from "../domain/tick.ts";
import type { RegionOutcome } from "../domain/probe-outcome.ts";
import { combineOutcomes } from "../domain/vantage.ts";

/** What regions saw of a monitor. At least one reported. */
export interface Seen {
  readonly monitorId: string;
  readonly reports: readonly RegionReport[];
  /** From so many regions. */
  readonly asked: number;
  /** Of the gateway; null where that it is not reached says nothing of a network. */
  readonly host: string | null;
  /** Regions of whose network that it is not reached says nothing. */
  readonly excusedFrom: readonly string[];
}

export class RegionWatch {
  /** Those that ask several gateways, and reached none of them yet. */
  readonly #doubtful: Set<string>;
  #waiting: Seen[] = [];

  /** @param asked by region, the hosts that it asks in the tick; those that tell nothing are left out. */
  constructor(asked: ReadonlyMap<string, ReadonlySet<string>>) {
    const several = [...asked].filter(([, hosts]) => hosts.size > 1);
    this.#doubtful = new Set(several.map(([region]) => region));
  }

  /** Those of which all is known now. */
  add(seen: Seen): readonly Seen[] {
    for (const { region, outcome } of seen.reports) {
      if (reachOf(outcome.diagnosis) === "reached") this.#doubtful.delete(region);
    }
    const all = [...this.#waiting, seen];
    this.#waiting = all.filter((of) => !this.#isKnown(of));
    return all.filter((of) => this.#isKnown(of));
  }

  /** When all were asked: those that wait still, without a verdict of regions that reached nobody. */
  finish(): readonly Seen[] {
    const waiting = this.#waiting.splice(0);
    const blind = new Set([...this.#doubtful].filter((region) => isBlind(region, waiting)));
    return waiting.map((seen) => {
      const isUnseen = (report: RegionReport): boolean => blind.has(report.region) && isUnreached(report);
      return Object.assign({}, seen, {
        reports: seen.reports.map((report) => (isUnseen(report) ? unseen(report) : report)),
      });
    });
  }

  #isKnown({ reports }: Seen): boolean {
    return reports.every((report) => !this.#doubtful.has(report.region) || !isUnreached(report));
  }
}

/** The result of all regions together; null where too few reported. One that is without a network did report. */
export function resultOfRegions({ monitorId, reports, asked }: Seen): ProbeResult | null {
  const outcome = combineOutcomes(reports, asked);
  const isSilent = reports.every((report) => report.outcome.diagnosis.health !== "unknown");
  if (outcome === null || (isSilent && outcome.diagnosis.health === "unknown")) return null;
  const alike = reports.filter((report) => report.outcome.diagnosis.health === outcome.diagnosis.health);
  const findings = [...alike, ...reports].find((report) => report.findings !== undefined)?.findings;
  const regions = reports.map((report) => ({ region: report.region, outcome: report.outcome }));
  return findings === undefined ? { monitorId, outcome, regions } : { monitorId, outcome, findings, regions };
}

function isBlind(region: string, waiting: readonly Seen[]): boolean {
  const unreached = waiting.filter(
    ({ reports, excusedFrom }) =>
      !excusedFrom.includes(region) &&
      reports.some((report) => report.region === region && isUnreached(report)),
  );
  return new Set(unreached.flatMap(({ host }) => host ?? [])).size > 1;
}

function isUnreached({ outcome }: RegionOutcome): boolean {
  return reachOf(outcome.diagnosis) === "unreached";
}

function unseen(report: RegionReport): RegionReport {
  const { outcome } = report;
  return { ...report, outcome: { ...outcome, diagnosis: withoutVerdict(outcome.diagnosis) } };
}
