/** What is counted, in words and in the units that people read. Pure. */
import { ALLOWANCES, type Quantity } from "./allowances.ts";
import type { Held } from "./verdict.ts";

export const QUANTITY_WORDS: Readonly<Record<Quantity, string>> = {
  tickCpuMs: "CPU of the fullest tick, ms",
  tickRequests: "requests of the fullest tick",
  ledgerCpuMs: "CPU of the Ledger's longest call, ms",
  workerRequests: "invocations of the Worker",
  cpuMs: "CPU of the Worker, ms",
  kvReads: "reads of KV",
  kvWrites: "writes to KV",
  kvBytes: "stored in KV, MB",
  ledgerRequests: "calls of the Ledger",
  ledgerGbSeconds: "the Ledger awake, GB-s",
  rowsRead: "rows that the Ledger reads",
  rowsWritten: "rows that the Ledger writes",
  ledgerBytes: "stored in the Ledger, MB",
  queueOperations: "operations of the queue",
};

/** A sentence. */
export function passedWords({ quantity, used, allowed }: Held): string {
  const per = ALLOWANCES[quantity].of === "day" ? " a day" : "";
  const [first = "", ...rest] = QUANTITY_WORDS[quantity];
  const most = inUnits(quantity, allowed);
  const few = inUnits(quantity, used);
  const needed = few === most ? `a little over ${few}` : few;
  return `${first.toUpperCase()}${rest.join("")}: ${needed} needed${per}, ${most} allowed.`;
}

const BYTES_A_MB = 1_000_000;

export function inUnits(quantity: Quantity, value: number): string {
  return grouped(quantity === "kvBytes" || quantity === "ledgerBytes" ? value / BYTES_A_MB : value);
}

export function dollars(micros: number): string {
  const figures = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `$${(micros / 1_000_000).toLocaleString("en-US", figures)}`;
}

/** Few digits: it is a forecast. */
export function grouped(value: number): string {
  const digits = value < 10 && !Number.isInteger(value) ? 1 : 0;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
