/** Canaries as the Ledger publishes them, in each of their looks. */
import type { CanaryDocument, MonitorDocument } from "../../src/history/documents.ts";
import { GOOD, monitorDocument } from "./documents.ts";

const TOKENS = { inputTokens: 9, outputTokens: 16 };
const SPENT = { inputTokens: 108, outputTokens: 192, cost: 0.00129, currency: "USD" };

export function canaryDocument(more: Partial<CanaryDocument> = {}): CanaryDocument {
  return {
    streaming: false,
    generates: true,
    listed: true,
    skipped: null,
    task: null,
    interrupted: false,
    today: { day: "2026-11-20", requests: 12, perDay: 48, ...SPENT },
    figures: { firstTokenMs: null, taskMs: null, tokensPerSecond: 41.27, ...TOKENS },
    firstTokenMs: null,
    taskMs: null,
    tokensPerSecond: { p50: 40.5, p95: 22, p99: 20 },
    balance: null,
    warnBelow: null,
    ...more,
  };
}

/** A chat that answers. */
export function canaryMonitor(
  canary: Partial<CanaryDocument> = {},
  more: Partial<MonitorDocument> = {},
): MonitorDocument {
  const own = { id: "acme/chat", kind: "chat", model: "gpt-4o-mini", modelCount: null };
  return monitorDocument({ ...own, canary: canaryDocument(canary), ...more });
}

const SINCE = "2026-11-20T10:00:00.000Z";

/** Nothing fresh is known of it; its last verdict was good. */
const UNKNOWN: Partial<MonitorDocument> = { status: "unknown", lastStatus: "up", diagnosis: null };

export function skippedCanary(
  skipped: Omit<NonNullable<CanaryDocument["skipped"]>, "since">,
  more: Partial<MonitorDocument> = {},
): MonitorDocument {
  const listed = skipped.reason !== "unlisted";
  const usual = canaryDocument().today;
  const today = skipped.reason === "cap" ? { ...usual, requests: 48 } : usual;
  return canaryMonitor({ listed, today, skipped: { ...skipped, since: SINCE } }, { ...UNKNOWN, ...more });
}

export function pendingCanary(task: Partial<NonNullable<CanaryDocument["task"]>> = {}): MonitorDocument {
  const times = { createdAt: "2026-11-20T11:57:00.000Z", deadline: "2026-11-20T12:27:00.000Z" };
  const open = { id: "task_8f2a", state: "PROCESSING", ...times, ...task };
  const own = { id: "acme/video", kind: "video", model: "sora-2", ...UNKNOWN };
  return canaryMonitor({ task: open, figures: null, tokensPerSecond: null }, own);
}

export function streamingCanary(): MonitorDocument {
  const figures = { firstTokenMs: 412, taskMs: null, tokensPerSecond: 58, ...TOKENS };
  const firstTokenMs = { p50: 380, p95: 720, p99: 900 };
  return canaryMonitor({ streaming: true, figures, firstTokenMs }, { id: "acme/stream" });
}

export function lowConsole(): MonitorDocument {
  const spent = { perDay: null, inputTokens: 0, outputTokens: 0, cost: null, currency: null };
  const today = { day: "2026-11-20", requests: 9, ...spent };
  const advice = "The balance is below its limit.";
  const verdict = { cause: "balance_low", owner: "caller", health: "degraded" } as const;
  const diagnosis = { ...GOOD, ...verdict, advice };
  const account = { balance: 3.5, warnBelow: 10, figures: null, tokensPerSecond: null };
  const own = { id: "acme/console", kind: "console", model: null } as const;
  const low = { status: "degraded", lastStatus: "degraded", diagnosis } as const;
  return canaryMonitor({ generates: false, listed: null, today, ...account }, { ...own, ...low });
}
