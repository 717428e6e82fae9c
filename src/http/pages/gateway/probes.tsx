/**
 * A monitor's newest probes as a table, and what changed in its list of models.
 */
import { instant } from "../../../domain/calendar.ts";
import type { ModelNote } from "../../../domain/model-watch.ts";
import type { MonitorDocument } from "../../../history/documents.ts";
import type { ProbePoint } from "../../answers.ts";
import { causePath } from "../parts/addresses.ts";
import { Columns, HealthMark, Hour, Scroll, Time } from "../parts/marks.tsx";
import { ownName, type View } from "../parts/view.ts";
import { causeWords, milliseconds, waitWords, tenths } from "../parts/format.ts";
import { dayOf } from "../parts/zone-clock.ts";
import type { Messages } from "../i18n/messages.ts";

interface ProbesInput {
  readonly monitor: MonitorDocument;
  /** Newest first. */
  readonly probes: readonly ProbePoint[];
  readonly view: View;
}

export function RecentProbes({ monitor, probes, view }: ProbesInput) {
  const { day } = view.words;
  const columns = day.probeColumns;
  const ofCanaries = canaryColumns(probes, view.words);
  if (probes.length === 0) return <p class="soft">{day.noProbes}</p>;
  return (
    <>
      <h3>{day.probes}</h3>
      <Scroll name={day.probes}>
        <table>
          <caption class="unseen">{`${day.probes}${view.words.colon}${ownName(view, monitor)}`}</caption>
          <Columns
            names={[
              columns.at,
              columns.result,
              columns.cause,
              columns.latency,
              ...ofCanaries.map(({ name }) => name),
              columns.attempts,
              columns.http,
            ]}
          />
          <tbody>
            {probes.map((probe) => (
              <Probe probe={probe} columns={ofCanaries} view={view} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

interface ProbeInput {
  readonly probe: ProbePoint;
  /** Those of canaries. */
  readonly columns: readonly ProbeColumn[];
  readonly view: View;
}

function Probe({ probe, columns, view }: ProbeInput) {
  const { generation, at, health, cause, latencyMs, attempts, waitedMs, httpStatus, inMaintenance } = probe;
  const { words } = view;
  const { day } = words;
  return (
    <tr>
      <td>
        <At at={at} view={view} />
      </td>
      <td>
        <HealthMark health={health} words={words} />
        {inMaintenance && ` ${day.inMaintenance}`}
      </td>
      <td class="cause">
        {cause !== null && cause !== "ok" && (
          <a href={causePath(cause, view)}>{causeWords(cause, attempts > 0, words)}</a>
        )}
      </td>
      <td>{latencyMs === null ? "" : milliseconds(latencyMs, words)}</td>
      {columns.map(({ cell }) => (
        <td>{generation === null ? "" : cell(generation)}</td>
      ))}
      <td>{attempts > 1 ? day.attempts(attempts, waitWords(waitedMs, words)) : attempts}</td>
      <td>{httpStatus ?? ""}</td>
    </tr>
  );
}

/** On a phone a date of today would leave no room for what was found. */
function At({ at, view: { clock, nowMs } }: { at: string; view: View }) {
  return dayOf(at, clock) === dayOf(instant(nowMs), clock) ? (
    <Hour at={at} clock={clock} title={clock.show(at)} />
  ) : (
    <Time at={at} clock={clock} />
  );
}

interface ModelsInput {
  readonly monitor: MonitorDocument;
  /** Oldest first; the first is of the first list that was seen, or of the oldest that is remembered. */
  readonly notes: readonly ModelNote[];
  readonly view: View;
}

export function Models({ monitor: { modelCount }, notes, view }: ModelsInput) {
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

interface LastProbeInput extends Pick<View, "clock" | "words"> {
  readonly probe: NonNullable<MonitorDocument["lastProbe"]>;
}

/** In a line. */
export function LastProbe({ probe: { at, latencyMs, attempts, waitedMs }, clock, words }: LastProbeInput) {
  const { comma, card } = words;
  return (
    <>
      <Time at={at} clock={clock} />
      {latencyMs !== null && `${comma}${milliseconds(latencyMs, words)}`}
      {attempts > 1 && `${comma}${card.attempts(attempts, waitWords(waitedMs, words))}`}
      {attempts === 0 && `${comma}${card.nothingSent}`}
    </>
  );
}

interface ProbeColumn {
  readonly name: string;
  readonly cell: (generation: NonNullable<ProbePoint["generation"]>) => string;
}

/** Of the table of probes: those in which any of them has a figure. */
function canaryColumns(probes: readonly ProbePoint[], words: Messages): readonly ProbeColumn[] {
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
