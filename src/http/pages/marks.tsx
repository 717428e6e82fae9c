/** Parts that all pages use: marks, times, tables, lists of facts, the answer at the top of a page, maintenance. */
import { type Announcement, openAnnouncements } from "../../domain/announcement.ts";
import { concerns } from "../../domain/schedule.ts";
import { type GatewayDocument, isUnderWay, type WindowDocument } from "../../history/documents.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { ageWords, hourOf, joined, languageOf, sentences, spanWords, type ZoneClock } from "./format.ts";
import { say } from "../../domain/language/words.ts";
import type { Messages, Shown } from "./i18n/messages.ts";
import { gatewayName, type Headline, pathTo, SHAPES, stoppedGateways, type View } from "./view.ts";
import { visibleText } from "../../protocol/error-facts.ts";

export function Time({ at, clock }: { at: string; clock: ZoneClock }) {
  return <time datetime={at}>{clock.show(at)}</time>;
}

/** The time of day alone; the script shows it in the reader's own zone. */
export function Hour({ at, clock }: { at: string; clock: ZoneClock }) {
  return (
    <time datetime={at} data-hour>
      {hourOf(at, clock)}
    </time>
  );
}

/** How long ago, or in how long, in one unit: `12 min`. The exact time is in its title. @param tell the sentence that says it. */
export function Age({ at, view, tell = "{0}" }: { at: string; view: View; tell?: string }) {
  const { clock, minuteMs, words } = view;
  const atMs = Date.parse(at);
  return (
    <time datetime={at} title={clock.show(at)} data-age>
      {say(tell, ageWords(Math.min(atMs, minuteMs), Math.max(atMs, minuteMs), words))}
    </time>
  );
}

/** A shape and a word: color is never the only sign. */
export function HealthMark({ health, words }: { health: Shown; words: Messages }) {
  return (
    <span class={`mark ${health}`}>
      <Shape path={SHAPES[health]} />
      {words.shown[health]}
    </span>
  );
}

