/** Reads a provider's official status page: the summary of the Statuspage API v2. Nothing in it is trusted. */
import * as z from "zod/mini";
import { objectOnce } from "../domain/schema.ts";
import { indicatorSchema } from "../domain/stored.ts";
import { type PageReading, type Reported, worstFirst } from "../domain/upstream.ts";
import { cleanMessage, clip } from "../protocol/error-facts.ts";
import { readJson } from "../protocol/json.ts";
import type { Redact } from "../protocol/redaction/redact.ts";
import { readPieces } from "./body-text.ts";
import type { Clock } from "./clock.ts";
import type { Fetch } from "./exchange.ts";
import type { Leave } from "./traffic.ts";
import { USER_AGENT } from "./version.ts";

export interface StatusPagePorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly redact: Redact;
  readonly leave: Leave;
}

const LIMIT_MS = 10_000;
const MAX_BYTES = 256 * 1024;
const MAX_PIECES = 4096;
/** In characters. */
const LONGEST_TEXT = 200;
const MOST_INCIDENTS = 5;

/** Null: it was not sent, because this invocation may send no more requests. Never rejects. */
export async function readStatusPage(page: string, ports: StatusPagePorts): Promise<PageReading | null> {
  const { clock, leave, redact } = ports;
  if (!(await leave.begin(LIMIT_MS))) return null;
  const signal = clock.timeoutSignal(LIMIT_MS);
  try {
    const body = await summaryOf(page, signal, ports);
    const reported = parsed(body, redact, clock.now());
    return reported === null
      ? { page, problem: "it has no summary of the Statuspage API v2" }
      : { page, reported };
  } catch (error) {
    if (signal.aborted) return { page, problem: "no answer within 10 seconds" };
    return { page, problem: error instanceof Refused ? error.message : "it could not be reached" };
  } finally {
    clock.release?.(signal);
    leave.end();
  }
}

/** Its message has our own words alone. */
class Refused extends Error {}

/** Redirects are not followed: they may lead anywhere. */
async function summaryOf(page: string, signal: AbortSignal, { fetch }: StatusPagePorts): Promise<string> {
  const headers = { accept: "application/json", "user-agent": USER_AGENT };
  const init = { method: "GET", headers, redirect: "manual", signal } as const;
  const { status, body } = await fetch(`${page}/api/v2/summary.json`, init);
  const isGood = status === 200 && body !== null;
  let text = "";
  const limits = { maxBytes: isGood ? MAX_BYTES : 0, maxPieces: MAX_PIECES };
  const end =
    body === null
      ? "complete"
      : await readPieces(body, limits, (piece) => {
          text += piece;
          return false;
        });
  if (!isGood) throw new Refused(`it answered HTTP ${status}`);
  if (end === "over_limit") throw new Refused("its summary has more than 256 kB");
  return text;
}

const incidentSchema = objectOnce(() => ({
  name: z.string(),
  status: z.string(),
  impact: z.union([
    indicatorSchema(),
    z.pipe(
      z.string(),
      z.transform(() => "none" as const),
    ),
  ]),
  started_at: z.nullish(z.string()),
  created_at: z.nullish(z.string()),
}));

const summarySchema = objectOnce(() => ({
  status: z.object({ indicator: indicatorSchema(), description: z.string() }),
  // Pages of other makers leave it out if there is none.
  incidents: z._default(z.array(incidentSchema()), []),
}));

const OVER = new Set(["resolved", "postmortem"]);

/** Null: it is no summary. */
function parsed(body: string, redact: Redact, nowMs: number): Reported | null {
  const summary = summarySchema().safeParse(readJson(body));
  if (!summary.success) return null;
  const { status, incidents } = summary.data;
  const clean = (text: string): string => clip(cleanMessage(text, redact) ?? "…", LONGEST_TEXT);
  const open = incidents.flatMap(({ name, impact, started_at, created_at, ...incident }) => {
    const sinceMs = Date.parse(started_at ?? created_at ?? "");
    // What has not begun yet is a mistake, like a time that is none.
    const isPast = sinceMs >= 0 && sinceMs <= nowMs;
    return OVER.has(incident.status) ? [] : [{ name, impact, sinceMs: isPast ? sinceMs : null }];
  });
  return {
    atMs: nowMs,
    indicator: status.indicator,
    description: clean(status.description),
    incidents: worstFirst(open)
      .slice(0, MOST_INCIDENTS)
      .map(({ name, impact, sinceMs }) => ({ name: clean(name), impact, sinceMs })),
  };
}
