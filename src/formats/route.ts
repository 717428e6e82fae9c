/** Which gateways serve a model now, the best first, from what is published: `GET /api/v1/route`. Pure. */
import { CANARY_KINDS, type CanaryConfig, type GatewayConfig } from "../config/config.ts";
import { instant } from "../domain/calendar.ts";
import { GATEWAY_CAUSES } from "../domain/canary.ts";
import { isFailing } from "../domain/health.ts";
import type { Rollup } from "../domain/rollup.ts";
import {
  compareInstants,
  type GatewayDocument,
  type MonitorDocument,
  type StatusDocument,
  windowNow,
} from "../history/documents.ts";
import { isHeld, isPaused } from "../history/standing.ts";
import { CAUSE_NAMES, OPERATOR_CAUSE_NAMES } from "../protocol/diagnosis.ts";
import type { RouteAnswer, RouteEntry } from "./answers.ts";

/** The kinds of canaries that ask for a model. */
export const PROTOCOLS = CANARY_KINDS.filter((kind) => kind !== "console" && kind !== "http");

/** In the order of the answer. A gateway of the first three serves the model. */
const TIERS = ["up", "degraded", "limited", "failing", "unknown"] as const;
const SERVING = TIERS.indexOf("limited");

interface Verdict extends Pick<RouteEntry, "status" | "cause" | "turn" | "until" | "reasons"> {
  readonly tier: (typeof TIERS)[number];
  /** A canary asked for the model, and its result is fresh. */
  readonly proved: boolean;
}

/** A gateway, and the monitor that says how it serves the model. */
export interface Candidate {
  readonly gateway: GatewayDocument;
  readonly monitor: MonitorDocument;
  readonly verdict: Verdict;
}

export interface RouteQuery {
  readonly model: string;
  /** Null: any. */
  readonly protocol: (typeof PROTOCOLS)[number] | null;
}

type Configured = readonly Pick<GatewayConfig, "monitors">[];

