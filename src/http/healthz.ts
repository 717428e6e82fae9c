/**
 * `GET /healthz`: is the monitoring itself alive? (draft-inadarei-api-health-check-06)
 */
import { instant, MINUTE_MS } from "../domain/calendar.ts";
import type { SnapshotMetadata } from "../history/snapshot.ts";
import type { HealthAnswer } from "./answers.ts";
import type { AppContext } from "./deps.ts";
import { tagOf } from "./etag.ts";
import { readStatus, readStored } from "./published.ts";
import { respond } from "./respond.ts";
import { ageMs, isStale, longestAgeMs, whyStale } from "./staleness.ts";

type Verdict = HealthAnswer["status"];
type Checks = NonNullable<HealthAnswer["checks"]>;

export async function healthRoute(context: AppContext): Promise<Response> {
  const nowMs = context.env.now();
  const checks = await checksOf(context, nowMs);
  const status = worst(Object.values(checks).flatMap((of) => of.map((check) => check.status)));
  // Who may not look is told no more than that.
  const isPrivate = context.env.viewToken !== null;
  const body = JSON.stringify({
    status,
    ...(!isPrivate && { version: "1", description: "Gatepulse: the monitoring itself", checks }),
  } satisfies HealthAnswer);
  const failed = status === "fail";
  const answer = {
    status: failed ? 503 : 200,
    type: "application/health+json",
    caching: failed ? ("none" as const) : ("health" as const),
    etag: failed ? null : await tagOf(body),
  };
  return respond(context.req.raw, answer, () => body);
}

async function checksOf(context: AppContext, nowMs: number): Promise<Checks> {
  // In whole seconds: within one, the answer and its tag stay the same.
  const time = instant(Math.floor(nowMs / 1000) * 1000);
  const read = await readStored(context.env);
  const status = read.ok ? await readStatus(read.value, context.env) : read;
  if (!read.ok || !status.ok) {
    const output =
      !status.ok && status.failure.kind === "absent" ? "nothing was published yet" : "not readable";
    return { "snapshot:read": [{ componentType: "datastore", status: "fail", time, output }] };
  }
  const { metadata } = read.value;
  const { putOff } = status.value;
  const why = whyStale(metadata, nowMs);
  return {
    "snapshot:read": [{ componentType: "datastore", status: "pass", time }],
    "ticks:age": [
      {
        componentType: "system",
        status: judgeAge(metadata, nowMs),
        observedValue: Math.max(0, Math.round(ageMs(metadata, nowMs) / 1000)),
        observedUnit: "s",
        time,
        ...(why !== null && { output: why }),
      },
    ],
    "monitors:putOff": [
      {
        componentType: "system",
        status: putOff > 0 ? "warn" : "pass",
        observedValue: putOff,
        observedUnit: "monitors",
        time,
      },
    ],
  };
}

function judgeAge(metadata: SnapshotMetadata, nowMs: number): Verdict {
  if (isStale(metadata, nowMs)) return "fail";
  return ageMs(metadata, nowMs) > longestAgeMs(metadata) - MINUTE_MS ? "warn" : "pass";
}

function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("fail")) return "fail";
  return verdicts.includes("warn") ? "warn" : "pass";
}