/** The shape alone, where its word is for those who hear the page. */
export function ShapeMark({ health, words }: { health: Shown; words: Messages }) {
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

/** Where something was said or done, and no state seen. */
export function RingMark() {
  return (
    <span class="mark unknown">
      <Shape path={SHAPES.unknown} />
    </span>
  );
}

/** With a check mark only if it was seen to recover. */
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

export function PlannedWords({ gatewayId, view }: { gatewayId: string; view: View }) {
  const { words, planned } = view;
  const until = planned.get(gatewayId);
  if (until === undefined) return null;
  return (
    <>
      <strong>{say(words.maintenance.left, <Age at={until} view={view} />)}</strong>
      {words.gap}
    </>
  );
}

/** `head`: it heads its row. */
export type Column<Row> = readonly [name: string, cell: (row: Row) => Child, kind?: "head" | "cause"];

/** A wide table: keys scroll it too. */
export function Table<Row>({
  name,
  columns,
  rows,
}: {
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}) {
  return (
    <div class="scroll" role="group" aria-label={name} tabindex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(([heading]) => (
              <th scope="col">{heading}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(([, cell, kind]) =>
                kind === "head" ? <th scope="row">{cell(row)}</th> : <td class={kind}>{cell(row)}</td>,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Text from people or gateways: in any language, so its direction is isolated. */
export function Said({ text, words }: { text: string; words: Messages }) {
  return <bdi lang={languageOf(text, words)}>{text}</bdi>;
}

/** Null: nothing is known of it. */
export type Fact = readonly [term: Child, told: Child | null];

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

export function turned(owner: string, words: Messages): Child {
  return say(words.turn, <strong>{words.whoseTurn}</strong>, owner);
}

type Tone = Headline["tone"] | "paused" | "ended";

/** Screen readers read out changes of its heading, and not the ages below it. */
export function Answer({ tone, heading, children }: { tone: Tone; heading: Child; children?: Child }) {
  const shape = SHAPES[tone === "stale" ? "unknown" : tone === "ended" ? "up" : tone];
  return (
    <div class={`answer ${tone}`}>
      <h1>
        {tone !== "ended" && (
          <span class="mark">
            <Shape path={shape} />
          </span>
        )}
        <span aria-live="polite">{heading}</span>
      </h1>
      {children}
    </div>
  );
}

export function StaleBanner({ view }: { view: View }) {
  return (
    <div class="answer stale">
      <p class="headline">{view.words.headline.stale}</p>
      <StaleWords view={view} />
    </div>
  );
}

function StaleWords({ view }: { view: View }) {
  const { status, words } = view;
  const { never, lastRound, now, turn } = words.stopped;
  const last =
    status.lastTickAt === null
      ? never
      : say(lastRound, <Age at={status.lastTickAt} view={view} tell={words.ago} />);
  return <p>{sentences([last, now, <strong>{turn}</strong>], words)}</p>;
}

const NAMED = 5;

/** What the overview lacks: the present state, or gateways that cannot be read. */
export function Missing({ view }: { view: View }) {
  const { status, missing, words } = view;
  if (status.stale) return <StaleWords view={view} />;
  if (status.gaps === undefined) return null;
  const names = missing.map(({ name }) => <Said text={name} words={words} />);
  return <p>{say(words.stopped.gaps, names.length === 0 ? "" : say(words.aside, firstOf(names, words)))}</p>;
}

/** @param of default: all whose checks alone have stopped. */
export function Stopped({ view, of }: { view: View; of?: GatewayDocument }) {
  const gateways = of ? [of] : stoppedGateways(view);
  if (gateways.length === 0) return null;
  const { words } = view;
  const names = gateways.map(({ id, name }) => (
    <a href={pathTo(view, "gateways", id)}>
      <Said text={name} words={words} />
    </a>
  ));
  const { gateways: told, turn } = words.stopped;
  return <p>{sentences([say(told, names.length, firstOf(names, words)), turn], words)}</p>;
}

function firstOf(names: readonly Child[], { list }: Messages): Child {
  return [joined(names.slice(0, NAMED), list), names.length > NAMED && " …"];
}

/** @param gatewayId only those that concern it. */
export function Announcements({ view, gatewayId }: { readonly view: View; readonly gatewayId?: string }) {
  const { status, words, nowMs } = view;
  const shown = openAnnouncements(status.announcements ?? [], nowMs).filter(
    ({ gateways }) => gatewayId === undefined || concerns(gateways, gatewayId),
  );
  return (
    <>
      {shown.map((one) => (
        <section class="box" aria-labelledby={one.id}>
          <h2 id={one.id}>
            {[words.told[one.kind], words.colon]}
            <Said text={one.title} words={words} />
            {one.gateways.length > 0 && say(words.aside, gatewayNames(one.gateways, view))}
          </h2>
          <Updates of={one} view={view} />
        </section>
      ))}
    </>
  );
}

/** The newest first. */
export function Updates({ of, view: { words, clock } }: { readonly of: Announcement; readonly view: View }) {
  return (
    <>
      {of.updates.toReversed().map(({ at, status, body }) => (
        <div>
          <p>
            {status !== null && [<strong>{words.told[status]}</strong>, words.comma]}
            <Time at={at} clock={clock} />
          </p>
          {markdown(body)}
        </div>
      ))}
    </>
  );
}

export function gatewayNames(gateways: readonly string[], view: View): Child {
  const names = gateways.map((id) => <Said text={gatewayName(view, id)} words={view.words} />);
  return joined(names, view.words.list);
}

export function Maintenance({ windows, view }: { windows: readonly WindowDocument[]; view: View }) {
  const shown = windows.filter(({ to }) => Date.parse(to) > view.nowMs);
  if (shown.length === 0) return null;
  return (
    <section class="box plan">
      <h2>{view.words.maintenance.heading}</h2>
      <ul>
        {shown.map((window) => (
          <Window window={window} view={view} />
        ))}
      </ul>
    </section>
  );
}

function Window({ window, view }: { window: WindowDocument; view: View }) {
  const { gateways, from, to, title } = window;
  const { nowMs, words } = view;
  const { everywhere, underWay, planned } = words.maintenance;
  const length = spanWords(Date.parse(from), Date.parse(to), words);
  return (
    <li>
      <strong>
        <Said text={title} words={words} />
      </strong>
      {say(words.aside, gateways.length === 0 ? everywhere : gatewayNames(gateways, view))}
      {words.colon}
      {isUnderWay(window, nowMs)
        ? say(underWay, <Age at={to} view={view} />)
        : say(planned, <Age at={from} view={view} />, <Age at={to} view={view} tell={length} />)}
    </li>
  );
}

const ADDRESS = 'https://[^\\s()<>"]*[^\\s()<>".,;:!?*]';
const INLINE = new RegExp(
  `\`([^\`]+)\`|\\*\\*([^*]+)\\*\\*|\\*([^*\\s][^*]*)\\*|\\[([^[\\]]+)\\]\\((${ADDRESS})\\)|(${ADDRESS})`,
  "g",
);
const ITEM = /^ {0,3}(?:[-*]|\d{1,3}[.)]) +/;

export function markdown(text: string): Child {
  const blocks = text.trim().split(/\r?\n(?:[ \t]*\r?\n)+/);
  return blocks.map((block) => {
    const lines = block.split(/\r?\n/).map(visibleText);
    if (lines.every((line) => ITEM.test(line))) {
      const items = lines.map((line) => <li>{inline(line.replace(ITEM, ""))}</li>);
      return /^\s*\d/.test(block) ? <ol dir="auto">{items}</ol> : <ul dir="auto">{items}</ul>;
    }
    return <p dir="auto">{lines.map((line, index) => [index > 0 && <br />, inline(line)])}</p>;
  });
}

export function inline(text: string): Child {
  const parts: Child[] = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(end, found.index), marked(found));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

function marked([whole = "", code, bold, italic, name, address = whole]: readonly (
  | string
  | undefined
)[]): Child {
  if (code !== undefined) return <code>{code}</code>;
  if (bold !== undefined) return <strong>{bold}</strong>;
  if (italic !== undefined) return <em>{italic}</em>;
  if (!URL.canParse(address)) return whole;
  return (
    <a href={address} rel="nofollow noopener">
      {name ?? address}
    </a>
  );
}
