/** What is known of a monitor besides its verdict and charts: a canary's figures, the newest checks, regions, models. */
import { instant } from "../../domain/calendar.ts";
import { isFailing } from "../../domain/health.ts";
import type { ModelNote } from "../../domain/model-watch.ts";
import { gatewayOf } from "../../domain/monitor-state.ts";
import type { Percentiles } from "../../domain/rollup.ts";
import {
  type CanaryDocument,
  type IncidentDocument,
  type MonitorDocument,
  type RegionDocument,
  compareInstants,
  gatewaysOf,
  membersOf,
} from "../../history/documents.ts";
import { isHeld, isPaused } from "../../history/standing.ts";
import type { Cause, Health } from "../../protocol/diagnosis.ts";
import type { ProbePoint } from "../answers.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { causeWords, ifKnown, milliseconds, percent, regionName, sentences, spanWords } from "./format.ts";
import { say } from "../../domain/language/words.ts";
import type { Messages } from "./i18n/messages.ts";
import { Age, type Column, type Fact, HealthMark, Said, ShapeMark, Table, Time } from "./marks.tsx";
import { type View, causePath, incidentShown, isStopped } from "./view.ts";

/** Why a canary has no fresh verdict; null: not known, or it is no canary. */
export function heldWords(monitor: MonitorDocument, view: View): Child | null {
  const { canary } = monitor;
  if (canary === undefined || !isHeld(monitor) || isStopped(gatewayOf(monitor.id), view)) return null;
  const { skipped, task } = canary;
  if (skipped === null && task === null) return null;
  const { words } = view;
  const own = words.canary;
  return sentences(
    [
      skipWords(canary, view),
      task !== null &&
        say(own.task, <Age at={task.createdAt} view={view} />, <Age at={task.deadline} view={view} />),
      task?.state != null && say(own.taskState, <Said text={task.state} words={words} />),
    ],
    words,
  );
}

/** The same for an open incident with a single monitor. */
export function incidentHeld(incident: IncidentDocument, view: View): Child | null {
  const [only, ...others] = membersIn(incident, view);
  return only === undefined || others.length > 0 ? null : heldWords(only, view);
}

/** When the next check runs: `in 3 min`. */
export function nextWords(monitor: MonitorDocument, view: View): Child {
  const { nextProbeAt } = monitor;
  const { words } = view;
  if (nextProbeAt === null) return words.card.noneDue;
  if (isSkipped(monitor)) return words.canary.whenThatChanges;
  return <Age at={nextProbeAt} view={view} tell={words.until} />;
}

/** The one of its monitors that is checked first; null: none is due, or the checks have stopped. */
export function nextOf(incident: IncidentDocument, view: View): MonitorDocument | null {
  if (incident.resolvedAt !== null || isStopped(incident.gateway, view)) return null;
  const members = membersIn(incident, view)
    .filter(({ nextProbeAt }) => nextProbeAt !== null)
    .sort((a, b) => compareInstants(a.nextProbeAt ?? "", b.nextProbeAt ?? ""));
  return members.find((member) => !isSkipped(member)) ?? members[0] ?? null;
}

/** No check of it is due, for a known reason. */
function isSkipped(monitor: MonitorDocument): boolean {
  return isHeld(monitor) && monitor.canary?.skipped != null;
}

/** It fails and costs money, so Gatepulse waits longer than its interval. */
export function isRarer({ canary, status, lastProbe, nextProbeAt, everySeconds }: MonitorDocument): boolean {
  if (canary?.generates !== true || !isFailing(status) || lastProbe === null || nextProbeAt === null)
    return false;
  return Date.parse(nextProbeAt) - Date.parse(lastProbe.at) > (everySeconds ?? Infinity) * 1000;
}

/** Of a monitor that fails: how close an incident is. Empty where that was not published, or no check is due. */
export function opensWords(monitor: MonitorDocument, view: View): Child {
  const { id, opensAfter, nextProbeAt } = monitor;
  const gatewayId = gatewayOf(id);
  if (opensAfter === undefined || nextProbeAt === null || isStopped(gatewayId, view)) return "";
  if (view.status.incidents.some((open) => gatewaysOf(open).includes(gatewayId) && failsLike(monitor, open)))
    return "";
  return say(view.words.turns.opens, opensAfter, nextWords(monitor, view));
}

