/**
 * What an administrator asks where several Ledgers share the gateways: of the one that it is about, or of all, and their
 * answers become one. What some of them did not answer is told, and to ask again is safe.
 */
import type { AdminAnswer, AdminRequest } from "../../domain/tick.ts";
import { instant } from "../../domain/calendar.ts";
import { gatewayOf } from "../../domain/monitor-state.ts";
import type { PlannedAnswer, PlannedWindowAnswer } from "./admin-answers.ts";

export interface Shards {
  /** How many there are. */
  readonly count: number;
  /** The one that has the gateway; null: none has. */
  shardOf(gatewayId: string): number | null;
  /** Rejects where its Ledger does not answer. */
  ask(shard: number, request: AdminRequest): Promise<AdminAnswer>;
}

/** @throws (rejects) where the only Ledger that it is about does not answer. */
export async function administerShards(request: AdminRequest, shards: Shards): Promise<AdminAnswer> {
  if (shards.count === 1) return shards.ask(0, request);
  switch (request.type) {
    case "probe_now":
    case "pause":
    case "resume":
      return shards.ask(shards.shardOf(gatewayOf(request.monitorId)) ?? 0, request);
    case "acknowledge":
    case "note":
      return ofWhoeverHasIt(await askAll(request, shards));
    case "list_maintenance":
      return united(await askAll(request, shards));
    case "plan_maintenance":
      return plan(request, shards);
    case "test_alert":
      return shards.ask(0, request);
    case "list_alerts":
    case "replay_alerts":
    case "list_quarantine":
    case "clear_quarantine":
      return ofAll(await askAll(request, shards), joined);
    case "cancel_maintenance":
      return ofAll(await askAll(request, shards), ([first]) => first);
  }
}

type Good = Extract<AdminAnswer, { ok: true }>;
type Value = Good["value"];

/** In the order of their shards. */
interface Asked {
  readonly good: readonly Value[];
  readonly refused: readonly AdminAnswer[];
  readonly silent: readonly number[];
}

async function askAll(request: AdminRequest, shards: Shards, from = 0): Promise<Asked> {
  const { count } = shards;
  const numbers = Array.from({ length: count - from }, (_, index) => from + index);
  const answers = await Promise.allSettled(numbers.map((shard) => shards.ask(shard, request)));
  const of = numbers.flatMap((shard, index) => {
    const answer = answers[index];
    return answer?.status === "fulfilled" ? [{ shard, answer: answer.value }] : [];
  });
  const answered = new Set(of.map(({ shard }) => shard));
  return {
    good: of.flatMap(({ answer }) => (answer.ok ? [answer.value] : [])),
    refused: of.flatMap(({ answer }) => (answer.ok ? [] : [answer])),
    silent: numbers.filter((shard) => !answered.has(shard)),
  };
}

/** One that is silent may be the one. */
function ofWhoeverHasIt(asked: Asked): AdminAnswer {
  const [first] = asked.good;
  return first === undefined ? (tellSilent(asked) ?? refusalOf(asked)) : { ok: true, value: first };
}

/** Who had nothing to do with it refused; one that did it is enough, where none is silent. */
function ofAll(asked: Asked, join: (values: Values) => Value): AdminAnswer {
  const silent = tellSilent(asked);
  if (silent !== null) return silent;
  const [first, ...others] = asked.good;
  return first === undefined ? refusalOf(asked) : { ok: true, value: join([first, ...others]) };
}

type Values = readonly [Value, ...Value[]];

/** Of answers that have the same members: lists behind one another, numbers added. */
function joined([first, ...others]: Values): Value {
  const members = Object.entries(first).map(([name, value]: [string, unknown]) => {
    const all = [value, ...others.map((other): unknown => Reflect.get(other, name))];
    return [name, Array.isArray(value) ? all.flat() : all.reduce((sum: number, of) => sum + Number(of), 0)];
  });
  return Object.fromEntries(members);
}

/** A window is planned everywhere, and listed once. */
function united(asked: Asked): AdminAnswer {
  const all = asked.good.flatMap((value) => (value as PlannedAnswer).maintenance);
  const maintenance = [...new Map(all.map((window) => [window.id, window])).values()];
  return tellSilent(asked) ?? { ok: true, value: { maintenance } satisfies PlannedAnswer };
}

type PlanRequest = Extract<AdminRequest, { type: "plan_maintenance" }>;

/** Shard 0 gives the id. The very same window is planned once: so one that some did not take is completed. */
async function plan(request: PlanRequest, shards: Shards): Promise<AdminAnswer> {
  const listed = await shards.ask(0, { type: "list_maintenance" });
  const known = listed.ok ? (listed.value as PlannedAnswer).maintenance : [];
  const id = known.find((window) => isSame(window, request))?.id ?? null;
  const planned = await shards.ask(0, { ...request, id });
  if (!planned.ok) return planned;
  const window = planned.value as PlannedWindowAnswer;
  const others = await askAll({ ...request, id: window.id }, shards, 1);
  return tellSilent(others) ?? others.refused[0] ?? planned;
}

function isSame(window: PlannedWindowAnswer, { gateways, fromMs, toMs, title }: PlanRequest): boolean {
  const wanted = { id: window.id, gateways, from: instant(fromMs), to: instant(toMs), title };
  return JSON.stringify(window) === JSON.stringify(wanted);
}

function tellSilent({ silent }: Asked): AdminAnswer | null {
  if (silent.length === 0) return null;
  const who = silent.length === 1 ? "The Ledger of shard" : "The Ledgers of the shards";
  const detail = `${who} ${silent.join(", ")} did not answer; those of the others did what you asked. Ask again: what is done is not done twice.`;
  return { ok: false, why: "incomplete", detail };
}

function refusalOf({ refused: [first] }: Asked): AdminAnswer {
  if (first === undefined) throw new Error("no Ledger was asked");
  return first;
}
