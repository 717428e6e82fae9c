/** All that is stored, as JSON that can be kept: the Ledger's tables and the values of KV. Pure data. */

/** `base64`: bytes. */
export type StoredCell = string | number | null | { readonly base64: string };

export interface StoredTable {
  readonly name: string;
  /** The statement that makes it. */
  readonly create: string;
  readonly rows: readonly (readonly StoredCell[])[];
}

export interface StoredValue {
  readonly key: string;
  readonly base64: string;
  readonly metadata: unknown;
}

export interface Stored {
  readonly tables: readonly StoredTable[];
  readonly kv: readonly StoredValue[];
}

/** What the Worker of the story is asked to do. */
export type StoryRequest =
  | { readonly do: "play"; readonly fromMs: number; readonly untilMs: number; readonly stepMs: number }
  | { readonly do: "dump" }
  | { readonly do: "putBack"; readonly stored: Stored }
  | { readonly do: "sql"; readonly statement: string }
  | { readonly do: "ask"; readonly atMs: number; readonly paths: readonly string[] }
  | { readonly do: "administer"; readonly atMs: number; readonly method: string; readonly path: string };

/** What a released version left. */
export interface Left {
  readonly stored: Stored;
  /** What it answered at the end, by the path. */
  readonly answers: Readonly<Record<string, StoryAnswer>>;
  /** Ids of the events that the webhook took. */
  readonly told: readonly string[];
}

export interface StoryAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface StoryPlayed {
  /** Ids of the events that the webhook took, in order. */
  readonly told: readonly string[];
  /** By the tick's time, where it failed. */
  readonly failures: readonly string[];
  /** Writes to KV, and alarms set. */
  readonly writes: number;
}
