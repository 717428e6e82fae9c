/** Bytes: of a sample in a segment of one hour with everything around it, and of `/api/v1/status` as readers get it. */
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { stableHash } from "../../src/domain/schedule.ts";
import type { StatusDocument } from "../../src/history/documents.ts";
import { packEach, packSamples, packSegment } from "../../src/history/segment.ts";
import { sampleAt } from "../history/published-history.ts";
import type { Histories, Published } from "./history.ts";
import { atMost, type Row, row } from "./row.ts";

const MONITORS = 100;
const FROM_MS = Date.UTC(2026, 10, 20, 9);

/** 100 of them are the address at which the cause is explained. */
const MOST_BYTES_A_MONITOR = 2600;

export function measureBytes({ good, troubled, longest }: Histories): readonly Row[] {
  return [
    ...sampleRows(),
    monitorRow("always good", good),
    monitorRow("in trouble", troubled),
    monitorRow("in trouble for 90 days, its texts as long as they can be", longest),
  ];
}

function sampleRows(): readonly Row[] {
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
      const name = `a sample in a segment, probed every ${everyMinutes} min, ${what}`;
      const limit = atMost(kind === generatedSample ? 24 : 12);
      rows.push(row("B", name, packed.length / count, { limit }));
    }
  }
  return rows;
}

/** The largest monitor, with its gateway around it. */
function monitorRow(what: string, { bytes, metadata }: Published): Row {
  const text = new TextDecoder().decode(bytes.subarray(0, metadata.bytes));
  const { gateways } = JSON.parse(text) as StatusDocument;
  // With the comma behind it.
  const largest = Math.max(...gateways.map((gateway) => Buffer.byteLength(JSON.stringify(gateway)) + 1));
  return row("B", `a monitor in /api/v1/status, ${what}`, largest, { limit: atMost(MOST_BYTES_A_MONITOR) });
}

function hourOf(everyMs: number, sampleOf: (chance: number, atMs: number) => Sample): Map<string, Sample[]> {
  const monitors = Array.from({ length: MONITORS }, (_, index) => `gateway-${index}/models`);
  return new Map(
    monitors.map((id) => [
      id,
      Array.from({ length: HOUR_MS / everyMs }, (_, probe) => {
        // A tick starts a second or two late, and its probes take their turns.
        const chance = stableHash(`${id} ${probe}`);
        return sampleOf(chance, FROM_MS + probe * everyMs + (chance % 6000));
      }),
    ]),
  );
}

function goodSample(chance: number, atMs: number): Sample {
  return sampleAt(atMs, { latencyMs: 150 + (chance % 1800) });
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
