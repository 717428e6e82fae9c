/**
 * Of a monitor as tables: its newest checks, and how it is seen from its regions. And what changed in its list of models.
 */
import { instant } from "../../domain/calendar.ts";
import { isFailing, worstHealth } from "../../domain/health.ts";
import type { ModelNote } from "../../domain/model-watch.ts";
import type { MonitorDocument, RegionDocument } from "../../history/documents.ts";
import { isPaused } from "../../history/standing.ts";
import type { Cause } from "../../protocol/diagnosis.ts";
import type { ProbePoint } from "../answers.ts";
import {
  causeWords,
  dayOf,
  milliseconds,
  percent,
  regionName,
  sentences,
  tenths,
  waitWords,
} from "./format.ts";
import type { Messages } from "./i18n/messages.ts";
import { type Column, HealthMark, Hour, Table, Time } from "./marks.tsx";
import { type View, causePath, ownName } from "./view.ts";

interface OfMonitor {
  readonly monitor: MonitorDocument;
  readonly view: View;
}

/** @param probes newest first. */
export function RecentProbes({ monitor, probes, view }: OfMonitor & { probes: readonly ProbePoint[] }) {
  const { words } = view;
  const { day } = words;
  if (probes.length === 0) return <p class="soft">{day.noProbes}</p>;
  return (
    <>
      <h3>{day.probes}</h3>
      <Table
        name={day.probes}
        caption={`${day.probes}${words.colon}${ownName(view, monitor)}`}
        columns={probeColumns(probes, view)}
        rows={probes}
      />
    </>
  );
}

/** Those of canaries where any of the probes has a figure. */
function probeColumns(probes: readonly ProbePoint[], view: View): readonly Column<ProbePoint>[] {
  const { words } = view;
  const { day } = words;
  const { at, result, latency, http } = day.probeColumns;
  const { cause, attempts } = words.report.fields;
  return [
    [at, (probe) => <At at={probe.at} view={view} />],
    [
      result,
      ({ health, inMaintenance }) => [
        <HealthMark health={health} words={words} />,
        inMaintenance && ` ${day.inMaintenance}`,
      ],
    ],
    [
      cause,
      (probe) =>
        probe.cause !== null && probe.cause !== "ok" && causeLink(probe.cause, probe.attempts > 0, view),
      "cause",
    ],
    [latency, ({ latencyMs }) => known(latencyMs, (ms) => milliseconds(ms, words))],
    ...generationColumns(words).filter(([, cell]) => probes.some((probe) => cell(probe) !== "")),
    [
      attempts,
      (probe) =>
        probe.attempts > 1 ? day.attempts(probe.attempts, waitWords(probe.waitedMs, words)) : probe.attempts,
    ],
    [http, ({ httpStatus }) => httpStatus],
  ];
}

function known<Value>(value: Value | null | undefined, tell: (value: Value) => string): string {
  return value === null || value === undefined ? "" : tell(value);
}

function generationColumns(words: Messages): readonly Column<ProbePoint>[] {
  const { columns, tokensBrief } = words.canary;
  const tokens = ({ inputTokens: input, outputTokens: output }: NonNullable<ProbePoint["generation"]>) =>
    input === null && output === null ? "" : tokensBrief(`${input ?? words.none}`, `${output ?? words.none}`);
  return [
    [columns.firstToken, (of) => known(of.generation?.firstTokenMs, (ms) => milliseconds(ms, words))],
    [columns.speed, (of) => known(of.generation?.tokensPerSecond, (speed) => `${tenths(speed)}`)],
    [columns.duration, (of) => known(of.generation?.taskMs, (ms) => waitWords(ms, words))],
    [columns.tokens, (of) => known(of.generation, tokens)],
  ];
}

function causeLink(cause: Cause, sent: boolean, view: View) {
  return <a href={causePath(cause, view)}>{causeWords(cause, sent, view.words)}</a>;
}

