/** What fails, grouped by whose turn it is: a line for each incident, and for each gateway that fails without one. */
import { isFailing, worstHealth } from "../../domain/health.ts";
import {
  type GatewayDocument,
  type IncidentDocument,
  type MonitorDocument,
  failedSince,
  membersOf,
} from "../../history/documents.ts";
import { monitorHealth } from "../../history/standing.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { heldWords, incidentHeld, opensWords, recoveryWords } from "./checks.tsx";
import { causeWords, sentences, storedWords } from "./format.ts";
import { say } from "../../domain/language/words.ts";
import type { Messages, Shown } from "./i18n/messages.ts";
import { type Owned, adviceWords, titleOf, upstreamsSaid, whoseTurn } from "./incident.tsx";
import { Age, Said, ShapeMark } from "./marks.tsx";
import {
  type View,
  gatewayName,
  incidentShown,
  isStopped,
  isUnsent,
  monitorName,
  monitorShown,
  pathTo,
  urgencyOf,
} from "./view.ts";

/** In their order on the page. `own`: the monitoring itself; `hidden`: causes are not published. */
export const TURNS = [
  "us",
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
      {lines.length > shown.length && <p class="soft">{say(turns.more, lines.length - shown.length)}</p>}
    </section>
  );
}

/** Their lines say what to do. */
const IN_LINES: ReadonlySet<Turn> = new Set(["operator", "upstream", "network", "nobody"]);

function Group({ turn, lines, view }: { turn: Turn; lines: readonly Line[]; view: View }) {
  if (lines.length === 0) return null;
  const note = noteOf(
    turn,
    lines.some(({ mark }) => mark === "down"),
    view.words,
  );
  return (
    <div class={`turn ${turn}`}>
      <h3>
        {turnName(
          turn,
          lines.map(({ gateway }) => gateway),
          view,
        )}{" "}
        {note !== "" && <small>{note}</small>}
      </h3>
      <ul role="list">
        {lines.map((line) => (
          <LineItem line={line} view={view} />
        ))}
      </ul>
    </div>
  );
}

/** Names the gateway whose operator must act, if it is one. */
export function turnName(turn: Turn, gateways: readonly (string | null)[], view: View): Child {
  const { operatorOf, whose } = view.words.turns;
  const [only = null, ...others] = new Set(gateways);
  return turn === "operator" && only !== null && others.length === 0
    ? say(operatorOf, <Said text={gatewayName(view, only)} words={view.words} />)
    : whose[turn];
}

export function noteOf(turn: Turn, isOutage: boolean, { turns: { notes } }: Messages): string {
  return IN_LINES.has(turn) || (turn === "us" && isOutage) ? "" : notes[turn];
}

type Line = Readonly<ReturnType<typeof ofIncident>>;

function LineItem({ line, view }: { line: Line; view: View }) {
  const { words } = view;
  const { mark, name, cause, path, since, todo, report } = line;
  return (
    <li>
      <span class="what">
        <ShapeMark health={mark} words={words} />{" "}
        <a href={path}>
          <b>
            <Said text={name} words={words} />
          </b>{" "}
          <span>{cause}</span>
        </a>
      </span>{" "}
      <span class="todo">
        {report !== null && (
          <a href={pathTo(view, "reports", report)}>
            {words.turns.notes.operator}
            <span class="unseen">
              {" "}
              <Said text={name} words={words} />
            </span>
          </a>
        )}{" "}
        {todo}
      </span>{" "}
      <span class="age">
        <Age at={since} view={view} />
      </span>
    </li>
  );
}

