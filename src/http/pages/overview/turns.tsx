/**
 * What fails now, grouped by whose turn it is: an open incident is a line, and so is a gateway that fails without one.
 */
import { isFailing, worstHealth } from "../../../domain/health.ts";
import {
  failedSince,
  type GatewayDocument,
  type IncidentDocument,
  type MonitorDocument,
} from "../../../history/documents.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import { gatewayPath, incidentPath, reportPath } from "../parts/addresses.ts";
import { incidentHeld } from "../gateway/canary.tsx";
import { latestFailure, recoveringWords, titleOf } from "../incident/incident-words.ts";
import { causeWords, sentences } from "../parts/format.ts";
import { Age, Said, ShapeMark } from "../parts/marks.tsx";
import { storedWords } from "../parts/stored-words.ts";
import {
  gatewayName,
  healthNow,
  isStopped,
  isUnsent,
  monitorName,
  urgencyOf,
  type View,
} from "../parts/view.ts";
import type { Messages, Shown } from "../i18n/messages.ts";

/** In their order on the page. `own`: the monitoring itself; `hidden`: causes are not published. */
const TURNS = [
  "caller",
  "own",
  "operator",
  "upstream",
  "network",
  "hidden",
  "nobody",
  "planned",
  "stopped",
] as const;
type Turn = (typeof TURNS)[number];

interface Line {
  readonly turn: Turn;
  readonly rank: number;
  readonly mark: Shown;
  readonly name: string;
  readonly cause: string;
  readonly path: string;
  readonly since: string;
  readonly todo: Child;
  readonly report: string | null;
}

/** In a storm the others are found among the rows below. */
const MOST_LINES = 20;

export function Turns({ view }: { view: View }) {
  const { turns } = view.words;
  const lines = [...view.status.incidents.map((one) => ofIncident(one, view)), ...ofGateways(view)].sort(
    (a, b) => TURNS.indexOf(a.turn) - TURNS.indexOf(b.turn) || a.rank - b.rank,
  );
  if (lines.length === 0) return null;
  const shown = lines.slice(0, MOST_LINES);
  return (
    <section class="turns" aria-labelledby="turns">
      <h2 id="turns" class="unseen">
        {turns.heading}
      </h2>
      {TURNS.map((turn) => (
        <Group turn={turn} lines={shown.filter((line) => line.turn === turn)} view={view} />
      ))}
      {lines.length > shown.length && <p class="soft">{turns.more(lines.length - shown.length)}</p>}
    </section>
  );
}

function Group({ turn, lines, view }: { turn: Turn; lines: readonly Line[]; view: View }) {
  if (lines.length === 0) return null;
  const { whose, notes } = view.words.turns;
  return (
    <div class={`turn ${turn}`}>
      <h3>
        {whose[turn]} <small>{notes[turn]}</small>
      </h3>
      <ul role="list">
        {lines.map((line) => (
          <LineItem line={line} view={view} />
        ))}
      </ul>
    </div>
  );
}

function LineItem({ line, view }: { line: Line; view: View }) {
  const { words } = view;
  return (
    <li>
      <span class="what">
        <ShapeMark health={line.mark} words={words} />{" "}
        <a href={line.path}>
          <b>
            <Said text={line.name} words={words} />
          </b>{" "}
          <span>{line.cause}</span>
        </a>
      </span>{" "}
      <span class="todo">
        {line.todo}{" "}
        {line.report !== null && (
          <a href={reportPath(line.report, view)}>
            {words.card.report}
            <span class="unseen">
              {" "}
              <Said text={line.name} words={words} />
            </span>
          </a>
        )}
      </span>{" "}
      <span class="age">
        <Age at={line.since} view={view} />
      </span>
    </li>
  );
}

function ofIncident(incident: IncidentDocument, view: View): Line {
  const { id, gateway, health, owner, cause, report, acknowledgedAt } = incident;
  const { words } = view;
  const { subject, matter } = titleOf(incident, view);
  const turn = turnOf(gateway, owner, view);
  const advice = latestFailure(incident)?.text ?? "";
  const recovering = recoveringWords(incident, view);
  const held = incidentHeld(incident, view);
  const todo = recovering || (held?.why ?? (advice === "" ? "" : storedWords(advice, cause, words)));
  return {
    turn,
    rank: urgencyOf(view.planned, { id: gateway, health }),
    mark: turn === "stopped" ? "unknown" : turn === "planned" ? "maintenance" : health,
    name:
      gateway !== null && view.gateways.get(gateway)?.monitors.length === 1
        ? gatewayName(view, gateway)
        : subject,
    cause: matter,
    path: incidentPath(id, view),
    since: failedSince(incident),
    todo: turn === "stopped" ? "" : sentences([todo, acknowledgedAt !== null && words.incident.seen], words),
    report: owner === "operator" ? report : null,
  };
}

/** Of monitors that fail without an incident: those of a gateway with the same cause are told together. */
function ofGateways(view: View): Line[] {
  return view.status.gateways.flatMap((gateway) => {
    const failing = gateway.monitors.filter(
      (monitor) => monitor.incident === null && isFailing(healthNow(monitor, view)),
    );
    const byCause = Map.groupBy(failing, ({ diagnosis }) => diagnosis?.cause ?? null);
    return [...byCause.values()].map((monitors) => ofMonitors(gateway, monitors, view));
  });
}

function ofMonitors(gateway: GatewayDocument, monitors: readonly MonitorDocument[], view: View): Line {
  const { words } = view;
  const [first] = monitors;
  const diagnosis = first?.diagnosis ?? null;
  const health = worstHealth(monitors.map((monitor) => healthNow(monitor, view)));
  const turn = turnOf(gateway.id, diagnosis?.owner ?? null, view);
  const isWhole = monitors.length > 1 || gateway.monitors.length === 1;
  return {
    turn,
    rank: urgencyOf(view.planned, { id: gateway.id, health }),
    mark: turn === "planned" ? "maintenance" : health,
    name: isWhole || first === undefined ? gateway.name : monitorName(view, first.id),
    cause: matterOf(first, health, words),
    path: gatewayPath(gateway.id, view),
    since: monitors.map(({ since }) => since).sort()[0] ?? view.status.generatedAt,
    todo: sentences(
      [
        diagnosis !== null && storedWords(diagnosis.advice, diagnosis.cause, words),
        turn !== "planned" && words.turns.yet,
      ],
      words,
    ),
    report: null,
  };
}

function matterOf(monitor: MonitorDocument | undefined, health: Shown, words: Messages): string {
  return monitor?.diagnosis
    ? causeWords(monitor.diagnosis.cause, !isUnsent(monitor), words)
    : words.shown[health];
}

function turnOf(gateway: string | null, owner: IncidentDocument["owner"], view: View): Turn {
  if (isStopped(gateway, view)) return "stopped";
  if (gateway !== null && view.planned.has(gateway)) return "planned";
  if (owner === null) return "hidden";
  return gateway === null && owner === "network" ? "own" : owner;
}
