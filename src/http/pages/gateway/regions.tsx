/**
 * How a monitor is seen from its regions: in a sentence where not all see it work, and all of them as a table.
 */
import { isFailing, worstHealth } from "../../../domain/health.ts";
import {
  type IncidentDocument,
  type MonitorDocument,
  type RegionDocument,
} from "../../../history/documents.ts";
import { isPaused } from "../../../history/standing.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import { causePath } from "../parts/addresses.ts";
import { Columns, Fact, HealthMark, Scroll, Time } from "../parts/marks.tsx";
import { ownName, type View } from "../parts/view.ts";
import type { Messages } from "../i18n/messages.ts";
import { causeWords, milliseconds, percent, regionName, sentences } from "../parts/format.ts";

interface RegionsInput {
  readonly monitor: MonitorDocument;
  readonly view: View;
}

/** Nothing where all see it work, and where nobody knows. */
export function RegionsVerdict({ monitor, view }: RegionsInput) {
  const { words, status } = view;
  const { minority, failing: failingWords, working: workingWords } = words.regions;
  const { regions = [] } = monitor;
  const failing = regions.filter((seen) => isFailing(seen.status));
  if (failing.length === 0 || status.stale || isPaused(monitor)) return null;
  const told = listed(failing, (seen) => failingFrom(seen, view), words);
  if (!isFailing(monitor.status)) {
    // It has a tone of its own: the monitor's is that of the majority.
    const worst = worstHealth(failing.map((seen) => seen.status));
    return <p class={`verdict ${worst}`}>{minority(told)}</p>;
  }
  const working = regions.filter((seen) => seen.status === "up");
  const works = working.length > 0 && workingWords(listed(working, nameOf(words), words));
  return <p class="verdict">{sentences([failingWords(told), works], words)}</p>;
}

/** With its causes, where they are published. */
function failingFrom({ region, diagnosis, lastProbe }: RegionDocument, view: View): Child {
  const { words } = view;
  if (diagnosis === null) return regionName(region, words);
  const cause = causeWords(diagnosis.cause, (lastProbe?.attempts ?? 1) > 0, words);
  return [regionName(region, words), words.aside(<a href={causePath(diagnosis.cause, view)}>{cause}</a>)];
}

function nameOf(words: Messages): (seen: RegionDocument) => Child {
  return ({ region }) => regionName(region, words);
}

function listed(
  regions: readonly RegionDocument[],
  tell: (seen: RegionDocument) => Child,
  { list }: Messages,
): Child {
  return regions.map((seen, index) => (index === 0 ? tell(seen) : [list, tell(seen)]));
}

/** Of an incident: who saw its latest failure. */
export function RegionsFact({ incident: { regions = [] }, words }: RegionsOfIncident) {
  if (regions.length === 0) return null;
  return (
    <Fact term={words.report.fields.regions}>
      {regions.map((region) => regionName(region, words)).join(words.list)}
    </Fact>
  );
}

interface RegionsOfIncident {
  readonly incident: IncidentDocument;
  readonly words: Messages;
}

export function RegionsTable({ monitor, view }: RegionsInput) {
  const { regions = [] } = monitor;
  const { words } = view;
  const { heading, columns } = words.regions;
  const { result, cause, latency } = words.day.probeColumns;
  if (regions.length === 0) return <></>;
  return (
    <>
      <h3>{heading}</h3>
      <Scroll name={heading}>
        <table>
          <caption class="unseen">{`${heading}${words.colon}${ownName(view, monitor)}`}</caption>
          <Columns names={[columns.region, result, cause, latency, columns.uptime, words.terms.lastCheck]} />
          <tbody>
            {regions.map((seen) => (
              <Row seen={seen} view={view} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

function Row({ seen, view }: { seen: RegionDocument; view: View }) {
  const { region, status, diagnosis, lastProbe, uptime } = seen;
  const { words, clock } = view;
  const isFresh = status !== "unknown";
  return (
    <tr>
      <th scope="row">
        {regionName(region, words)} <small>{region}</small>
      </th>
      <td>
        <HealthMark health={status} words={words} />
      </td>
      <td class="cause">
        {isFresh && diagnosis !== null && (
          <a href={causePath(diagnosis.cause, view)}>
            {causeWords(diagnosis.cause, (lastProbe?.attempts ?? 1) > 0, words)}
          </a>
        )}
      </td>
      <td>{isFresh && lastProbe?.latencyMs != null ? milliseconds(lastProbe.latencyMs, words) : ""}</td>
      <td>{percent(uptime["24h"], words)}</td>
      <td>{lastProbe === null ? words.card.never : <Time at={lastProbe.at} clock={clock} />}</td>
    </tr>
  );
}
