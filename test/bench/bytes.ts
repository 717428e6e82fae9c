/** Bytes: of a sample in a segment of one hour with everything around it, and of `/api/v1/status` as readers get it. */
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { stableHash } from "../../src/domain/schedule.ts";
import type { StatusDocument } from "../../src/history/documents.ts";
import { compress } from "../../src/history/packing.ts";
import { packEach, packSamples, packSegment } from "../../src/history/segment.ts";
import type { Histories, Published } from "./history.ts";
import { atMost, type Row, row, timesAtMost } from "./row.ts";

const MONITORS = 100;
const FROM_MS = Date.UTC(2026, 10, 20, 9);

/** 100 of them are the address at which the cause is explained. */
const MOST_BYTES_A_MONITOR = 2600;

/** Days are shown for 90: after that a monitor's 2,000 bytes differ by some digits of its counts and times, 40 at most. */
const MOST_GROWTH = 1.02;

export async function measureBytes({ aged, good, troubled, longest }: Histories): Promise<readonly Row[]> {
  return [
    ...(await sampleRows()),
    ...monitorRows("always good", good),
    ...monitorRows("in trouble", troubled),
    ...monitorRows("in trouble for 90 days, its texts as long as they can be", longest),
    row("B", "/api/v1/status after 730 days; floor: after 90 days", aged.metadata.bytes, {
      floor: troubled.metadata.bytes,
      limit: timesAtMost(MOST_GROWTH),
    }),
  ];
}

async function sampleRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const everyMinutes of [1, 5]) {
    for (const [what, kind] of [
      ["a good hour", goodSample],
      ["an hour of trouble", troubledSample],
      ["an hour of streamed generations", generatedSample],
    ] as const) {
      const samples = hourOf(everyMinutes * MINUTE_MS, kind);
      const count = [...samples.values()].reduce((sum, { length }) => sum + length, 0);
      const packed = packSegment({ monitors: packEach(samples, packSamples), incidents: [] });
      const { length } = await compress(packed);
      const name = `a sample in a segment, probed every ${everyMinutes} min, ${what}`;
      const limit = atMost(kind === generatedSample ? 24 : 12);
      rows.push(
        row("B", name, packed.length / count, { limit }),
        row("B", `${name}, gzipped`, length / count),
      );
    }
  }
  return rows;
}

/** The largest monitor with its gateway around it, and the largest open incident. */
function monitorRows(what: string, { bytes, metadata }: Published): readonly Row[] {
  const text = new TextDecoder().decode(bytes.subarray(0, metadata.bytes));
  const { gateways, incidents } = JSON.parse(text) as StatusDocument;
  const limit = atMost(MOST_BYTES_A_MONITOR);
  const monitor = row("B", `a monitor in /api/v1/status, ${what}`, largest(gateways), { limit });
  // Days and incident together fit in no such limit: the shapes of both are promised.
  const incident = row("B", `an open incident in /api/v1/status, ${what}`, largest(incidents));
  return incidents.length === 0 ? [monitor] : [monitor, incident];
}

/** With the comma behind it. */
function largest(values: readonly unknown[]): number {
  return Math.max(0, ...values.map((value) => Buffer.byteLength(JSON.stringify(value)) + 1));
}

function hourOf(everyMs: number, sampleAt: (chance: number, atMs: number) => Sample): Map<string, Sample[]> {
  const monitors = Array.from({ length: MONITORS }, (_, index) => `gateway-${index}/models`);
  return new Map(
    monitors.map((id) => [
      id,
      Array.from({ length: HOUR_MS / everyMs }, (_, probe) => {
        // A tick starts a second or two late, and its probes take their turns.
        const chance = stableHash(`${id} ${probe}`);
        return sampleAt(chance, FROM_MS + probe * everyMs + (chance % 6000));
      }),
    ]),
  );
}

function goodSample(chance: number, atMs: number): Sample {
  return {
    atMs,
    health: "up",
    cause: "ok",
    latencyMs: 150 + (chance % 1800),
    attempts: 1,
    waitedMs: 0,
    httpStatus: 200,
    inMaintenance: false,
    generation: null,
  };
}

/** As `chat` tells it, with prices. */
function generatedSample(chance: number, atMs: number): Sample {
  const firstTokenMs = 150 + (chance % 900);
  return {
    ...goodSample(chance, atMs),
    generation: {
      firstTokenMs,
      taskMs: null,
      tokensPerSecond: 10 + (chance % 5000) / 100,
      inputTokens: 12,
      outputTokens: 16,
      costMicros: 262,
    },
  };
}

/** Half of the probes fail, in three ways, the longest after four attempts. */
const TROUBLES: readonly ((chance: number) => Partial<Sample>)[] = [
  (chance) => ({
    health: "down",
    cause: "upstream_unavailable",
    httpStatus: 503,
    attempts: 4,
    waitedMs: 7000 + (chance % 1500),
  }),
  () => ({ health: "down", cause: "timeout", httpStatus: null, latencyMs: 30_000 }),
  () => ({ health: "degraded", cause: "rate_limited", httpStatus: 429, attempts: 2, waitedMs: 20_000 }),
];

function troubledSample(chance: number, atMs: number): Sample {
  return { ...goodSample(chance, atMs), ...TROUBLES[Math.floor(chance / 7) % 6]?.(chance) };
}
