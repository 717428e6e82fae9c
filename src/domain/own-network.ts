/**
 * The monitoring's own incident: no gateway could be reached, several ticks in a row. Two gateways at least must tell so,
 * neither of which is worked on, or fails by itself; where there are no two such any more, it ends unseen. Pure.
 */
import * as z from "zod/mini";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { type Swing, swing } from "./incident-rules.ts";
import { type Changes, type IncidentHappening, NO_CHANGES } from "./incident.ts";
import {
  endIncident,
  flapIncident,
  type Incident,
  openIncident,
  resolveIncident,
  steadyIncident,
} from "./incident.ts";
import { withoutVerdict } from "./monitor-state.ts";
import { SILENT_TICKS } from "./silence.ts";
import { addedLater, instantMs, type Stored } from "./stored.ts";

/** What the results of a batch say of the monitoring's network. */
export type NetworkSight =
  /** No gateway was reached in its tick; `diagnosis` is that of one of them. */
  | { readonly type: "failed"; readonly diagnosis: KeptDiagnosis }
  /** One was, at least. */
  | { readonly type: "reached" }
  | { readonly type: "not_seen" };

/** Version 0.2.0 had incidents of a network of vantage points too. */
export function isOfNetwork({ id, gatewayId }: Incident): boolean {
  return gatewayId === null && (id.startsWith("monitoring-") || id.startsWith("vantage-points-"));
}

export const ownNetworkSchema = z.lazy(() =>
  z.object({
    /** Ticks in a row in which no gateway was reached, and in which one was; at most one of the two is above zero. */
    failedInARow: z.int(),
    reachedInARow: z.int(),
    /** The scheduled time of the tick that was counted last; null: none was. */
    countedTickMs: z.nullable(instantMs),
    /** The latest tick in which any gateway was reached; null: none is known. */
    reachedTickMs: addedLater(instantMs),
    /** Ticks that began since the last that counted, while nobody was being asked. */
    idleTicks: z._default(z.int(), 0),
    /** The open incident's id. */
    incidentId: z.nullable(z.string()),
    /** As a monitor's. */
    swings: z.array(instantMs),
    flapping: z.nullable(z.enum(["open", "closed"])),
  }),
);
export type OwnNetworkState = Stored<typeof ownNetworkSchema>;

export const NETWORK_UNSEEN: OwnNetworkState = {
  failedInARow: 0,
  reachedInARow: 0,
  countedTickMs: null,
  reachedTickMs: null,
  idleTicks: 0,
  incidentId: null,
  swings: [],
  flapping: null,
};

const RULES = { open: 2, close: 2, flapping: 4 } as const;

export interface OwnNetworkMoved extends Changes {
  readonly state: OwnNetworkState;
}

export interface SightTime {
  /** The scheduled time of the tick: however many batches it has, it counts once. */
  readonly tickMs: number;
  readonly atMs: number;
  /** Whose network it is. Default 0. */
  readonly shard?: number;
}

/** The last tick that saw anything reached no gateway: that one is not reached says nothing about it. */
export function isNetworkOut({ failedInARow }: OwnNetworkState): boolean {
  return failedInARow > 0;
}

/**
 * A gateway that was not reached before a tick that reached another fails by itself: that it is not reached says nothing of
 * the monitoring's network.
 * @param unreachedSinceMs with a verdict or without; null: it was reached last, or nothing is known.
 */
export function failsByItself(
  unreachedSinceMs: number | null,
  { reachedTickMs }: Pick<OwnNetworkState, "reachedTickMs">,
): boolean {
  return unreachedSinceMs !== null && reachedTickMs !== null && unreachedSinceMs < reachedTickMs;
}

/**
 * At the begin of each tick: what is out is forgotten when several ticks in a row, none of them being under way, had too
 * few gateways to tell.
 * @param open as in `watchOwnNetwork`.
 * @param isAnyAsked of those that tell something of the network.
 */
export function seeTickBegin(
  state: OwnNetworkState,
  open: Incident | null,
  isAnyAsked: boolean,
  atMs: number,
): OwnNetworkMoved {
  if (!isNetworkOut(state) || isAnyAsked) return { ...NO_CHANGES, state };
  // After a silence nobody can tell any more whether it is still out.
  if (state.idleTicks < SILENT_TICKS) {
    return { ...NO_CHANGES, state: { ...state, idleTicks: state.idleTicks + 1 } };
  }
  return forgetNetwork(state, open, atMs);
}

