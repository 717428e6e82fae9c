/**
 * Query parameters, judged: every fault is told, with where it is. Pure.
 */
import * as z from "zod/mini";
import { type Region, REGIONS } from "../config/config.ts";
import { DAY_MS } from "../domain/calendar.ts";
import type { Fault } from "./problem.ts";

const STEPS = ["probe", "1h", "1d"] as const;
type Step = (typeof STEPS)[number];

export type Judged<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly Fault[] };

const instantSchema = z.pipe(
  z.string(),
  z.transform((text: string, { issues }) => {
    const atMs = parseInstant(text);
    if (atMs !== null) return atMs;
    const message = "is no RFC 3339 instant, such as 2026-11-20T12:00:00Z";
    issues.push({ code: "custom", input: text, message });
    return z.NEVER;
  }),
);

const REGION_FAULT = `is none of ${REGIONS.join(", ")}`;

const historySchema = z.lazy(() =>
  z.object({
    from: z.optional(instantSchema),
    to: z.optional(instantSchema),
    step: z._default(z.enum(STEPS, "is none of probe, 1h, 1d"), "probe"),
    region: z.optional(z.enum(REGIONS, REGION_FAULT)),
  }),
);

const incidentsSchema = z.object({ before: z.optional(instantSchema) });

export interface HistoryQuery {
  readonly fromMs: number;
  readonly toMs: number;
  readonly step: Step;
  /** Null: what all regions saw together. */
  readonly region: Region | null;
}

/** Without `to` until now; without `from` the 24 hours before `to`. */
export function parseHistoryQuery(parameters: URLSearchParams, nowMs: number): Judged<HistoryQuery> {
  const parsed = judge(historySchema, parameters);
  if (!parsed.ok) return parsed;
  const { from, to: toMs = nowMs, step, region = null } = parsed.value;
  const fromMs = from ?? toMs - DAY_MS;
  if (fromMs <= toMs) return { ok: true, value: { fromMs, toMs, step, region } };
  return { ok: false, faults: [{ detail: "is later than the end of the range", pointer: "#/from" }] };
}

export function parseIncidentsQuery(parameters: URLSearchParams): Judged<{ beforeMs: number | null }> {
  const parsed = judge(incidentsSchema, parameters);
  return parsed.ok ? { ok: true, value: { beforeMs: parsed.value.before ?? null } } : parsed;
}

/** Of a parameter that is given twice the last counts; unknown ones are not minded. */
function judge<Schema extends z.ZodMiniType>(
  schema: Schema,
  parameters: URLSearchParams,
): Judged<z.output<Schema>> {
  const parsed = schema.safeParse(Object.fromEntries(parameters));
  if (parsed.success) return { ok: true, value: parsed.data };
  const faults = parsed.error.issues.map(({ message, path }) => ({
    detail: message,
    pointer: `#/${path.join("/")}`,
  }));
  return { ok: false, faults };
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/u;

/** Unix time in milliseconds; null for anything but an RFC 3339 instant. */
export function parseInstant(text: string): number | null {
  // In a query an unescaped plus is a space.
  const written = text.toUpperCase().replace(/ (?=\d\d:\d\d$)/u, "+");
  const parts = RFC_3339.exec(written);
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0] = parts.slice(1, 4).map(Number);
  // A date that the month does not have is silently another one for Date.
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  const atMs = Date.parse(written);
  return Number.isNaN(atMs) ? null : atMs;
}
