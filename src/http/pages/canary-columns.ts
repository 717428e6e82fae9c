/**
 * What a table of probes tells of generations, and of no others. Pure.
 */
import type { ProbePoint } from "../answers.ts";
import type { Messages } from "./i18n/messages.ts";
import { milliseconds, tenths, waitWords } from "./words.ts";

export interface ProbeColumn {
  readonly name: string;
  readonly cell: (generation: NonNullable<ProbePoint["generation"]>) => string;
}

/** Of the table of probes: those in which any of them has a figure. */
export function canaryColumns(probes: readonly ProbePoint[], words: Messages): readonly ProbeColumn[] {
  const { columns, tokensBrief } = words.canary;
  const told = (value: number | null, tell: (known: number) => string) => (value === null ? "" : tell(value));
  const all: readonly ProbeColumn[] = [
    {
      name: columns.firstToken,
      cell: ({ firstTokenMs }) => told(firstTokenMs, (ms) => milliseconds(ms, words)),
    },
    {
      name: columns.speed,
      cell: ({ tokensPerSecond }) => told(tokensPerSecond, (speed) => `${tenths(speed)}`),
    },
    { name: columns.duration, cell: ({ taskMs }) => told(taskMs, (ms) => waitWords(ms, words)) },
    {
      name: columns.tokens,
      cell: ({ inputTokens, outputTokens }) =>
        inputTokens === null && outputTokens === null
          ? ""
          : tokensBrief(`${inputTokens ?? words.none}`, `${outputTokens ?? words.none}`),
    },
  ];
  const figures = probes.flatMap(({ generation }) => generation ?? []);
  return all.filter(({ cell }) => figures.some((generation) => cell(generation) !== ""));
}