/** The gateways that have a canary with the model, or whose list should have it, each once. */
export function candidatesFor(
  { model, protocol }: RouteQuery,
  status: StatusDocument,
  configured: Configured,
  nowMs: number,
): readonly Candidate[] {
  const monitors = configured.flatMap((gateway) => gateway.monitors);
  const expecting = new Set(monitors.flatMap(({ id, expect }) => (expect.includes(model) ? [id] : [])));
  const kinds: readonly string[] = protocol === null ? PROTOCOLS : [protocol];
  return status.gateways.flatMap((gateway) => {
    const asked = gateway.monitors.filter(
      (monitor) =>
        !isPaused(monitor) &&
        (expecting.has(monitor.id) || (monitor.model === model && kinds.includes(monitor.kind))),
    );
    const window = windowNow(status.maintenance, gateway.id, nowMs);
    const all = asked.map((monitor) => {
      const found = verdictOn(monitor, gateway, { model, nowMs, stale: gateway.stale ?? status.stale });
      return { gateway, monitor, verdict: window === null ? found : planned(found, window.to) };
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

function rankOf({ verdict: { tier, proved } }: Candidate): number {
  return 2 * TIERS.indexOf(tier) + Number(!proved);
}

interface Moment {
  readonly model: string;
  readonly nowMs: number;
  readonly stale: boolean;
}

function verdictOn(
  monitor: MonitorDocument,
  gateway: GatewayDocument,
  { stale, model, nowMs }: Moment,
): Verdict {
  if (stale) return unknown("The checks have stopped.");
  const result = resultOf(monitor, nowMs);
  if (monitor.canary === undefined) return ofList(result, monitor, model);
  const isSkipped = monitor.canary.skipped?.reason === "gateway";
  const failed = gateway.monitors.find(
    (list) =>
      list.kind === "models" &&
      isFailing(list.status) &&
      !isPaused(list) &&
      (isSkipped || failsToo(list, monitor)),
  );
  if (failed) return withReason(resultOf(failed, nowMs), "The check of its list of models says so.");
  if (result.tier === "unknown") return result;
  return isHeld(monitor)
    ? withReason(result, "Its canary waits: this is its last result.")
    : { ...result, proved: true };
}

/** Whether the canary would fail like the list, which was checked later. */
function failsToo({ diagnosis, lastProbe }: MonitorDocument, canary: MonitorDocument): boolean {
  const isLater = compareInstants(lastProbe?.at ?? "", canary.lastProbe?.at ?? "") > 0;
  return isLater && diagnosis !== null && GATEWAY_CAUSES.has(diagnosis.cause);
}

/** As many missing models of a list are published at most. */
const MISSING_SHOWN = 10;

function ofList(
  result: Verdict,
  { diagnosis, missingModels, status }: MonitorDocument,
  model: string,
): Verdict {
  if (missingModels.includes(model))
    return { ...result, tier: "failing", reasons: ["Its list does not have the model."] };
  if (status === "degraded" && (diagnosis === null || missingModels.length >= MISSING_SHOWN))
    return unknown("It is not known whether its list has the model.");
  const isOther = diagnosis?.cause === "model_missing";
  const own = isOther ? { ...unknown(), tier: "up" as const, status: "up" as const } : result;
  return TIERS.indexOf(own.tier) > SERVING
    ? own
    : withReason(own, "Its list should have the model, but no canary proves it.");
}

function resultOf(monitor: MonitorDocument, nowMs: number): Verdict {
  const { lastStatus, lastProbe, incident, diagnosis } = monitor;
  const status = isHeld(monitor) ? (lastStatus ?? "unknown") : monitor.status;
  if (status === "unknown") return unknown("There is no fresh result.");
  if (status === "up")
    return {
      ...unknown(
        incident === null ? "The last check was good." : "The last check was good, but an incident is open.",
      ),
      tier: "up",
      status,
    };
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

export interface RouteFacts {
  readonly status: StatusDocument;
  /** Of the last hour, by monitor. */
  readonly figures: ReadonlyMap<string, Rollup>;
  readonly configured: Configured;
}

export function routeAnswer(
  query: RouteQuery,
  candidates: readonly Candidate[],
  { status: { generatedAt, gaps = [] }, figures, configured }: RouteFacts,
): RouteAnswer {
  const canaries = new Map(
    configured.flatMap(({ monitors }) => monitors.map(({ id, canary }) => [id, canary])),
  );
  const rows = candidates.map((candidate) => {
    const { id } = candidate.monitor;
    const entry = entryOf(candidate, figures.get(id), canaries.get(id)?.prices ?? null);
    return { entry, rank: rankOf(candidate), isServing: TIERS.indexOf(candidate.verdict.tier) <= SERVING };
  });
  const ordered = inOrder(rows);
  const serving = ordered.filter(({ isServing }) => isServing);
  const due = candidates.flatMap(({ gateway }) =>
    gateway.monitors.flatMap(({ nextProbeAt }) => nextProbeAt ?? []),
  );
  return {
    ...query,
    generatedAt,
    trustUntil: due.sort(compareInstants)[0] ?? null,
    gateways: serving.map(({ entry }) => entry),
    unavailable: ordered.filter(({ isServing }) => !isServing).map(({ entry }) => entry),
    reasons: [
      ...(rows.length === 0 ? ["No monitor asks for this model, and no list should have it."] : []),
      ...(rows.length > serving.length && serving.length === 0 ? ["No gateway serves the model now."] : []),
      ...(gaps.length > 0 ? ["Some gateways are missing here: their data cannot be read now."] : []),
    ],
  };
}

interface Row {
  readonly entry: RouteEntry;
  readonly rank: number;
}

/** Smaller differences of speed are chance. */
const ALIKE = 1.2;

/** What is not known comes last. */
function inOrder<One extends Row>(rows: readonly One[]): readonly One[] {
  const currencies = new Set(rows.flatMap(({ entry }) => entry.price?.currency ?? []));
  const byId = rows.toSorted((a, b) => compareInstants(a.entry.gateway, b.entry.gateway));
  const bySpeed = byId
    .map((row) => ({ row, speed: speedOf(row) }))
    .sort((a, b) => a.row.rank - b.row.rank || a.speed[0] - b.speed[0] || a.speed[1] - b.speed[1]);
  let group = 0;
  let [first] = bySpeed;
  return bySpeed
    .map((one) => {
      const { row, speed } = one;
      const isAlike =
        first &&
        row.rank === first.row.rank &&
        speed[0] === first.speed[0] &&
        speed[1] < first.speed[1] * ALIKE;
      if (isAlike !== true) {
        first = one;
        group += 1;
      }
      return { row, group, cost: currencies.size > 1 ? 0 : costOf(row.entry) };
    })
    .sort((a, b) => a.group - b.group || a.cost - b.cost)
    .map(({ row }) => row);
}

/** Different measures cannot be compared. Of limited gateways, the one whose limit ends first is the first. */
function speedOf({
  entry: { cause, until, firstTokenMs, taskMs, latencyMs },
}: Row): readonly [number, number] {
  if (cause === "rate_limited") return [Date.parse(until ?? "9999-12-31"), 1];
  const measures = [firstTokenMs, taskMs, latencyMs];
  const measure = measures.findIndex((ms) => ms !== null);
  return measure < 0 ? [measures.length, 1] : [measure, measures[measure] ?? 1];
}

function costOf({ price }: RouteEntry): number {
  return price === null ? Number.MAX_VALUE : price.input + price.output + price.request;
}

const MICROS = 1_000_000;

function entryOf(
  { gateway, monitor, verdict }: Candidate,
  figures: Rollup | undefined,
  prices: CanaryConfig["prices"],
): RouteEntry {
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
