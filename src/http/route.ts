/** Which gateways serve a model now, the best first, from what is published: `GET /api/v1/route`. */
import * as z from "zod/mini";
import { type CanaryConfig, type GatewayConfig, PROTOCOLS } from "../config/config.ts";
import { HOUR_MS, instant } from "../domain/calendar.ts";
import { GATEWAY_CAUSES } from "../domain/canary.ts";
import { isFailing } from "../domain/health.ts";
import { gatewayOf } from "../domain/monitor-state.ts";
import { rollUp, type Rollup } from "../domain/rollup.ts";
import { objectOnce } from "../domain/schema.ts";
import type { RouteAnswer, RouteEntry } from "../formats/answers.ts";
import {
  compareInstants,
  type GatewayDocument,
  type MonitorDocument,
  type StatusDocument,
  windowNow,
} from "../history/documents.ts";
import { readSamples } from "../history/series.ts";
import { isHeld, isPaused } from "../history/standing.ts";
import { CAUSE_NAMES, OPERATOR_CAUSE_NAMES } from "../protocol/diagnosis.ts";
import type { AppContext, AppDeps, Part } from "./deps.ts";
import { parse } from "./history.ts";
import { orThrow } from "./problem.ts";
import { kept, readPublished, type Published } from "./published.ts";
import { cachingOf, JSON_TYPE, respond, sharedFor } from "./respond.ts";

const MODEL_FIX = "must be the id of a model, such as gpt-4o";

const querySchema = objectOnce(() => ({
  model: z.string(MODEL_FIX).check(z.regex(/^[^\s\p{Cc}\p{Cs}]{1,200}$/u, MODEL_FIX)),
  protocol: z._default(z.nullable(z.enum(PROTOCOLS, `is none of ${PROTOCOLS.join(", ")}`)), null),
}));
type RouteQuery = z.infer<ReturnType<typeof querySchema>>;

/** As other answers. */
const LEAST_TRUST_MS = 15_000;
/** A gateway may be put into maintenance in between. */
const MOST_TRUST_MS = 300_000;

export const routePart: Part = { routes: () => [{ path: "/api/v1/route", get: kept(routeRoute) }] };

async function routeRoute({ env, req }: AppContext): Promise<Response> {
  const query = parse(querySchema(), new URL(req.url).searchParams);
  const published = orThrow(await readPublished(env));
  const { status } = published;
  const { generatedAt, gaps = [] } = status;
  const nowMs = env.now();
  const candidates = candidatesFor(query, status, env.config.gateways, nowMs);
  const currencies = new Set(candidates.flatMap(({ prices }) => prices?.currency ?? []));
  const rows = await Promise.all(
    candidates.map(async (candidate): Promise<Row> => {
      const entry = entryOf(candidate, await lastHour(env, published, candidate.monitor.id));
      return {
        entry,
        rank: rankOf(candidate),
        ...speedOf(entry),
        cost: currencies.size > 1 ? 0 : costOf(entry),
      };
    }),
  );
  const ordered = inOrder(rows);
  const gateways = ordered.filter(({ rank }) => rank < RANKS_SERVING).map(({ entry }) => entry);
  const due = candidates.flatMap(({ gateway }) =>
    gateway.monitors.flatMap(({ nextProbeAt }) => nextProbeAt ?? []),
  );
  const trustUntil = due.sort(compareInstants)[0] ?? null;
  const answer: RouteAnswer = {
    ...query,
    generatedAt,
    trustUntil,
    gateways,
    unavailable: ordered.slice(gateways.length).map(({ entry }) => entry),
    reasons: [
      ...(rows.length === 0 ? ["No monitor asks for this model, and no expect names it."] : []),
      ...(rows.length > 0 && gateways.length === 0 ? ["No gateway serves the model now."] : []),
      ...(gaps.length > 0 ? ["Some gateways are missing here: their data cannot be read now."] : []),
    ],
  };
  const caching = cachingOf(status.gaps);
  const trustMs = Date.parse(trustUntil ?? "") - nowMs || 0;
  const seconds = Math.floor(Math.min(Math.max(trustMs, LEAST_TRUST_MS), MOST_TRUST_MS) / 1000);
  const headers = caching === "shared" ? sharedFor(seconds) : {};
  return respond(req.raw, { type: JSON_TYPE, caching, headers }, JSON.stringify(answer));
}

async function lastHour(env: AppDeps, published: Published, monitorId: string) {
  const toMs = env.now();
  const holder = published.holderOf(gatewayOf(monitorId));
  if (holder === null) return rollUp(toMs, []);
  const of = { shard: holder.shard, monitorId, fromMs: toMs - HOUR_MS, toMs };
  const read = await readSamples(env.memory.segmentsOf(env), await holder.wholeTail(), of);
  return rollUp(toMs, orThrow(read).points);
}

