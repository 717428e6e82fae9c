/** What the bench tells the Ledger's Worker to play, and what comes back. Pure data, known on both sides. */

/**
 * What the gateways do meanwhile. `calm`: all good. `broken`: all answer 500. `unavailable`: all answer 503 to every
 * attempt. `mixed`: seven in ten good, the others fail each in its own way, some of the time.
 * `tenth`: nine in ten good, the others as in `mixed`, all of the time.
 * `outages`: good, but for a quarter of an hour a day, each gateway at a time of its own.
 * `restless`: good and broken in turn, at every probe. `longest`: every text of the answer as long as it can be.
 */
export type Weather =
  | "calm"
  | "broken"
  | "unavailable"
  | "mixed"
  | "tenth"
  | "outages"
  | "restless"
  | "longest";

export interface Play {
  /** The name of the Ledger. */
  readonly ledger: string;
  readonly weather: Weather;
  /** The first tick. */
  readonly fromMs: number;
  readonly stepMs: number;
  readonly ticks: number;
}

/** As the platform counts them. */
export interface Played {
  /** Rows written by each tick, its batches, publications and alarms together. */
  readonly rows: readonly number[];
  readonly kvWrites: readonly number[];
  readonly rowsRead: number;
  /** Calls of the Ledger and its alarms. */
  readonly ledgerRequests: number;
  /** Requests to gateways, repetitions included. */
  readonly probeRequests: number;
  /** Requests to receivers of alerts. */
  readonly messages: number;
  /** When it was over, of a Ledger that was put out of memory. */
  readonly rested: Rested;
}

interface Rested {
  /** To begin again. */
  readonly rowsRead: number;
  readonly storedBytes: number;
}
