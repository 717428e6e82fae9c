/** What a command touches of the world around it; a test hands it plain values. */
import type { Clock } from "../probe/clock.ts";
import type { Fetch } from "../probe/exchange.ts";

export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: Input;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory that relative file names start from. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly fetch: Fetch;
  /** 0 to 1, 1 excluded. */
  random(): number;
  /** An IANA name: the zone of this machine. */
  readonly timeZone: string;
}

export interface Output {
  write(text: string): void;
  /** Is it a terminal? */
  readonly isTTY: boolean;
  /** The terminal's width; 80 where nobody knows. */
  readonly columns: number;
}

export interface Input {
  readonly isTTY: boolean;
  /** All of it, at most `maxBytes`; null when there is more. */
  readAll(maxBytes: number): Promise<string | null>;
}
