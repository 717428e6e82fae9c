/**
 * The small marks that all pages use.
 */
import type { Child, Html } from "../../jsx/jsx-runtime.ts";
import { ageWords } from "./format.ts";
import { languageOf } from "./language.ts";
import { SHAPES } from "./shapes.ts";
import type { View } from "./view.ts";
import type { Shown, Messages } from "../i18n/messages.ts";
import { hourOf, type ZoneClock } from "./zone-clock.ts";

export function Time({ at, clock }: { at: string; clock: ZoneClock }) {
  return <time datetime={at}>{clock.show(at)}</time>;
}

/** The time of day alone; the script shows it in the reader's own zone. */
export function Hour({ at, clock, title }: { at: string; clock: ZoneClock; title?: string }) {
  return (
    <time datetime={at} data-hour title={title}>
      {hourOf(at, clock)}
    </time>
  );
}

/** How long ago, in one unit: `12 min`. The exact time is in its title. */
export function Age({ at, view: { clock, minuteMs, words } }: { at: string; view: View }) {
  return (
    <time datetime={at} title={clock.show(at)} data-age>
      {ageWords(Date.parse(at), minuteMs, words)}
    </time>
  );
}

interface MarkInput {
  readonly health: Shown;
  readonly words: Messages;
}

/** A shape and a word: colour is never the only sign. */
export function HealthMark({ health, words }: MarkInput) {
  return (
    <span class={`mark ${health}`}>
      <Shape path={SHAPES[health]} />
      {words.shown[health]}
    </span>
  );
}

/** The shape alone, where its word is for those who hear the page. */
export function ShapeMark({ health, words }: MarkInput) {
  return (
    <span class={`mark ${health}`}>
      <Shape path={SHAPES[health]} />
      <span class="unseen">
        {words.shown[health]}
        {words.colon}
      </span>
    </span>
  );
}

/** What is over bears no shape of a failure; a tick only where it was seen to be well. */
export function EndedMark({ words, isWell }: { words: string; isWell: boolean }) {
  return (
    <span class="mark ended">
      <Shape path={isWell ? TICK : DASH} />
      {words}
    </span>
  );
}

export function Shape({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

const TICK = "M1 8.5L3.5 6l3 3l6-6l2.5 2.5l-8.5 8.5z";
const DASH = "M1 6h14v4h-14z";

/** Before any verdict: that what is seen now was announced. */
export function PlannedWords({ gatewayId, view }: { gatewayId: string; view: View }) {
  const { words, clock, planned } = view;
  const until = planned.get(gatewayId);
  if (until === undefined) return null;
  return (
    <>
      <strong>{words.maintenance.until(<Time at={until} clock={clock} />)}</strong>
      {words.gap}
    </>
  );
}

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => Child;
  /** It heads its row. */
  readonly isHead?: boolean;
  readonly isCause?: boolean;
}

interface TableInput<Row> {
  /** Short, since the caption is read out after it. */
  readonly name: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** A wide table: keys scroll it too. */
export function Table<Row>({ name, caption, columns, rows }: TableInput<Row>) {
  return (
    <div class="scroll" role="group" aria-label={name} tabindex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <Columns names={columns.map((column) => column.name)} />
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(({ cell, isHead, isCause }) =>
                isHead === true ? (
                  <th scope="row">{cell(row)}</th>
                ) : (
                  <td class={isCause === true ? "cause" : undefined}>{cell(row)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Names of columns. */
export function Columns({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th scope="col">{name}</th>
        ))}
      </tr>
    </thead>
  );
}

/**
 * Messages of people or of gateways: of whatever language, and kept apart in their direction, so that they turn nothing around
 * that stands after them.
 */
export function Said({ text, words }: { text: string; words: Messages }) {
  return <bdi lang={languageOf(text, words)}>{text}</bdi>;
}

/** Null: nothing is known of it. */
export type Fact = readonly [term: string, told: Child | null];

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl>
      {facts.map(
        ([term, told]) =>
          told !== null && (
            <div>
              <dt>{term}</dt>
              <dd>{told}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Code stands between backticks. */
export function inline(text: string): readonly (Html | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}
