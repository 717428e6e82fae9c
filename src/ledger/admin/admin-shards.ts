/** An administrator's request if there are several Ledgers: one of them is asked, or all, and their answers are merged. */
import type { AdminAnswer, AdminRequest } from "../../domain/tick.ts";
import { gatewayOf } from "../../domain/monitor-state.ts";

export interface Shards {
  readonly count: number;
  shardOf(gatewayId: string): number | null;
  ask(shard: number, request: AdminRequest): Promise<AdminAnswer>;
}

/** @throws (rejects) if it is about a single Ledger, and that does not answer. */
export async function administerShards(request: AdminRequest, shards: Shards): Promise<AdminAnswer> {
  if (shards.count === 1) return shards.ask(0, request);
  const { type } = request;
  if (type === "test_alert") return shards.ask(0, request);
  if ("subject" in request) return shards.ask(shards.shardOf(gatewayOf(request.subject)) ?? 0, request);
  const calls = Array.from({ length: shards.count }, (_, shard) => shards.ask(shard, request));
  const settled = await Promise.allSettled(calls);
  const answers = settled.flatMap((call) => (call.status === "fulfilled" ? [call.value] : []));
  const silent = settled.flatMap(({ status }, shard) => (status === "rejected" ? [shard] : []));
  const good = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
  const isOfOne = "incidentId" in request;
  // A silent Ledger may be the one that has the incident.
  if (silent.length > 0 && !(isOfOne && good.length > 0)) return tellSilent(silent);
  // Planned maintenance must reach every Ledger, or one would send alerts; so must announcements. Other requests concern only some.
  const isRefused = good.length === 0 || type === "plan_maintenance" || type === "announce";
  const refusal = isRefused ? answers.find(({ ok }) => !ok) : undefined;
  return refusal ?? { ok: true, value: joined(good) };
}

type Value = Extract<AdminAnswer, { ok: true }>["value"];

/** Joins lists without repeats, adds numbers, and takes the first of anything else. */
function joined(values: readonly Value[]): Value {
  const members = Object.entries(values[0] ?? {}).map(([name, first]) => {
    const all = values.map((value) => value[name]);
    if (Array.isArray(first)) {
      const items = all.flat().map((item) => [JSON.stringify(item), item] as const);
      return [name, [...new Map(items).values()]];
    }
    return [name, typeof first === "number" ? all.reduce((sum: number, of) => sum + Number(of), 0) : first];
  });
  return Object.fromEntries(members);
}

function tellSilent(silent: readonly number[]): AdminAnswer {
  const who = silent.length === 1 ? "The Ledger of shard" : "The Ledgers of the shards";
  const detail = `${who} ${silent.join(", ")} did not answer; those of the others did what you asked. Ask again: what is done is not done twice.`;
  return { ok: false, why: "incomplete", detail };
}