/** In the order of the answer. A gateway of the first three serves the model. */
const TIERS = ["up", "degraded", "limited", "failing", "unknown"] as const;
const SERVING = TIERS.indexOf("limited");

interface Verdict extends Pick<RouteEntry, "status" | "cause" | "turn" | "until" | "reasons"> {
  readonly tier: (typeof TIERS)[number];
  /** A canary asked for the model, and its result is fresh. */
  readonly proved: boolean;
}

/** A gateway, and the monitor that says how it serves the model. */
interface Candidate {
  readonly gateway: GatewayDocument;
  readonly monitor: MonitorDocument;
  readonly prices: CanaryConfig["prices"];
  readonly verdict: Verdict;
}

/** The gateways that have a canary with the model, or whose list should have it, each once. */
function candidatesFor(
  { model, protocol }: RouteQuery,
  status: StatusDocument,
  configured: readonly Pick<GatewayConfig, "monitors">[],
  nowMs: number,
): readonly Candidate[] {
  const configs = new Map(configured.flatMap(({ monitors }) => monitors.map((one) => [one.id, one])));
  const kinds: readonly string[] = protocol === null ? PROTOCOLS : [protocol];
  return status.gateways.flatMap((gateway) => {
    const window = windowNow(status.maintenance, gateway.id, nowMs);
    const isStale = gateway.stale ?? status.stale;
    const all = gateway.monitors.flatMap((monitor): readonly Candidate[] => {
      const own = configs.get(monitor.id);
      const isAsking = monitor.model === model && kinds.includes(monitor.kind);
      if (isPaused(monitor) || !(isAsking || own?.expect.includes(model) === true)) return [];
      const found = isStale ? unknown("The checks have stopped.") : verdictOn(monitor, gateway, model, nowMs);
      const verdict = window === null ? found : planned(found, window.to);
      return [{ gateway, monitor, prices: own?.canary?.prices ?? null, verdict }];
    });
    const known = all.filter(({ verdict }) => verdict.tier !== "unknown");
    // If one canary of a protocol fails, such as that with streaming, the protocol fails.
    const worst = [...Map.groupBy(known, ({ monitor }) => monitor.kind).values()].flatMap((same) =>
      byRank(same).slice(-1),
    );
    const canaries = worst.filter(({ monitor }) => monitor.canary !== undefined);
    return byRank([canaries, worst, all].find((some) => some.length > 0) ?? []).slice(0, 1);
  });
}