function ofIncident(incident: IncidentDocument, view: View) {
  const { id, gateway, health, report, acknowledgedAt, provider } = incident;
  const { words } = view;
  const { subject, matter } = titleOf(incident, view);
  const shown = incidentShown(incident, view);
  const turn = turnShown(incident, shown, view);
  // What its operator needs.
  const sent = turn === "operator" ? report : null;
  const todo =
    incidentHeld(incident, view) ??
    (recoveryWords(incident, view) || (sent === null && adviceWords(incident, words)));
  return {
    turn,
    gateway,
    rank: urgencyOf(gateway, health, view),
    mark: markOf(turn, shown),
    name: gateway === null || provider ? subject : nameOf(gateway, membersOf(incident), view),
    cause: matter,
    path: pathTo(view, "incidents", id),
    since: failedSince(incident),
    todo:
      turn !== "stopped" &&
      sentences(
        [
          todo,
          ...upstreamsSaid(incident, view),
          acknowledgedAt !== null && [words.incident.did.acknowledged, words.stop],
        ],
        words,
      ),
    report: sent,
  };
}

/** Monitors that fail without an incident: one line for those of a gateway with the same cause. */
function ofGateways(view: View): Line[] {
  return view.status.gateways.flatMap((gateway) => {
    const failing = gateway.monitors.filter((one) => one.incident === null && isFailing(monitorHealth(one)));
    const byCause = Map.groupBy(failing, ({ diagnosis }) => diagnosis?.cause ?? null);
    return [...byCause.values()].map((monitors) => ofMonitors(gateway, monitors, view));
  });
}

function ofMonitors(gateway: GatewayDocument, monitors: readonly MonitorDocument[], view: View): Line {
  const { words } = view;
  const [first] = monitors;
  const [nearest] = [...monitors].sort((a, b) => (a.opensAfter ?? Infinity) - (b.opensAfter ?? Infinity));
  const diagnosis = first?.diagnosis ?? null;
  const health = worstHealth(monitors.map(monitorHealth));
  const turn = turnShown({ gateway: gateway.id, owner: null, ...diagnosis }, health, view);
  return {
    turn,
    gateway: gateway.id,
    rank: urgencyOf(gateway.id, health, view),
    mark: markOf(turn, health),
    name: nameOf(
      gateway.id,
      monitors.map(({ id }) => id),
      view,
    ),
    cause: first?.diagnosis
      ? causeWords(first.diagnosis.cause, !isUnsent(first), words, first.diagnosis.owner)
      : words.shown[health],
    path: pathTo(view, "gateways", gateway.id),
    since: monitors.map(({ since }) => since).sort()[0] ?? view.status.generatedAt,
    todo: sentences(
      [
        first && heldWords(first, view),
        diagnosis !== null && storedWords(diagnosis.advice, diagnosis.cause, words),
        turn !== "planned" && nearest !== undefined && opensWords(nearest, view),
      ],
      words,
    ),
    report: null,
  };
}

/** `Acme`, its only monitor; `Acme · chat · gpt-4o-mini`; `Acme · 2 monitors`. */
function nameOf(gatewayId: string, [first, ...others]: readonly string[], view: View): string {
  const name = gatewayName(view, gatewayId);
  if (first === undefined || view.gateways.get(gatewayId)?.monitors.length === 1) return name;
  return others.length === 0
    ? monitorName(view, first)
    : `${name} · ${say(view.words.turns.monitors, others.length + 1)}`;
}

function markOf(turn: Turn, shown: Shown): Shown {
  return turn === "stopped" ? "unknown" : turn === "planned" ? "maintenance" : shown;
}

/** Null: it neither fails nor recovers. */
export function turnOfMonitor(monitor: MonitorDocument, gatewayId: string, view: View): Turn | null {
  const shown = monitorShown(monitor, gatewayId, view);
  return isFailing(monitorHealth(monitor)) || shown === "recovering"
    ? turnShown({ gateway: gatewayId, owner: null, ...monitor.diagnosis }, shown, view)
    : null;
}

function turnShown(of: Owned, shown: Shown, view: View): Turn {
  const { gateway } = of;
  if (isStopped(gateway, view)) return "stopped";
  if (gateway !== null && view.planned.has(gateway)) return "planned";
  return whoseTurn(of, shown);
}