/** `1 of 2 good checks`, of the one that lacks most; empty while it flaps. */
export function goodChecks(monitors: readonly MonitorDocument[], { incident }: Messages): string {
  const [last] = monitors
    .flatMap(({ recovery = [] }) => recovery)
    .sort((a, b) => a.good - a.of - b.good + b.of);
  return ifKnown(last, ({ good, of }) => say(incident.good, good, of));
}

export function membersIn(incident: IncidentDocument, { monitors }: View): readonly MonitorDocument[] {
  return membersOf(incident).flatMap((id) => monitors.get(id) ?? []);
}

/** Of an open incident that recovers; else empty. */
export function recoveryWords(incident: IncidentDocument, view: View): string {
  const { words } = view;
  if (incidentShown(incident, view) !== "recovering") return "";
  const good = goodChecks(membersIn(incident, view), words);
  return `${words.shown.recovering}${good && words.colon}${good}${words.stop}`;
}

/** Then it joins that incident, and opens none. */
function failsLike({ status, diagnosis }: MonitorDocument, { cause, health }: IncidentDocument): boolean {
  return health === status && cause === (diagnosis?.cause ?? null);
}

function skipWords({ skipped, today }: CanaryDocument, view: View): Child {
  if (skipped === null) return "";
  const { words } = view;
  const { canary } = words;
  const cause = skipped.cause === null ? "" : causeWords(skipped.cause, true, words);
  const why = {
    cap: capWords(today, words),
    gateway: cause === "" ? canary.gatewayFails : say(canary.gateway, cause),
    unlisted: canary.unlisted,
  };
  return say(canary.notAsked, <Age at={skipped.since} view={view} />, why[skipped.reason]);
}

/** `perDay` comes first, if it is used up. */
function capWords({ requests, perDay, maxCost, currency }: CanaryDocument["today"], { canary }: Messages) {
  if (maxCost != null && (perDay === null || requests < perDay))
    return say(canary.costCap, money(maxCost, currency));
  return say(canary.cap, perDay ?? requests);
}

function auditWords({ audit }: CanaryDocument, { canary, semicolon }: Messages): string | null {
  if (audit === undefined) return null;
  const { comparisons, differsSince } = audit;
  const { right, differs, noEvidence, than } = canary.audit;
  const p = Math.min(...comparisons.map((of) => of.p)).toPrecision(2);
  const found = differsSince === null ? say(noEvidence, p) : say(differs, differsSince.slice(0, 10), p);
  return [
    say(right, audit.right, audit.asked),
    ...comparisons.map((of) => say(than[of.from], of.right, of.asked)),
    ...(comparisons.length === 0 ? [] : [found]),
  ].join(semicolon);
}

export function canaryFacts(canary: CanaryDocument, view: View): readonly Fact[] {
  const { words } = view;
  const { figures, firstTokenMs, taskMs, tokensPerSecond, task, balance, warnBelow } = canary;
  const { terms, warnsBelow } = words.canary;
  return [
    [terms.firstToken, measured(figures?.firstTokenMs, firstTokenMs, (ms) => milliseconds(ms, words), words)],
    [terms.speed, measured(figures?.tokensPerSecond, tokensPerSecond, (value) => `${tenths(value)}`, words)],
    [terms.duration, measured(figures?.taskMs, taskMs, (ms) => waitWords(ms, words), words)],
    [terms.tokens, tokenWords(figures, words) || null],
    [terms.served, canary.served == null ? null : servedWords(canary.served, view)],
    [terms.audit, auditWords(canary, words)],
    [terms.taskId, task?.id == null ? null : <code>{task.id}</code>],
    [terms.today, canary.generates ? spentToday(canary, words) : null],
    [
      terms.balance,
      balance === null
        ? null
        : [amount(balance), warnBelow === null ? "" : say(words.aside, say(warnsBelow, amount(warnBelow)))],
    ],
  ];
}