function byRank(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Lower ranks are those of gateways that serve the model. */
const RANKS_SERVING = 2 * (SERVING + 1);

function rankOf({ verdict: { tier, proved } }: Candidate): number {
  return 2 * TIERS.indexOf(tier) + Number(!proved);
}

function verdictOn(monitor: MonitorDocument, gateway: GatewayDocument, model: string, nowMs: number) {
  const result = resultOf(monitor, nowMs);
  if (monitor.canary === undefined) return ofList(result, monitor, model);
  const failed = gateway.monitors.find((list) => list.kind === "models" && decides(list, monitor));
  if (failed) return withReason(resultOf(failed, nowMs), "The check of its list of models says so.");
  if (result.tier === "unknown") return result;
  return isHeld(monitor)
    ? withReason(result, "Its canary waits: this is its last result.")
    : { ...result, proved: true };
}

/** The canary is skipped because of the list, or would fail like it, which was checked later. */
function decides(list: MonitorDocument, { canary, lastProbe }: MonitorDocument): boolean {
  if (!isFailing(list.status) || isPaused(list)) return false;
  if (canary?.skipped?.reason === "gateway") return true;
  const isLater = compareInstants(list.lastProbe?.at ?? "", lastProbe?.at ?? "") > 0;
  return isLater && list.diagnosis !== null && GATEWAY_CAUSES.has(list.diagnosis.cause);
}

/** As many missing models of a list are published at most. */
const MISSING_SHOWN = 10;

function ofList(result: Verdict, monitor: MonitorDocument, model: string): Verdict {
  const { diagnosis, missingModels, status } = monitor;
  if (missingModels.includes(model))
    return { ...result, tier: "failing", reasons: ["Its list does not have the model."] };
  if (status === "degraded" && (diagnosis === null || missingModels.length >= MISSING_SHOWN))
    return unknown("It is not known whether its list has the model.");
  const isOther = diagnosis?.cause === "model_missing";
  const own: Verdict = isOther ? { ...unknown(), tier: "up", status: "up" } : result;
  return TIERS.indexOf(own.tier) > SERVING
    ? own
    : withReason(own, "Its list should have the model, but no canary proves it.");
}

function resultOf(monitor: MonitorDocument, nowMs: number): Verdict {
  const { lastStatus, lastProbe, incident, diagnosis } = monitor;
  const status = isHeld(monitor) ? (lastStatus ?? "unknown") : monitor.status;
  if (status === "unknown") return unknown("There is no fresh result.");
  if (status === "up") {
    const open = incident === null ? "" : ", but an incident is open";
    return { ...unknown(`The last check was good${open}.`), tier: "up", status };
  }
  const { cause = null, owner, turn = null, retry } = diagnosis ?? {};
  const endMs = Date.parse(lastProbe?.at ?? "") + (lastProbe?.latencyMs ?? 0) + (lastProbe?.waitedMs ?? 0);
  const untilMs = endMs + (retry?.afterSeconds ?? Number.NaN) * 1000;
  const names: Readonly<Partial<Record<string, string>>> = owner === "operator" ? OPERATOR_CAUSE_NAMES : {};
  const name = cause === null ? `It is ${status}` : (names[cause] ?? CAUSE_NAMES[cause]);
  return {
    tier: cause === "rate_limited" ? "limited" : status === "degraded" ? "degraded" : "failing",
    status,
    proved: false,
    cause,
    turn,
    until: untilMs > nowMs ? instant(untilMs) : null,
    reasons: [`${name}.`],
  };
}

function unknown(...reasons: readonly string[]): Verdict {
  return { tier: "unknown", status: "unknown", proved: false, cause: null, turn: null, until: null, reasons };
}

function withReason(verdict: Verdict, reason: string): Verdict {
  return { ...verdict, reasons: [...verdict.reasons, reason] };
}

function planned(verdict: Verdict, until: string): Verdict {
  const tier = verdict.tier === "up" ? "degraded" : verdict.tier;
  return withReason({ ...verdict, tier }, `Maintenance is planned until ${until}.`);
}

interface Row {
  readonly entry: RouteEntry;
  readonly rank: number;
  /** Which measure of speed is known; different ones cannot be compared. */
  readonly measure: number;
  readonly speed: number;
  readonly cost: number;
}

/** Smaller differences of speed are chance. */
const ALIKE = 1.2;

function inOrder(rows: readonly Row[]): readonly Row[] {
  const leveled: Row[] = [];
  let first: Row | null = null;
  for (const row of rows.toSorted(compareRows)) {
    const isAlike =
      first?.rank === row.rank && first.measure === row.measure && row.speed < first.speed * ALIKE;
    if (first === null || !isAlike) first = row;
    leveled.push({ ...row, speed: first.speed });
  }
  return leveled.sort(compareRows);
}

function compareRows(a: Row, b: Row): number {
  return (
    a.rank - b.rank ||
    a.measure - b.measure ||
    a.speed - b.speed ||
    a.cost - b.cost ||
    compareInstants(a.entry.gateway, b.entry.gateway)
  );
}

/** What is not known comes last. Of limited gateways, the one whose limit ends first is the first. */
function speedOf({ cause, until, firstTokenMs, taskMs, latencyMs }: RouteEntry) {
  if (cause === "rate_limited") return { measure: Date.parse(until ?? "9999-12-31"), speed: 1 };
  const measures = [firstTokenMs, taskMs, latencyMs, 1];
  const measure = measures.findIndex((ms) => ms !== null);
  return { measure, speed: measures[measure] ?? 1 };
}

function costOf({ price }: RouteEntry): number {
  return price === null ? Number.MAX_VALUE : price.input + price.output + price.request;
}

const MICROS = 1_000_000;

function entryOf({ gateway, monitor, prices, verdict }: Candidate, figures: Rollup | undefined): RouteEntry {
  const { tier: _, ...told } = verdict;
  return {
    gateway: gateway.id,
    name: gateway.name,
    endpoint: gateway.endpoint,
    monitor: monitor.id,
    protocol: monitor.canary === undefined ? null : monitor.kind,
    ...told,
    checkedAt: monitor.lastProbe?.at ?? null,
    firstTokenMs: figures?.generation?.firstTokenMs?.p50 ?? null,
    taskMs: figures?.generation?.taskMs?.p50 ?? null,
    latencyMs: figures?.latencyMs?.p50 ?? null,
    price: prices && {
      currency: prices.currency,
      input: prices.inputMicros / MICROS,
      output: prices.outputMicros / MICROS,
      request: prices.requestMicros / MICROS,
    },
  };
}
