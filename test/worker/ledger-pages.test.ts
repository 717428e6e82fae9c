/** From probes to the page: what the Ledger saw within hours is what a reader sees of it. */
import { expect, test } from "vitest";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { inLedger, minutes, published, START, TICK_MS } from "./ledger-harness.ts";
import { read } from "./reading.ts";

const { attempts } = outcome();

/** 09:30 to 10:00 the gateway fails; from 10:30 on an expected model is missing, at 10:45 it is back among more. */
function seenAt(tickMs: number): Partial<ProbeOutcome> {
  const minute = (tickMs - START) / TICK_MS;
  if (minute >= 30 && minute < 60) {
    const down = diagnosis("upstream_unavailable", "down", { httpStatus: 503 });
    const thrice = attempts.flatMap((attempt) => [attempt, attempt, attempt]);
    return { diagnosis: down, latencyMs: 50, modelCount: null, attempts: thrice, waitedMs: 3000 };
  }
  if (minute >= 90 && minute < 105) {
    const missing = diagnosis("model_missing", "degraded");
    return { diagnosis: missing, latencyMs: 400 + minute, modelCount: 2, missingModels: ["gpt-9"] };
  }
  return { latencyMs: 400 + minute, modelCount: minute < 105 ? 3 : 5 };
}

const words = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/ ([.,;:)])/gu, "$1")
    .trim();

test("two hours of probes are on the gateway's page: course, newest checks and models, also after a restart", async () => {
  const gateways = [
    gateway("a", { monitors: [monitor("a", { expect: ["gpt-9"] })] }),
    gateway("shy", { publish: "health", monitors: [monitor("shy", { expect: ["gpt-9"] })] }),
  ];
  await inLedger({ config: config(gateways) }, async (harness) => {
    for (const at of minutes(START, 120)) {
      await harness.tick(at, (_id, tickMs) => seenAt(tickMs));
      if (at === START + 100 * TICK_MS) harness.restart();
    }
    harness.restart();
    await harness.publish();

    const html = await read("/gateways/a", harness.nowMs);
    // Nearest rank of 400 to 429, and of what succeeded within 10:30 to 11:00.
    expect(words(html)).toContain("09:00 414 ms 428 ms Up 08:30");
    expect(words(html)).toMatch(/10:30 504 ms 518 ms Degraded \w/u);
    expect(words(html)).toMatch(/09:30 Down \w/u);

    const { modelNotes, halfHours } = (await published()).tail;
    expect(Object.keys(modelNotes)).toEqual(["a/models"]);
    expect(halfHours.byMonitor["a/models"]?.causes).not.toEqual([]);
    expect(halfHours.byMonitor["shy/models"]?.causes).toEqual([]);
    const shy = await read("/gateways/shy", harness.nowMs);
    expect(words(shy)).toContain("10:30 504 ms 518 ms Degraded 10:00");
    for (const secret of ["gpt-9", "upstream", "Gone", "in the list"]) {
      expect(words(shy)).not.toContain(secret);
    }
  });
});