function servedWords(served: NonNullable<CanaryDocument["served"]>, { words, clock }: View): Child {
  const { model, fingerprint, since, changes } = served;
  const { canary, colon } = words;
  const named = [
    say(canary.served, <code>{model}</code>, <Time at={since} clock={clock} />),
    fingerprint === null ? "" : say(words.aside, <code>{fingerprint}</code>),
  ];
  if (changes.length === 0) return named;
  return [
    named,
    <details>
      <summary>{say(canary.changes, changes.length)}</summary>
      <ul>
        {changes.toReversed().map(({ at, before, after }) => (
          <li>
            <Time at={at} clock={clock} />
            {colon}
            {say(canary.change, <code>{before}</code>, <code>{after}</code>)}
          </li>
        ))}
      </ul>
    </details>,
  ];
}

function measured(
  last: number | null | undefined,
  percentiles: Percentiles | null,
  tell: (value: number) => string,
  words: Messages,
): Child | null {
  const range =
    percentiles === null ? "" : say(words.canary.range, tell(percentiles.p50), tell(percentiles.p95));
  if (last === null || last === undefined) return range || null;
  return range === "" ? tell(last) : [tell(last), say(words.aside, range)];
}

type Tokens = Pick<NonNullable<ProbePoint["generation"]>, "inputTokens" | "outputTokens">;

/** Empty: neither number is known. */
function tokenWords(of: Tokens | null, { canary }: Messages): string {
  if (of === null) return "";
  const { inputTokens: input, outputTokens: output } = of;
  if (input === null) return ifKnown(output, (count) => say(canary.tokensOut, count));
  return output === null ? say(canary.tokensIn, input) : say(canary.tokens, input, output);
}

function spentToday({ today }: CanaryDocument, { canary, comma }: Messages): string {
  const { requests, perDay, inputTokens, outputTokens, cost, currency, estimated, maxCost } = today;
  return [
    perDay === null ? say(canary.requests, requests) : say(canary.requestsOf, requests, perDay),
    ...(inputTokens + outputTokens > 0 ? [say(canary.tokens, inputTokens, outputTokens)] : []),
    ...(cost === null
      ? []
      : [
          maxCost == null
            ? money(cost, currency)
            : say(canary.costOf, money(cost, currency), money(maxCost, currency)),
        ]),
    ...(estimated == null || estimated === 0 ? [] : [say(canary.estimated, money(estimated, currency))]),
  ].join(comma);
}

/** Never as a power of ten. */
function amount(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/u, "");
}

