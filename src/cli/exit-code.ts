/** The exit codes of every command. Pure. */
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";

export const EXIT = {
  ok: 0,
  /** Operator, upstream or network must act. */
  others: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /** The caller must act. */
  caller: 3,
  /** Wait and try later. */
  later: 4,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOf({ ok, owner }: KeptDiagnosis): ExitCode {
  if (ok) return EXIT.ok;
  switch (owner) {
    case "caller":
      return EXIT.caller;
    case "nobody":
      return EXIT.later;
    case "operator":
    case "upstream":
    case "network":
      return EXIT.others;
  }
}
