/** Probes of lists from a region: how a tick asks for them, and what runs in the region. */
import type { Region } from "../config/config.ts";
import type { Probed } from "../domain/probe-outcome.ts";
import { combineOutcomes } from "../domain/monitor-state.ts";
import type { RegionReport } from "../domain/tick.ts";
import { MAX_ATTEMPTS } from "../protocol/retry.ts";
import type { Clock } from "./clock.ts";
import { LONGEST_PROBE_MS, Traffic, trafficLanes, type Leave } from "./traffic.ts";

export interface VantageErrand {
  readonly monitorId: string;
  /** A probe that has not started by then must not start: the tick may have given up, and another may own the gateway. */
  readonly startWithinMs: number;
}

/** What runs in a region: at most six requests at once, for all callers. */
export function vantagePoint(probe: (monitorId: string, leave: Leave) => Promise<Probed>, clock: Clock) {
  const limits = { clock, lanes: trafficLanes(), firsts: 1, requests: MAX_ATTEMPTS };
  return ({ monitorId, startWithinMs }: VantageErrand) =>
    probe(
      monitorId,
      new Traffic({ ...limits, startWithinMs }).leaveFor(() => undefined),
    );
}

/** With several shards, each has its own in a region. Otherwise they would wait for each other's connections. */
export function vantageName(
  region: string,
  { shard, shards }: { readonly shard: number; readonly shards: number },
): string {
  return shards === 1 ? region : `${region}-${shard}`;
}

/** Some regions have a hyphen, none has a number. */
export function regionNamed(name: string): string {
  return name.replace(/-\d+$/u, "");
}

export interface VantagePort {
  /** Empty: the Worker itself probes the gateway's lists. */
  regionsOf(gatewayId: string): readonly Region[];
  probe(region: Region, errand: VantageErrand): Promise<Probed>;
}

/** @returns the reports that came, in the order of the regions. Never rejects. */
export async function askRegions(
  errand: VantageErrand,
  regions: readonly Region[],
  ports: { clock: Clock; vantage: VantagePort; warn(what: string, error: unknown): void },
): Promise<readonly RegionReport[]> {
  const { clock, vantage } = ports;
  const { monitorId } = errand;
  const reports = new Map<Region, RegionReport>();
  const all = Promise.all(
    regions.map(async (region) => {
      try {
        const probed = await vantage.probe(region, errand);
        if (probed.type === "probed") {
          const { outcome, findings } = probed;
          reports.set(region, { region, outcome, ...(findings && { findings }) });
        }
      } catch (error) {
        ports.warn(`the vantage point ${region} did not answer for ${monitorId}`, error);
      }
    }),
  );
  await Promise.race([all, clock.sleep(LONGEST_PROBE_MS)]);
  return regions.flatMap((region) => reports.get(region) ?? []);
}

/** The result of all regions together; null: too few reported. @param asked how many regions were asked. */
export function resultOfRegions(monitorId: string, reports: readonly RegionReport[], asked: number) {
  const outcome = combineOutcomes(reports, asked);
  const isSilent = reports.every((report) => report.outcome.diagnosis.health !== "unknown");
  if (outcome === null || (isSilent && outcome.diagnosis.health === "unknown")) return null;
  const alike = reports.filter((report) => report.outcome.diagnosis.health === outcome.diagnosis.health);
  const findings = [...alike, ...reports].find((report) => report.findings !== undefined)?.findings;
  const regions = reports.map((report) => ({ region: report.region, outcome: report.outcome }));
  return { monitorId, outcome, regions, ...(findings && { findings }) };
}
