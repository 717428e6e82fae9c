/** Reads a provider's official status page: the summary of the Statuspage API v2. Nothing in it is trusted. */
import * as z from "zod/mini";
import { instant } from "../domain/calendar.ts";
import { objectOnce } from "../domain/schema.ts";
import { indicatorSchema, type Reported, type Stored } from "../domain/stored.ts";
import type { PageReading } from "../domain/upstream.ts";
import { cleanMessage, clip } from "../protocol/error-facts.ts";
import { readJson } from "../protocol/json.ts";
import { redact } from "../protocol/redaction/redact.ts";
import { readThrown } from "../protocol/thrown.ts";
import { type ExchangeDeps, runExchange } from "./exchange.ts";
import type { Leave } from "./traffic.ts";
import { USER_AGENT } from "./version.ts";

interface StatusPagePorts extends Pick<ExchangeDeps, "fetch" | "clock"> {
  readonly leave: Leave;
}

const LIMIT_MS = 10_000;
/** In characters, like the next. */
const LONGEST_SUMMARY = 256 * 1024;
const LONGEST_TEXT = 200;
const MOST_INCIDENTS = 5;

/** Null: it was not sent, because this invocation may send no more requests. Never rejects. */
export async function readStatusPage(
  page: string,
  { fetch, clock, leave }: StatusPagePorts,
): Promise<PageReading | null> {
  if (!(await leave.begin(LIMIT_MS))) return null;
  const url = `${page}/api/v2/summary.json`;
  const headers = { accept: "application/json", "user-agent": USER_AGENT };
  const request = { kind: "models", method: "GET", url, headers, timeoutMs: LIMIT_MS } as const;
  const sent = await runExchange(request, { fetch, clock, readFailure: readThrown });
  leave.end();
  if (sent === null) return null;
  const { observation } = sent;
  if (observation.type !== "answer") {
    const isLate = observation.type === "network_failure" && observation.stage === "timeout";
    return { page, problem: isLate ? "no answer within 10 seconds" : "it could not be reached" };
  }
  const { status, body, bodyEnd } = observation;
  if (status !== 200) return { page, problem: `it answered HTTP ${status}` };
  if (bodyEnd === "over_limit" || body.length > LONGEST_SUMMARY)
    return { page, problem: "its summary has more than 256 kB" };
  const summary = summarySchema().safeParse(readJson(body));
  return summary.success
    ? { page, reported: reportedIn(summary.data, clock.now()) }
    : { page, problem: "it has no summary of the Statuspage API v2" };
}

const summarySchema = objectOnce(() => ({
  status: z.object({ indicator: indicatorSchema(), description: z.string() }),
  // Pages of other makers leave it out if there is none.
  incidents: z._default(
    z.array(
      z.object({
        name: z.string(),
        status: z.string(),
        impact: z.string(),
        started_at: z.nullish(z.string()),
        created_at: z.nullish(z.string()),
      }),
    ),
    [],
  ),
}));

const OVER = new Set(["resolved", "postmortem"]);
const WORST_FIRST = ["critical", "major", "minor", "maintenance", "none"];

function reportedIn({ status, incidents }: Stored<typeof summarySchema>, nowMs: number): Reported {
  const clean = (text: string): string => clip(cleanMessage(text, redact) ?? "…", LONGEST_TEXT);
  const open = incidents.flatMap(({ name, impact, started_at, created_at, ...incident }) => {
    const sinceMs = Date.parse(started_at ?? created_at ?? "");
    // What has not begun yet is a mistake, like a time that is none.
    const since = sinceMs >= 0 && sinceMs <= nowMs ? instant(sinceMs) : null;
    const known = indicatorSchema().safeParse(impact).data ?? "none";
    return OVER.has(incident.status) ? [] : [{ name, impact: known, since }];
  });
  // Of those that are as bad, the longest.
  open.sort(
    (a, b) =>
      WORST_FIRST.indexOf(a.impact) - WORST_FIRST.indexOf(b.impact) ||
      (a.since ?? "").localeCompare(b.since ?? ""),
  );
  return {
    readAt: instant(nowMs),
    indicator: status.indicator,
    description: clean(status.description),
    incidents: open
      .slice(0, MOST_INCIDENTS)
      .map(({ name, impact, since }) => ({ name: clean(name), impact, since })),
  };
}