/** `0.00129 USD`; at least two decimals. */
function money(cost: number, currency: string | null): string {
  const [whole = "0", part = ""] = amount(cost).split(".");
  const value = `${whole}.${part.padEnd(2, "0")}`;
  return currency === null ? value : `${value}\u00a0${currency}`;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

/** `650 ms`, `1 min 30 s`. */
function waitWords(ms: number, words: Messages): string {
  return ms < 1000 ? milliseconds(ms, words) : spanWords(0, ms, words);
}

/** @param probes newest first. */
export function RecentProbes({ probes, view }: { probes: readonly ProbePoint[]; view: View }) {
  const { day } = view.words;
  if (probes.length === 0) return <p class="soft">{day.noProbes}</p>;
  return (
    <>
      <h3>{day.probes}</h3>
      <Table name={day.probes} columns={probeColumns(probes, view)} rows={probes} />
    </>
  );
}

function probeColumns(probes: readonly ProbePoint[], view: View): readonly Column<ProbePoint>[] {
  const { words } = view;
  const { day } = words;
  const { at, result, latency, http } = day.probeColumns;
  return [
    [at, (probe) => <Age at={probe.at} view={view} tell={words.ago} />],
    [
      result,
      (probe) => [
        resultWords(probe.health, probe.cause, probe.attempts > 0, view),
        probe.inMaintenance && ` ${day.inMaintenance}`,
      ],
      "cause",
    ],
    [latency, ({ latencyMs }) => ifKnown(latencyMs, (ms) => milliseconds(ms, words))],
    ...extraColumns(words).filter(([, cell]) => probes.some((probe) => cell(probe) !== "")),
    [http, ({ httpStatus }) => httpStatus],
  ];
}

/** @param cause null: not published. */
function resultWords(health: Health, cause: Cause | null, sent: boolean, view: View): Child {
  const { words } = view;
  if (cause === null || cause === "ok") return <HealthMark health={health} words={words} />;
  return [
    <ShapeMark health={health} words={words} />,
    " ",
    <a href={causePath(cause, view)}>{causeWords(cause, sent, words)}</a>,
  ];
}

/** Those that have something to tell are shown. */
function extraColumns(words: Messages): readonly Column<ProbePoint>[] {
  const { terms } = words.canary;
  return [
    [terms.firstToken, (of) => ifKnown(of.generation?.firstTokenMs, (ms) => milliseconds(ms, words))],
    [terms.speed, (of) => ifKnown(of.generation?.tokensPerSecond, (speed) => `${tenths(speed)}`)],
    [terms.duration, (of) => ifKnown(of.generation?.taskMs, (ms) => waitWords(ms, words))],
    [terms.tokens, (of) => tokenWords(of.generation, words)],
    [
      words.report.fields.attempts,
      ({ attempts, waitedMs }) => {
        if (attempts === 1) return "";
        return attempts > 1 ? say(words.day.attempts, attempts, waitWords(waitedMs, words)) : "0";
      },
    ],
  ];
}

/** @param notes oldest first. */
export function Models({ notes, view }: { notes: readonly ModelNote[]; view: View }) {
  const { day, gap, colon, list } = view.words;
  if (notes.length === 0) return null;
  return (
    <>
      <h3>{day.models}</h3>
      <ul>
        {notes.toReversed().map(({ atMs, count, vanished, returned }) => (
          <li>
            <Age at={instant(atMs)} view={view} tell={view.words.ago} />
            {colon}
            {[
              say(day.modelsListed, count),
              ...(vanished.length === 0 ? [] : [say(day.vanished, vanished.join(list))]),
              ...(returned.length === 0 ? [] : [say(day.returned, returned.join(list))]),
            ].join(gap)}
          </li>
        ))}
      </ul>
    </>
  );
}

export function failingRegions(monitor: MonitorDocument, { status }: View): readonly RegionDocument[] {
  if (status.stale || isPaused(monitor)) return [];
  return (monitor.regions ?? []).filter((seen) => isFailing(seen.status));
}

export function regionNames(regions: readonly RegionDocument[], words: Messages): string {
  return regions.map(({ region }) => regionName(region, words)).join(words.list);
}

export function RegionsTable({ regions, view }: { regions: readonly RegionDocument[]; view: View }) {
  const { words } = view;
  const { heading, columns } = words.regions;
  const { result, latency } = words.day.probeColumns;
  if (regions.length === 0) return <></>;
  const table: readonly Column<RegionDocument>[] = [
    [columns.region, ({ region }) => [regionName(region, words), " ", <small>{region}</small>], "head"],
    [
      result,
      ({ status, diagnosis, lastProbe }) => {
        const cause = status === "unknown" ? null : (diagnosis?.cause ?? null);
        return resultWords(status, cause, (lastProbe?.attempts ?? 1) > 0, view);
      },
      "cause",
    ],
    [
      latency,
      ({ status, lastProbe }) =>
        status !== "unknown" && ifKnown(lastProbe?.latencyMs, (ms) => milliseconds(ms, words)),
    ],
    [columns.uptime, ({ uptime }) => percent(uptime["24h"], words)],
    [
      words.terms.lastCheck,
      ({ lastProbe }) =>
        lastProbe === null ? words.card.never : <Age at={lastProbe.at} view={view} tell={words.ago} />,
    ],
  ];
  return (
    <>
      <h3>{heading}</h3>
      <Table name={heading} columns={table} rows={regions} />
    </>
  );
}
