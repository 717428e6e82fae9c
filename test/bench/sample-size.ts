/** Bytes of a sample in a segment of one hour, everything around it included, before and after compression. */
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { stableHash } from "../../src/domain/schedule.ts";
import { compress } from "../../src/history/packing.ts";
import { packSegment, segmentOfSamples } from "../../src/history/segment.ts";
import type { Row } from "./row.ts";

const MONITORS = 100;
const FROM_MS = Date.UTC(2026, 10, 20, 9);

export async function measureSamples(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const everyMinutes of [1, 5]) {
    for (const [what, kind] of [
      ["a good hour", goodSample],
      ["an hour of trouble", troubledSample],
      ["an hour of streamed generations", generatedSample],
    ] as const) {
      const samples = hourOf(everyMinutes * MINUTE_MS, kind);
      const count = [...samples.values()].reduce((sum, { length }) => sum + length, 0);
      const packed = packSegment(segmentOfSamples(samples, []));
      const { length } = await compress(packed);
      const name = `a sample in a segment, probed every ${everyMinutes} min, ${what}`;
      rows.push({
        what: name,
        figure: { value: packed.length / count, unit: "B" },
        floor: null,
        limit: { bound: "at most", of: "figure", value: kind === generatedSample ? 24 : 12 },
      });
      rows.push({
        what: "  gzipped",
        figure: { value: length / count, unit: "B" },
        floor: null,
        limit: null,
      });
    }
  }
  return rows;
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
function troubledSample(chance: number, atMs: number): Sample {
  const good = goodSample(chance, atMs);
  switch (Math.floor(chance / 7) % 6) {
    case 0:
      return {
        ...good,
        health: "down",
        cause: "upstream_unavailable",
        httpStatus: 503,
        attempts: 4,
        waitedMs: 7000 + (chance % 1500),
      };
    case 1:
      return { ...good, health: "down", cause: "timeout", httpStatus: null, latencyMs: 30_000 };
    case 2:
      return {
        ...good,
        health: "degraded",
        cause: "rate_limited",
        httpStatus: 429,
        attempts: 2,
        waitedMs: 20_000,
      };
    default:
      return good;
  }
}