/** @param open as in `watchOwnNetwork`. */
function forgetNetwork(state: OwnNetworkState, open: Incident | null, atMs: number): OwnNetworkMoved {
  const { reachedTickMs, swings } = state;
  const forgotten = { ...NETWORK_UNSEEN, reachedTickMs, swings };
  if (open === null) return { ...NO_CHANGES, state: forgotten };
  const what = { type: "incident.resolved", reason: "removed", diagnosis: null } as const;
  const ended = endIncident(open, "removed", atMs, "Fewer than two gateways are left to tell it by.");
  return { ...told(what, ended, atMs), state: forgotten };
}

/** Where nobody is asked any more. Null: there is nothing to end. */
export function endOwnIncident(
  state: OwnNetworkState,
  open: Incident | null,
  atMs: number,
): OwnNetworkMoved | null {
  return open === null ? null : forgetNetwork(state, open, atMs);
}

/** @param open the incident of `state.incidentId`; null also where its record is gone. */
export function watchOwnNetwork(
  state: OwnNetworkState,
  open: Incident | null,
  sight: NetworkSight,
  { tickMs, atMs, shard = 0 }: SightTime,
): OwnNetworkMoved {
  const counted = count(state, sight, tickMs);
  const isFlapping = open !== null && state.flapping !== null;
  const before = { isOpen: isFlapping ? state.flapping === "open" : open !== null, isFlapping };
  const counters = { ...counted, goodInARow: counted.reachedInARow };
  const fails = sight.type === "failed";
  const hasVerdict = sight.type !== "not_seen";
  const probe = { atMs, hasVerdict, fails, failsOtherwise: false, inMaintenance: false };
  const now = swing(counters, before, RULES, probe);
  const named = { atMs, name: ownName(shard) };
  const changes = open === null ? start(now, sight, named) : goOn(open, now, { sight, counted }, atMs);
  const last = changes.incidents.at(-1) ?? open;
  return {
    ...changes,
    state: {
      ...counted,
      incidentId: last === null || last.resolvedAtMs !== null ? null : last.id,
      swings: now.swings,
      flapping: now.isFlapping ? (now.isOpen ? "open" : "closed") : null,
    },
  };
}

/** A tick in which anybody was reached is no failed one, in whatever order its batches come. */
function count(state: OwnNetworkState, sight: NetworkSight, tickMs: number): OwnNetworkState {
  const isNew = tickMs !== state.countedTickMs;
  const at = { ...state, countedTickMs: tickMs, idleTicks: 0 };
  switch (sight.type) {
    case "not_seen":
      return state;
    case "failed":
      return isNew ? { ...at, reachedInARow: 0, failedInARow: state.failedInARow + 1 } : state;
    case "reached":
      return isNew || state.failedInARow > 0
        ? { ...at, failedInARow: 0, reachedInARow: state.reachedInARow + 1, reachedTickMs: tickMs }
        : state;
  }
}

function start(
  now: Swing,
  sight: NetworkSight,
  { atMs, name }: { readonly atMs: number; readonly name: string },
): Changes {
  if (!now.isOpen || sight.type !== "failed") return NO_CHANGES;
  const diagnosis = withoutVerdict(sight.diagnosis);
  const subject = { gatewayId: null, monitorIds: [], name };
  const fresh = openIncident(subject, diagnosis, null, atMs);
  const incident = now.isFlapping ? flapIncident(fresh, RULES.flapping, atMs) : fresh;
  const reason = now.isFlapping ? "flapping" : null;
  return told({ type: "incident.opened", reason, diagnosis }, incident, atMs);
}

/** Each shard has an incident of its own: two of one second are told apart. */
function ownName(shard: number): string {
  return shard === 0 ? "monitoring" : `monitoring-${shard}`;
}

function goOn(
  open: Incident,
  now: Swing,
  { sight, counted }: { readonly sight: NetworkSight; readonly counted: OwnNetworkState },
  atMs: number,
): Changes {
  if (now.isFlapping) {
    if (open.flapping) return NO_CHANGES;
    const what = { type: "incident.updated", reason: "flapping", diagnosis: null } as const;
    return told(what, flapIncident(open, RULES.flapping, atMs), atMs);
  }
  if (!now.isOpen) {
    const what = { type: "incident.resolved", reason: null, diagnosis: null } as const;
    return told(what, resolveIncident(open, atMs), atMs);
  }
  if (!open.flapping || sight.type !== "failed" || counted.failedInARow < RULES.open) return NO_CHANGES;
  const diagnosis = withoutVerdict(sight.diagnosis);
  const what = { type: "incident.updated", reason: "steady", diagnosis } as const;
  return told(what, steadyIncident(open, null, atMs), atMs);
}

function told(
  what: Pick<IncidentHappening, "type" | "reason" | "diagnosis">,
  incident: Incident,
  atMs: number,
): Changes {
  const happening = { ...what, atMs, gatewayId: null, monitorId: null, incident };
  return { incidents: [incident], happenings: [happening], isNews: true };
}
