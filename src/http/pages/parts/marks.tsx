/**
 * The small marks that all pages use.
 */
import type { Child } from "../../jsx/jsx-runtime.ts";
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

/** A shape and a word: colour is never the only sign. */
export function HealthMark({ health, words }: { health: Shown; words: Messages }) {
  return (
    <span class={`mark ${health}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={SHAPES[health]} />
      </svg>
      {words.shown[health]}
    </span>
  );
}

/** What is over bears no shape of a failure; a tick only where it was seen to be well. */
export function EndedMark({ words, isWell }: { words: string; isWell: boolean }) {
  return (
    <span class="mark ended">
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={isWell ? TICK : DASH} />
      </svg>
      {words}
    </span>
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

/** A wide table: keys scroll it too. Its name is short, since that of the table is read out after it. */
export function Scroll({ name, children }: { name: string; children: Child }) {
  return (
    <div class="scroll" role="group" aria-label={name} tabindex={0}>
      {children}
    </div>
  );
}

/**
 * Messages of people or of gateways: of whatever language, and kept apart in their direction, so that they turn nothing around
 * that stands after them.
 */
export function Said({ text, words }: { text: string; words: Messages }) {
  return <bdi lang={languageOf(text, words)}>{text}</bdi>;
}

export function Fact({ term, children }: { term: string; children: Child }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