/** On a phone a date of today would leave no room for what was found. */
function At({ at, view: { clock, nowMs } }: { at: string; view: View }) {
  return dayOf(at, clock) === dayOf(instant(nowMs), clock) ? (
    <Hour at={at} clock={clock} title={clock.show(at)} />
  ) : (
    <Time at={at} clock={clock} />
  );
}

/** @param notes oldest first; the first is of the first list that was seen, or of the oldest that is remembered. */
export function Models({ monitor, notes, view }: OfMonitor & { notes: readonly ModelNote[] }) {
  const { modelCount } = monitor;
  if (notes.length === 0 && modelCount === null) return <></>;
  const { day, gap, colon, list } = view.words;
  const changes = notes.slice(1).map((note, index) => ({ note, before: notes[index]?.count ?? note.count }));
  return (
    <>
      <h3>{day.models}</h3>
      {modelCount !== null && <p>{day.modelsNow(modelCount)}</p>}
      {notes.length === 1 && <p class="soft">{day.modelsSteady}</p>}
      {changes.length > 0 && (
        <ul>
          {changes.toReversed().map(({ note: { atMs, count, vanished, returned }, before }) => (
            <li>
              <Time at={instant(atMs)} clock={view.clock} />
              {colon}
              {[
                ...(count > before ? [day.more(count, count - before)] : []),
                ...(count < before ? [day.fewer(count, before - count)] : []),
                ...(vanished.length === 0 ? [] : [day.vanished(vanished.join(list))]),
                ...(returned.length === 0 ? [] : [day.returned(returned.join(list))]),
              ].join(gap)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** None where all see it work, and where nobody knows. */
export function failingRegions(monitor: MonitorDocument, { status }: View): readonly RegionDocument[] {
  if (status.stale || isPaused(monitor)) return [];
  return (monitor.regions ?? []).filter((seen) => isFailing(seen.status));
}

export function regionNames(regions: readonly RegionDocument[], words: Messages): string {
  return regions.map(({ region }) => regionName(region, words)).join(words.list);
}

export function RegionsVerdict({ monitor, view }: OfMonitor) {
  const { words } = view;
  const failing = failingRegions(monitor, view);
  if (failing.length === 0) return <></>;
  const told = words.regions.failing(regionNames(failing, words));
  if (isFailing(monitor.status)) return <p class="verdict">{told}</p>;
  // It has a tone of its own: the monitor's is that of the majority.
  const tone = worstHealth(failing.map((seen) => seen.status));
  return <p class={`verdict ${tone}`}>{sentences([told, words.regions.mostWork], words)}</p>;
}

export function RegionsTable({ monitor, view }: OfMonitor) {
  const { regions = [] } = monitor;
  const { words, clock } = view;
  const { heading, columns } = words.regions;
  const { result, latency } = words.day.probeColumns;
  if (regions.length === 0) return <></>;
  const table: readonly Column<RegionDocument>[] = [
    [columns.region, ({ region }) => [regionName(region, words), " ", <small>{region}</small>], "head"],
    [result, ({ status }) => <HealthMark health={status} words={words} />],
    [
      words.report.fields.cause,
      ({ status, diagnosis, lastProbe }) =>
        status !== "unknown" &&
        diagnosis !== null &&
        causeLink(diagnosis.cause, (lastProbe?.attempts ?? 1) > 0, view),
      "cause",
    ],
    [
      latency,
      ({ status, lastProbe }) =>
        status !== "unknown" && known(lastProbe?.latencyMs, (ms) => milliseconds(ms, words)),
    ],
    [columns.uptime, ({ uptime }) => percent(uptime["24h"], words)],
    [
      words.terms.lastCheck,
      ({ lastProbe }) => (lastProbe === null ? words.card.never : <Time at={lastProbe.at} clock={clock} />),
    ],
  ];
  return (
    <>
      <h3>{heading}</h3>
      <Table
        name={heading}
        caption={`${heading}${words.colon}${ownName(view, monitor)}`}
        columns={table}
        rows={regions}
      />
    </>
  );
}
