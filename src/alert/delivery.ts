/** When an alert is tried, tried again and given up; which channels it is for, what it is bundled with, what the log says. Pure. */
import * as z from "zod/mini";
import type { ChannelFilter, GatewayFilter } from "../config/config.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../domain/calendar.ts";
import { gatewayOf as monitorsGateway } from "../domain/monitor-state.ts";
import { objectOnce } from "../domain/schema.ts";
import { instantMs, type Stored } from "../domain/stored.ts";
import { turnIn } from "../history/documents.ts";
import { turnOf } from "../protocol/causes.ts";
import { operatorOf, type AlertEvent, type EventDraft } from "./alert-event.ts";
import type { Reception } from "./channel.ts";
import { areStanding, isOver, moveOf } from "./wording.ts";

export const deliverySchema = objectOnce(() => ({
  /** Of the first waiting message: how often it was sent, and when first; 0 and null: not yet. */
  tries: z.int(),
  firstTriedMs: z.nullable(instantMs()),
  /** Of the channel: its failures in a row, the time of the first and of the last; all 0: it works. */
  failures: z.int(),
  failingSinceMs: instantMs(),
  lastTriedMs: instantMs(),
  /** The earliest next try by back-off; 0: at once. */
  nextTryMs: instantMs(),
  /** The earliest next try by the receiver's Retry-After, which also delays later messages. */
  heldUntilMs: instantMs(),
  /** Why the last try failed, without secrets; null: it was delivered, or there was none. */
  problem: z.nullable(z.string()),
  /** Why nothing is sent at all; null: the channel is in use. */
  disabled: z.nullable(z.object({ reason: z.string(), atMs: instantMs() })),
  /** Something was given up or refused since it last took a message. */
  hasSetAside: z.boolean(),
}));
export type DeliveryState = Stored<typeof deliverySchema>;

/** The result of a try. `problem` holds no secret. */
export type Verdict =
  | Extract<Reception, { type: "delivered" }>
  | (Exclude<Reception, { type: "delivered" }> & { readonly problem: string });

export type Step =
  | { readonly type: "send" }
  | { readonly type: "give_up" }
  | { readonly type: "wait"; readonly untilMs: number };

export const UNTRIED: DeliveryState = {
  tries: 0,
  firstTriedMs: null,
  failures: 0,
  failingSinceMs: 0,
  lastTriedMs: 0,
  nextTryMs: 0,
  heldUntilMs: 0,
  problem: null,
  disabled: null,
  hasSetAside: false,
};

/** A try that fails this long after the first one is the last. */
const PATIENCE_MS = DAY_MS;

const LONGEST_WAIT_MS = DAY_MS;

const WAITS_MS = [5000, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS] as const;
/** Up to a fifth is added, so that receivers that failed together are not tried again together. */
const JITTER = 0.2;

/** The shortest shortened wait. Without it, a dead channel would cost more the more events wait. */
const SHORTENED_WAIT_MS = 5 * MINUTE_MS;

export interface TryEnd {
  readonly nowMs: number;
  readonly random: number;
  /** The longest wait for a receiver that forgets alerts; null: it does not forget. */
  readonly longestWaitMs: number | null;
}

/**
 * What is to be done about the message that waits first.
 * @param head `hasNews`: something was queued since the last try; it must not wait for hours at a channel that was fixed.
 */
export function nextStep(
  state: DeliveryState,
  { queuedMs, hasNews }: { readonly queuedMs: number; readonly hasNews: boolean },
  nowMs: number,
): Step {
  const { disabled, nextTryMs, lastTriedMs, heldUntilMs } = state;
  if (disabled !== null && hasWaitedLong(queuedMs, nowMs)) return { type: "give_up" };
  const ownMs = hasNews ? Math.min(nextTryMs, lastTriedMs + SHORTENED_WAIT_MS) : nextTryMs;
  const dueMs = disabled === null ? Math.max(ownMs, heldUntilMs) : queuedMs + PATIENCE_MS;
  return dueMs <= nowMs ? { type: "send" } : { type: "wait", untilMs: dueMs };
}

export function isLastTry({ firstTriedMs }: DeliveryState, nowMs: number): boolean {
  return firstTriedMs !== null && nowMs - firstTriedMs >= PATIENCE_MS;
}

/** Whether an event has waited for a day. It is then given up with the one before it, and not kept for a channel that is gone. */
export function hasWaitedLong(queuedMs: number, nowMs: number): boolean {
  return nowMs - queuedMs >= PATIENCE_MS;
}

export function afterFailure(
  state: DeliveryState,
  failure: { readonly afterMs: number | null; readonly problem: string },
  { nowMs, random, longestWaitMs }: TryEnd,
): DeliveryState {
  const tried = triedOnceMore(state, failure.problem, nowMs);
  const baseMs = WAITS_MS[Math.min(tried.failures, WAITS_MS.length) - 1] ?? WAITS_MS[0];
  const waitMs = Math.round(baseMs * (1 + JITTER * random));
  const next = { ...tried, nextTryMs: nowMs + Math.min(waitMs, longestWaitMs ?? LONGEST_WAIT_MS) };
  return failure.afterMs === null ? { ...next, heldUntilMs: 0 } : held(next, failure.afterMs, nowMs);
}

export function held(state: DeliveryState, afterMs: number, nowMs: number): DeliveryState {
  return { ...state, heldUntilMs: nowMs + Math.min(afterMs, LONGEST_WAIT_MS) };
}

