/** What the card of a canary tells besides what all do: why it is not asked, what it costs, and how fast it is. */
import { gatewayOf } from "../../domain/monitor-state.ts";
import type { Percentiles } from "../../domain/rollup.ts";
import {
  type CanaryDocument,
  type IncidentDocument,
  type MonitorDocument,
  membersOf,
} from "../../history/documents.ts";
import { isHeld } from "../../history/standing.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { amount, causeWords, milliseconds, money, sentences, tenths, waitWords } from "./format.ts";
import type { Messages } from "./i18n/messages.ts";
import { type Fact, Said, Time } from "./marks.tsx";
import { type View, isStopped } from "./view.ts";

/** Why nothing fresh is known of it; null: that is not known, or it is no canary. */
export function heldWords(monitor: MonitorDocument, view: View): Child | null {
  const { canary } = monitor;
  if (canary === undefined || !isHeld(monitor) || isStopped(gatewayOf(monitor.id), view)) return null;
  const { skipped, task } = canary;
  // Of one that was interrupted its diagnosis tells.
  if (skipped === null && task === null) return null;
  const { words, clock } = view;
  const own = words.canary;
  return sentences(
    [
      skipWords(canary, view),
      task !== null &&
        own.task(<Time at={task.createdAt} clock={clock} />, <Time at={task.deadline} clock={clock} />),
      task?.state != null && own.taskState(<Said text={task.state} words={words} />),
    ],
    words,
  );
}

export interface Held {
  readonly why: Child;
  /** Nobody knows when it is asked next. */
  readonly isSkipped: boolean;
}

/** Why the one monitor that an open incident is about is not asked, or not judged; null: it is, or there are others. */
export function incidentHeld(incident: IncidentDocument, view: View): Held | null {
  const [only = "", ...others] = membersOf(incident);
  const monitor = others.length > 0 ? undefined : view.monitors.get(only);
  const why = monitor === undefined ? null : heldWords(monitor, view);
  return why === null ? null : { why, isSkipped: (monitor?.canary?.skipped ?? null) !== null };
}

function skipWords({ skipped, today }: CanaryDocument, { clock, words }: View): Child {
  if (skipped === null) return "";
  const { canary } = words;
  const cause = skipped.cause === null ? "" : causeWords(skipped.cause, true, words);
  const why = {
    cap: canary.cap(today.perDay ?? today.requests),
    gateway: canary.gateway(cause),
    unlisted: canary.unlisted,
  };
  return canary.notAsked(<Time at={skipped.since} clock={clock} />, why[skipped.reason]);
}

export function canaryFacts(canary: CanaryDocument, words: Messages): readonly Fact[] {
  const { figures, firstTokenMs, taskMs, tokensPerSecond, task, balance, warnBelow } = canary;
  const { terms, warnsBelow } = words.canary;
  const { inputTokens = null, outputTokens = null } = figures ?? {};
  return [
    [terms.firstToken, measured(figures?.firstTokenMs, firstTokenMs, (ms) => milliseconds(ms, words), words)],
    [terms.speed, measured(figures?.tokensPerSecond, tokensPerSecond, (value) => `${tenths(value)}`, words)],
    [terms.duration, measured(figures?.taskMs, taskMs, (ms) => waitWords(ms, words), words)],
    [
      terms.tokens,
      inputTokens === null && outputTokens === null
        ? null
        : words.canary.tokens(inputTokens ?? 0, outputTokens ?? 0),
    ],
    [terms.taskId, task?.id == null ? null : <code>{task.id}</code>],
    [terms.today, canary.generates ? spentToday(canary, words) : null],
    [
      terms.balance,
      balance === null
        ? null
        : [amount(balance), warnBelow === null ? "" : words.aside(warnsBelow(amount(warnBelow)))],
    ],
  ];
}

/** The last figure, and how it was in 24 hours. */
function measured(
  last: number | null | undefined,
  percentiles: Percentiles | null,
  tell: (value: number) => string,
  words: Messages,
): Child | null {
  const range = percentiles === null ? "" : words.canary.range(tell(percentiles.p50), tell(percentiles.p95));
  if (last === null || last === undefined) return range || null;
  return range === "" ? tell(last) : [tell(last), words.aside(range)];
}

function spentToday(
  { today: { requests, perDay, inputTokens, outputTokens, cost, currency } }: CanaryDocument,
  { canary, comma }: Messages,
): string {
  return [
    perDay === null ? canary.requests(requests) : canary.requestsOf(requests, perDay),
    ...(inputTokens + outputTokens > 0 ? [canary.tokens(inputTokens, outputTokens)] : []),
    ...(cost === null ? [] : [money(cost, currency)]),
  ].join(comma);
}
