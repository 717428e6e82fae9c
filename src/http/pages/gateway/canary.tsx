/**
 * What the card of a canary tells besides what all do: why it is not asked, what it costs, and how fast it is.
 */
import type { GenerationFigures } from "../../../domain/probe-outcome.ts";
import type { Percentiles } from "../../../domain/rollup.ts";
import {
  type CanaryDocument,
  type IncidentDocument,
  membersOf,
  type MonitorDocument,
} from "../../../history/documents.ts";
import { isHeld, monitorHealth } from "../../../history/standing.ts";
import type { Child, Html } from "../../jsx/jsx-runtime.ts";
import { Fact, Said, Time } from "../parts/marks.tsx";
import { storedWords } from "../parts/stored-words.ts";
import type { View } from "../parts/view.ts";
import type { Messages } from "../i18n/messages.ts";
import { amount, causeWords, milliseconds, money, sentences, tenths, waitWords } from "../parts/format.ts";

interface CanaryInput {
  readonly canary: CanaryDocument;
  readonly words: Messages;
}

/** Why nothing fresh is known of it; null: that is not known, or it is no canary. */
export function heldWords(monitor: MonitorDocument, { clock, words, status }: View): Child | null {
  const { canary } = monitor;
  if (canary === undefined || !isHeld(monitor) || status.stale) return null;
  const { skipped, task } = canary;
  // Of one that was interrupted its diagnosis tells.
  if (skipped === null && task === null) return null;
  const own = words.canary;
  const at = (instant: string) => <Time at={instant} clock={clock} />;
  return sentences(
    [
      skipWords(canary, at, words),
      task !== null && own.task(at(task.createdAt), at(task.deadline)),
      task?.state != null && own.taskState(<Said text={task.state} words={words} />),
    ],
    words,
  );
}

/** Why the one monitor that an open incident is about is not asked, or not judged; null: it is, or there are others. */
export function incidentHeld(incident: IncidentDocument, view: View): Held | null {
  const [only, ...others] = membersOf(incident);
  const monitor = only === undefined || others.length > 0 ? undefined : view.monitors.get(only)?.monitor;
  const why = monitor === undefined ? null : heldWords(monitor, view);
  return why === null ? null : { why, isSkipped: (monitor?.canary?.skipped ?? null) !== null };
}

export interface Held {
  readonly why: Child;
  /** Nobody knows when it is asked next. */
  readonly isSkipped: boolean;
}

function skipWords(
  { skipped, today }: CanaryDocument,
  at: (instant: string) => Html,
  words: Messages,
): Child {
  if (skipped === null) return "";
  const { canary } = words;
  const since = at(skipped.since);
  switch (skipped.reason) {
    case "cap":
      return canary.cap(since, today.perDay ?? today.requests);
    case "gateway":
      return canary.gateway(since, skipped.cause === null ? "" : causeWords(skipped.cause, true, words));
    case "unlisted":
      return canary.unlisted(since);
  }
}

export function UnknownFate({
  monitor: { diagnosis },
  words,
}: {
  monitor: MonitorDocument;
  words: Messages;
}) {
  if (diagnosis === null) return null;
  const { message, advice } = diagnosis;
  const said = message === null ? "" : storedWords(message, null, words);
  return <p>{sentences([said, storedWords(advice, null, words)], words)}</p>;
}

/** What the list says, and what is found, are told apart. Empty where they agree. */
export function contradiction(monitor: MonitorDocument, { words }: View): string {
  const { canary, diagnosis } = monitor;
  if (canary === undefined || isHeld(monitor)) return "";
  const health = monitorHealth(monitor);
  const { listedOnly, servedOnly } = words.canary;
  // The advice about what is not found says it already.
  if (canary.listed === true && health === "down" && diagnosis?.cause !== "not_found") return listedOnly;
  const answers = health === "up" || (health === "degraded" && diagnosis?.ok === true);
  return canary.listed === false && answers ? servedOnly : "";
}

export function CanaryFacts({ canary, words }: CanaryInput) {
  const { figures, firstTokenMs, taskMs, tokensPerSecond, task, balance, warnBelow } = canary;
  const { terms, tokens, warnsBelow } = words.canary;
  const facts: readonly (readonly [term: string, told: Child | null])[] = [
    [terms.firstToken, measured(figures?.firstTokenMs, firstTokenMs, (ms) => milliseconds(ms, words), words)],
    [terms.speed, measured(figures?.tokensPerSecond, tokensPerSecond, (value) => `${tenths(value)}`, words)],
    [terms.duration, measured(figures?.taskMs, taskMs, (ms) => waitWords(ms, words), words)],
    [terms.tokens, figures === null ? null : tokensTold(figures, tokens)],
    [terms.taskId, task?.id == null ? null : <code>{task.id}</code>],
    [terms.today, canary.generates ? spentToday(canary, words) : null],
    [
      terms.balance,
      balance === null
        ? null
        : [amount(balance), warnBelow === null ? "" : words.aside(warnsBelow(amount(warnBelow)))],
    ],
  ];
  return <>{facts.flatMap(([term, told]) => (told === null ? [] : [<Fact term={term}>{told}</Fact>]))}</>;
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

type Tokens = Pick<GenerationFigures, "inputTokens" | "outputTokens">;

function tokensTold(
  { inputTokens, outputTokens }: Tokens,
  tell: Messages["canary"]["tokens"],
): string | null {
  return inputTokens === null && outputTokens === null ? null : tell(inputTokens ?? 0, outputTokens ?? 0);
}

function spentToday(
  { today: { requests, perDay, inputTokens, outputTokens, cost, currency } }: CanaryDocument,
  words: Messages,
) {
  const { canary, comma } = words;
  return [
    perDay === null ? canary.requests(requests) : canary.requestsOf(requests, perDay),
    ...(inputTokens + outputTokens > 0 ? [canary.tokens(inputTokens, outputTokens)] : []),
    ...(cost === null ? [] : [money(cost, currency)]),
  ].join(comma);
}