/** The message stays: nothing is lost if the channel is fixed in time. */
export function afterGone(state: DeliveryState, problem: string, nowMs: number): DeliveryState {
  return { ...triedOnceMore(state, problem, nowMs), disabled: { reason: problem, atMs: nowMs } };
}

/** The receiver will never accept it. The next message may still succeed. */
export function afterRefusal(state: DeliveryState, problem: string): DeliveryState {
  return { ...revived(state), problem, hasSetAside: true };
}

/** The next message waits as long as this one would have: the channel still fails. */
export function afterGiveUp(state: DeliveryState): DeliveryState {
  return { ...state, tries: 0, firstTriedMs: null, hasSetAside: true };
}

/** A person says that the channel is fixed. The receiver's Retry-After still holds. */
export function revived({ heldUntilMs }: DeliveryState): DeliveryState {
  return { ...UNTRIED, heldUntilMs };
}

function triedOnceMore(state: DeliveryState, problem: string, nowMs: number): DeliveryState {
  const { tries, firstTriedMs, failures } = state;
  return {
    ...state,
    tries: tries + 1,
    firstTriedMs: firstTriedMs ?? nowMs,
    failures: failures + 1,
    failingSinceMs: failures === 0 ? nowMs : state.failingSinceMs,
    lastTriedMs: nowMs,
    problem,
  };
}

/** What the log says about the change: the reason, without secrets, and what to do; null: nothing new. */
export function troubleWords(id: string, before: DeliveryState, after: DeliveryState): string | null {
  const replay = `POST /api/v1/admin/alerts/replay {"channel": "${id}"}`;
  const reason = `The reason: ${after.disabled?.reason ?? after.problem ?? "unknown"}`;
  if (after.disabled !== null && before.disabled === null)
    return `the channel ${id} is out of use until it is fixed. Change its configuration or its secret, or ${replay}. ${reason}`;
  if (after.hasSetAside && !before.hasSetAside)
    return `the channel ${id} did not take an event, which is kept as undelivered. To send it again: ${replay}. ${reason}`;
  return failsForAnHour(after) && !failsForAnHour(before)
    ? `the channel ${id} has accepted nothing for an hour. Gatepulse keeps trying. To try now: ${replay}. ${reason}`
    : null;
}

function failsForAnHour({ failingSinceMs, lastTriedMs }: DeliveryState): boolean {
  return lastTriedMs - failingSinceMs >= HOUR_MS;
}

export function wants({ gateways: filter, ...only }: ChannelFilter, event: EventDraft): boolean {
  const { incident, gateway, type } = event;
  const past = incident?.timeline ?? [];
  // Who heard that it began must hear that it is over.
  const gateways = gateway === null ? [] : [gateway.id, ...(incident?.monitors ?? []).map(monitorsGateway)];
  const matters = incident ? [incident, ...past] : type === "models.changed" ? [modelsMissing(event)] : [];
  const [owners, causes] = [matters.map(({ owner }) => owner), matters.map(({ cause }) => cause)];
  return (
    passes(only.turns, matters.map(turnIn)) &&
    passes(only.owners, owners) &&
    passes(only.causes, causes) &&
    (filter === null || gateways.length === 0 || gateways.some((id) => isOf(filter, id, isOver(event)))) &&
    passes(
      only.events,
      type === "test" ? [] : moveOf(event) === "joined" ? [type, "incident.opened"] : [type],
    )
  );
}

/** Not the owner of the probe's failure: a channel that hears that a model vanished must hear that it returned. */
function modelsMissing(event: EventDraft) {
  return { turn: turnOf("operator", operatorOf(event)), owner: "operator", cause: "model_missing" } as const;
}

function isOf({ named, others }: GatewayFilter, gatewayId: string, ends: boolean): boolean {
  return named.includes(gatewayId) || (ends && !others.includes(gatewayId));
}

/** A filter on what the event does not have lets it pass. */
function passes<Value>(allowed: readonly Value[] | null, has: readonly (Value | null)[]): boolean {
  const known = has.filter((value) => value !== null);
  return allowed === null || known.length === 0 || known.some((value) => allowed.includes(value));
}

/** The longest wait for more events of the same tick. */
const LONGEST_BUNDLING_MS = MINUTE_MS;

/** More would not fit the services' limits. */
export const MOST_IN_A_BUNDLE = 100;

/** Whether results of that tick may still come. `gatewayId` null: of the monitoring itself. */
export type IsTickOpen = (gatewayId: string | null, tickMs: number) => boolean;

/** All that a new channel hears of first. Another event that no tick brought stands alone. */
export function belongTogether(a: AlertEvent, b: AlertEvent): boolean {
  if (areStanding([a, b])) return true;
  return a.tickMs !== null && a.tickMs === b.tickMs && areOfOneGateway(a, b);
}

/** Events of one gateway stay in order, also when a bundle is sent before its turn. */
export function areOfOneGateway(a: AlertEvent, b: AlertEvent): boolean {
  return gatewayOf(a) === gatewayOf(b);
}

/** Until when a bundle that begins with this event waits for more; null: it waits no longer. */
export function bundleWaitsMs(first: AlertEvent, queuedMs: number, nowMs: number, isTickOpen: IsTickOpen) {
  const untilMs = queuedMs + LONGEST_BUNDLING_MS;
  if (first.tickMs === null || nowMs >= untilMs) return null;
  return isTickOpen(gatewayOf(first), first.tickMs) ? untilMs : null;
}

function gatewayOf({ gateway }: AlertEvent): string | null {
  return gateway?.id ?? null;
}
