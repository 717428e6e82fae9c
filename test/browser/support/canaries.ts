/**
 * Canaries in every look, at once: what was published of monitors for lists is published again as of canaries, with the
 * documents that tests of the pages read. No hour of ticks shows them all.
 */
import type { GatewayDocument, MonitorDocument, ReportDocument } from "../../../src/history/documents.ts";
import { packSamples, unpackSamples } from "../../../src/history/segment.ts";
import type { SnapshotTail } from "../../../src/history/snapshot.ts";
import {
  canaryMonitor,
  listedCanary,
  lowConsole,
  pendingCanary,
  skippedCanary,
  streamingCanary,
} from "../../http/canary-documents.ts";
import type { World } from "../../local/support/world.ts";
import { republish } from "./crowd.ts";

/** By the ids of their monitors. */
const LOOKS: Readonly<Record<string, MonitorDocument>> = {
  "acme/stream": streamingCanary(),
  "acme/capped": skippedCanary({ reason: "cap", cause: null }),
  "acme/unlisted": skippedCanary(
    { reason: "unlisted", cause: null },
    { model: "gpt-5-preview", lastStatus: null },
  ),
  "acme/held": skippedCanary({ reason: "gateway", cause: "upstream_unavailable" }, { model: "o4-mini" }),
  "acme/video": pendingCanary(),
  "acme/served": canaryMonitor({ listed: false }, { kind: "embeddings", model: "text-embedding-3-small" }),
  "acme/console": lowConsole(),
  "brook/messages": listedCanary(),
};

const CURL = `curl -sS -N -X POST -H "Authorization: Bearer $GATEWAY_API_KEY" -H "Content-Type: application/json" -H "anthropic-version: 2023-06-01" --data '{"model":"claude-sonnet-4-5","max_tokens":256,"stream":true,"messages":[{"role":"user","content":"Reply with the single word: pong"}]}' "$GATEWAY_BASE_URL"/v1/messages`;

const REPORT: Partial<ReportDocument> = {
  endpoint: "$GATEWAY_BASE_URL/v1/messages",
  modelId: "claude-sonnet-4-5",
  streaming: true,
  retried: true,
  attempts: 3,
  taskId: "task_01JD8Z6V3Q9M5K7X2T4B",
  reproduce: CURL,
};

export async function publishCanaries(world: World): Promise<void> {
  await republish(world, async (status, tail) => {
    return [{ ...status, gateways: status.gateways.map(dressed) }, withFigures(tail)];
  });
}

/** What was seen of it stays, and when. */
function dressed(gateway: GatewayDocument): GatewayDocument {
  const monitors = gateway.monitors.map((seen) => {
    const look = LOOKS[seen.id];
    if (look === undefined) return seen;
    const { uptime, days, since, lastProbe, nextProbeAt, incident, report } = seen;
    return { ...thatDay(look), id: seen.id, uptime, days, since, lastProbe, nextProbeAt, incident, report };
  });
  return { ...gateway, monitors };
}

function thatDay(look: MonitorDocument): MonitorDocument {
  return JSON.parse(JSON.stringify(look).replaceAll("2026-11-20", "2030-11-20"));
}

function withFigures(tail: SnapshotTail): SnapshotTail {
  const { live, incidents } = tail;
  const figures = {
    firstTokenMs: 412,
    taskMs: null,
    tokensPerSecond: 41.27,
    inputTokens: 9,
    outputTokens: 16,
    costMicros: 90,
  };
  const streamed = unpackSamples(live.samples["acme/stream"] ?? new Uint8Array());
  const own = packSamples(streamed.map((one) => Object.assign(one, { generation: figures })));
  for (const { reports } of incidents) for (const report of reports) Object.assign(report, REPORT);
  return { ...tail, modelNotes: {}, live: { ...live, samples: { ...live.samples, "acme/stream": own } } };
}
