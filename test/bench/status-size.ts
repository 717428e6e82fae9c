/** How large `/api/v1/status` is, and what a monitor adds to it. Sizes are those of the bytes that readers get. */
import type { StatusDocument } from "../../src/history/documents.ts";
import type { Published } from "./history.ts";
import { inDays, type Quantity, type Row } from "./row.ts";

/** 100 of them are the address at which the cause is explained. */
const MOST_BYTES_A_MONITOR = 2600;

/** Days are shown for 90: after that a monitor's 2,000 bytes differ by some digits of its counts and times, 40 at most. */
const MOST_GROWTH = 1.02;

/** @param samples by what kind of monitors they show. */
export function measureMonitorSize(samples: ReadonlyMap<string, Published>): readonly Row[] {
  const rows: Row[] = [];
  for (const [what, published] of samples) {
    const { entry, incident } = shareOfAMonitor(published);
    const name = `a monitor in /api/v1/status, ${what}`;
    const limit = { bound: "at most", of: "figure", value: MOST_BYTES_A_MONITOR } as const;
    rows.push({ what: name, figure: bytes(entry), floor: null, limit });
    // Days and incident together fit in no such limit: the shapes of both are promised.
    if (incident > 0)
      rows.push({ what: "  and its open incident", figure: bytes(incident), floor: null, limit: null });
  }
  return rows;
}

export function measureStatusSize(histories: ReadonlyMap<number, Published>): readonly Row[] {
  const ninety = histories.get(90);
  return [...histories].map(([days, published]) => ({
    what: `/api/v1/status after ${inDays(days)}${days === 90 ? "" : "; floor: after 90 days"}`,
    figure: bytes(published.metadata.bytes),
    floor: days === 90 || ninety === undefined ? null : bytes(ninety.metadata.bytes),
    limit: days > 90 ? { bound: "at most", of: "ratio", value: MOST_GROWTH } : null,
  }));
}

/** The largest monitor with its gateway around it, and the largest open incident. */
function shareOfAMonitor({ bytes: snapshot, metadata }: Published): { entry: number; incident: number } {
  const text = new TextDecoder().decode(snapshot.subarray(0, metadata.bytes));
  const { gateways, incidents } = JSON.parse(text) as StatusDocument;
  return { entry: largest(gateways), incident: largest(incidents) };
}

/** With the comma behind it. */
function largest(values: readonly unknown[]): number {
  return Math.max(0, ...values.map((value) => Buffer.byteLength(JSON.stringify(value)) + 1));
}

function bytes(value: number): Quantity {
  return { value, unit: "B" };
}
