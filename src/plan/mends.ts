/** What to change where the free plan is not enough, in words. Pure. */
import type { Config } from "../config/config.ts";
import { ALLOWANCES, type Quantity } from "./allowances.ts";
import { TICK_CPU } from "./figures.ts";

/** Probes that one invocation of the free plan carries, with a quarter of its CPU to spare. */
function probesThatFit(): number {
  return Math.floor(((ALLOWANCES.tickCpuMs.free * 3) / 4 - TICK_CPU.baseMs) / TICK_CPU.requestMs);
}

/** Begins in lower case: it follows "mend:". */
export function mendOf(quantity: Quantity, { shards }: Config): string {
  const paid = 'use plan: "paid"';
  switch (quantity) {
    case "tickCpuMs":
    case "tickRequests":
      return `write maxProbesPerTick: ${probesThatFit()}, and raise every where ticks then put monitors off; or ${paid}`;
    case "workerRequests":
    case "kvReads":
      return `${paid}: page views count too`;
    case "kvWrites":
    case "queueOperations":
      return shards === 1
        ? paid
        : `write fewer shards (each publishes by itself, and has its messages), or ${paid}`;
    case "rowsWritten":
    case "rowsRead":
    case "ledgerRequests":
    case "ledgerGbSeconds":
      return shards === 1 ? `raise every, or ${paid}` : `write fewer shards, raise every, or ${paid}`;
    case "ledgerBytes":
    case "kvBytes":
    case "cpuMs":
      return `name fewer monitors, raise every, or ${paid}`;
  }
}
