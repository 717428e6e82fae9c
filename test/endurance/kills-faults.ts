/** What kills must not do to what is stored and to what was told; each fault in words. Pure. */
import { incidentsBy } from "../local/support/incidents-by.ts";
import type { StoredLedger } from "./stored-ledger.ts";

/** By `<incident> <type>`, the ids under which it arrived. */
export type Events = ReadonlyMap<string, ReadonlySet<string>>;

export function lostBetween(before: StoredLedger, after: StoredLedger): string[] {
  const faults: string[] = [];
  for (const [id, samples] of before.samples) {
    const kept = new Set(after.samples.get(id)?.map(({ atMs }) => atMs));
    const lost = samples.filter(({ atMs }) => !kept.has(atMs));
    if (lost.length > 0) faults.push(`${lost.length} samples of ${id} are gone`);
  }
  for (const [id, samples] of after.samples) {
    if (new Set(samples.map(({ atMs }) => atMs)).size < samples.length)
      faults.push(`a sample of ${id} is there twice`);
  }
  const told = new Set([...after.open, ...after.resolved].map(({ id }) => id));
  for (const { id } of [...before.open, ...before.resolved]) if (!told.has(id)) faults.push(`${id} is gone`);
  return faults;
}

/** Incidents are those that follow from the samples. */
export function strayIncidents({ samples, resolved, open }: StoredLedger): string[] {
  const faults: string[] = [];
  for (const [monitorId, of] of samples) {
    const right = incidentsBy(of).map(([opened, ended]) => `${opened} to ${ended}`);
    const told = [...resolved, ...open]
      .filter(({ monitorIds }) => monitorIds.includes(monitorId))
      .sort((a, b) => a.openedAtMs - b.openedAtMs)
      .map(({ openedAtMs, resolvedAtMs }) => `${iso(openedAtMs)} to ${iso(resolvedAtMs)}`);
    if (right.join() !== told.join()) {
      faults.push(`${monitorId} had ${right.join()}; stored are ${told.join()}`);
    }
  }
  return faults;
}

/** Each beginning and each end arrived, under one id however often. */
export function strayEvents({ resolved, open }: StoredLedger, events: Events): string[] {
  const owed = [
    ...[...resolved, ...open].map(({ id }) => `${id} incident.opened`),
    ...resolved.map(({ id }) => `${id} incident.resolved`),
  ];
  return [
    ...owed
      .filter((event) => events.get(event)?.size !== 1)
      .map((event) => `${event} arrived under ${events.get(event)?.size ?? 0} ids`),
    ...[...events.keys()]
      .filter((event) => !owed.includes(event))
      .map((event) => `${event} arrived and never was`),
  ];
}

function iso(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
