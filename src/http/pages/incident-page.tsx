/** The page of an incident: what to do, what happened, and the evidence. */
import { isWebAddress } from "../../config/base-url.ts";
import { MINUTE_MS } from "../../domain/calendar.ts";
import {
  compareInstants,
  failedSince,
  type IncidentDocument,
  type PublishedIncident,
  type ReportDocument,
  type TimelineEntryDocument,
} from "../../history/documents.ts";
import { shownNames } from "../../protocol/synonyms.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { goodChecks, incidentHeld, isRarer, membersIn, nextOf, nextWords, recoveryWords } from "./checks.tsx";
import { causeWords, joined, regionName, sentences, spanWords } from "./format.ts";
import { ownMessage, say } from "../../domain/language/words.ts";
import type { Messages } from "./i18n/messages.ts";
import {
  adviceWords,
  callsWords,
  courseWords,
  entryWords,
  lengthWords,
  type OfIncident,
  phaseOf,
  standingWords,
  titleOf,
  typeWords,
  upstreamsSaid,
  upstreamWords,
  whoseTurn,
} from "./incident.tsx";
import { freshWords, renderStatusPage } from "./layout.tsx";
import {
  Age,
  Answer,
  EndedMark,
  type Fact,
  Facts,
  PlannedWords,
  RingMark,
  Said,
  ShapeMark,
  StaleBanner,
  Time,
} from "./marks.tsx";
import { noteOf, turnName } from "./turns.tsx";
import { causePath, gatewayName, incidentShown, isStopped, isWorkedOn, pathTo, type View } from "./view.ts";
import type { Report } from "../../domain/report.ts";
import { UNKNOWN_CLIENT } from "../../explain/explain.ts";
import { fencedCode, inlineCode } from "../../formats/markup.ts";

/** @param desk what administrators see beside. */
export function renderIncident({ incident, reports }: PublishedIncident, view: View, desk: Child = null) {
  const { words } = view;
  const { subject, matter } = titleOf(incident, view);
  const shown = incidentShown(incident, view);
  const standing = standingWords(incident, words, shown);
  const acts = <Acts latest={reports.at(-1)?.id} view={view} />;
  return renderStatusPage(view, {
    title: `${subject}${words.colon}${matter}`,
    description: [`${standing}${words.stop}`, courseWords(incident, words, shown)].join(words.gap).trimEnd(),
    children: (
      <>
        <Crumbs incident={incident} view={view} />
        {view.status.stale && <StaleBanner view={view} />}
        <Answer
          tone={toneOf(incident, view)}
          heading={[
            <Said text={subject} words={words} />,
            `${words.colon}${matter}`,
            <span class="unseen">{`${words.comma}${standing}`}</span>,
          ]}
        >
          <Verdict incident={incident} view={view} />
        </Answer>
        {freshWords(view, membersIn(incident, view))}
        {incident.resolvedAt === null ? (
          <Action incident={incident} view={view}>
            {acts}
          </Action>
        ) : (
          acts
        )}
        {desk}
        <Details incident={incident} report={reports.at(-1) ?? null} view={view} />
      </>
    ),
  });
}

/** The way back: the overview, the gateway of an incident, and what is above this page. */
function Crumbs({ incident, view, here }: { incident: IncidentDocument; view: View; here?: string }) {
  const { frame } = view.words;
  const { id, gateway, provider } = incident;
  const above: readonly Child[] = [
    <a href={pathTo(view)}>{frame.overview}</a>,
    ...(gateway === null || provider
      ? []
      : [
          <a href={pathTo(view, "gateways", gateway)}>
            <Said text={gatewayName(view, gateway)} words={view.words} />
          </a>,
        ]),
    ...(here === undefined ? [] : [<a href={pathTo(view, "incidents", id)}>{frame.incident}</a>]),
  ];
  return (
    <nav class="crumbs" aria-label={frame.path}>
      <ol role="list">
        {above.map((link) => (
          <li>{link}</li>
        ))}
        <li aria-current="page">{here ?? frame.incident}</li>
      </ol>
    </nav>
  );
}

/** @param report the address of its page, or of the text on this page. Only the script can copy: it shows the button. */
function CopyButton({ report, words }: { report: string; words: Messages }) {
  const { copy, copied } = words.report;
  return (
    <>
      <button type="button" hidden={true} data-report={report} data-copied={copied}>
        {copy}
      </button>{" "}
      <span class="soft" role="status"></span>
    </>
  );
}

function Details({ incident, report, view }: OfIncident & { readonly report: ReportDocument | null }) {
  const { heading, evidence } = view.words.incident;
  return (
    <div class="two">
      <section>
        <h2>{heading}</h2>
        <Story incident={incident} view={view} />
      </section>
      <section>
        <h2>{evidence}</h2>
        <Facts facts={factsOf(incident, report, view)} />
      </section>
    </div>
  );
}

function toneOf(incident: IncidentDocument, view: View) {
  const { gateway, resolvedAt } = incident;
  if (resolvedAt !== null) return "ended";
  return gateway !== null && isWorkedOn(view, gateway) ? "maintenance" : incidentShown(incident, view);
}

function Verdict({ incident, view }: OfIncident) {
  const { words } = view;
  const phase = phaseOf(incident);
  const shown = incidentShown(incident, view);
  const good = shown === "recovering" && goodChecks(membersIn(incident, view), words);
  const { ended, openFor, over } = words.incident;
  const held = phase === "open" && incidentHeld(incident, view);
  const { gateway, resolvedAt } = incident;
  const isKnownOpen = phase === "open" && !isStopped(gateway, view);
  const length =
    resolvedAt !== null
      ? say(over, <Age at={resolvedAt} view={view} />, lengthWords(incident, words))
      : isKnownOpen && say(openFor, <Age at={failedSince(incident)} view={view} />);
  return (
    <p>
      {phase === "open" && gateway !== null && <PlannedWords gatewayId={gateway} view={view} />}
      {phase === "open" ? (
        <strong>{incident.flapping ? words.incident.flaps : words.shown[shown]}</strong>
      ) : (
        <EndedMark words={ended[phase]} isWell={phase === "resolved"} />
      )}
      {length !== false && [phase === "open" ? words.comma : " ", length, words.stop]}{" "}
      {sentences(
        [courseWords(incident, words, shown), callsWords(incident, view), good && [good, words.stop], held],
        words,
      )}
    </p>
  );
}

function Action({ incident, view, children }: OfIncident & { readonly children: Child }) {
  const { words } = view;
  const shown = incidentShown(incident, view);
  const { gateway } = incident;
  const turn = isStopped(gateway, view) ? "stopped" : whoseTurn(incident, shown);
  const provider = turn === "upstream" && incident.provider;
  const note = noteOf(turn, incident.health === "down", words);
  const advice = recoveryWords(incident, view) || adviceWords(incident, words);
  return (
    <section class={`do ${shown}`}>
      <h2>{provider ? <Said text={provider.name} words={words} /> : turnName(turn, [gateway], view)}</h2>
      <p>{sentences([note, turn !== "stopped" && advice], words)}</p>
      {upstreamsSaid(incident, view).map((said) => (
        <p>{said}</p>
      ))}
      {children}
    </section>
  );
}

/** @param report of the latest failure. */
function factsOf(incident: IncidentDocument, report: ReportDocument | null, view: View): readonly Fact[] {
  const { words } = view;
  const { terms, report: reported } = words;
  const { cause, resolvedAt } = incident;
  const message = report?.message ?? null;
  const own = message === null ? null : ownMessage(message, words.stored);
  const shown = report && { ...report, ...shownNames({ ...report, ambiguous: [] }) };
  const told = (["httpStatus", "errorCode", "businessCode", "requestId"] as const).map((name): Fact => [
    reported.fields[name],
    shown?.[name] == null ? null : <code>{shown[name]}</code>,
  ]);
  return [
    [
      reported.fields.cause,
      cause && (
        <a href={causePath(cause, view)}>
          <code>{cause}</code>
        </a>
      ),
    ],
    ...told,
    [
      own === null ? terms.message : terms.finding,
      message === null ? null : <Said text={own ?? message} words={words} />,
    ],
    ...subjectOf(incident, view),
    [terms.began, <Time at={failedSince(incident)} clock={view.clock} />],
    [terms.ended, resolvedAt && <Time at={resolvedAt} clock={view.clock} />],
    [terms.id, <code>{incident.id}</code>],
    [
      terms.runbook,
      incident.runbook === undefined ? null : <Runbook text={incident.runbook} words={words} />,
    ],
    [terms.contact, incident.contact === undefined ? null : <Said text={incident.contact} words={words} />],
  ];
}

function Runbook({ text, words }: { readonly text: string; readonly words: Messages }) {
  return isWebAddress(text) ? <a href={text}>{text}</a> : <Said text={text} words={words} />;
}

function subjectOf(incident: IncidentDocument, view: View): readonly Fact[] {
  const { gateway, provider, monitors, regions = [] } = incident;
  const { words } = view;
  const { terms, report } = words;
  const gateways = provider?.gateways.map(({ id }) => id) ?? (gateway === null ? [] : [gateway]);
  const listed = (one: string, many: string, all: readonly Child[]): Fact => [
    all.length > 1 ? many : one,
    all.length === 0 ? null : joined(all, words.list),
  ];
  const links = gateways.map((id) => (
    <a href={pathTo(view, "gateways", id)}>
      <Said text={gatewayName(view, id)} words={words} />
    </a>
  ));
  const ids = monitors.map((monitor) => <code>{monitor}</code>);
  const names = regions.map((region) => regionName(region, words));
  return [
    listed(terms.gateway, terms.gateways, links),
    listed(terms.monitor, terms.monitors, ids),
    listed(report.fields.regions, report.fields.regions, names),
  ];
}

/** @param latest the id of the latest report. */
function Acts({ latest, view }: { latest: string | undefined; view: View }) {
  if (latest === undefined) return <></>;
  return (
    <p class="acts">
      <CopyButton report={pathTo(view, "reports", latest)} words={view.words} />{" "}
      <a href={pathTo(view, "reports", latest)}>{view.words.report.open}</a>
    </p>
  );
}

/** What happened, the newest first: each with how long after the first failure it was. */
function Story({ incident, view }: OfIncident) {
  const { words } = view;
  const sinceMs = Date.parse(failedSince(incident));
  const next = nextOf(incident, view);
  return (
    <ol class="story" role="list">
      {next !== null && (
        <li>
          <RingMark />
          <div>
            <h3>{words.incident.now}</h3>
            <p>
              {sentences(
                [say(words.incident.next, nextWords(next, view)), isRarer(next) && words.card.rarer],
                words,
              )}
            </p>
          </div>
        </li>
      )}
      {momentsOf(incident, view).map(({ at, mark, title, text }) => (
        <li>
          {mark}
          <div>
            <h3>
              {title} <small>{afterWords(sinceMs, Date.parse(at), words)}</small>
            </h3>
            {text !== "" && <p>{text}</p>}
          </div>
          <Age at={at} view={view} tell={words.ago} />
        </li>
      ))}
    </ol>
  );
}

/** In whole minutes; empty: at once. */
function afterWords(fromMs: number, toMs: number, words: Messages): string {
  const minutes = Math.round((toMs - fromMs) / MINUTE_MS);
  return minutes <= 0 ? "" : say(words.incident.after, spanWords(0, minutes * MINUTE_MS, words));
}

function momentsOf(incident: IncidentDocument, view: View) {
  const { acknowledgedAt, actions = [], timeline, notes, openedAt, health } = incident;
  const { words } = view;
  const { terms, incident: told } = words;
  const since = failedSince(incident);
  const failing = <ShapeMark health={timeline[0]?.health ?? health} words={words} />;
  const moments = [
    ...(since < openedAt ? [{ at: since, mark: failing, title: terms.firstFailure, text: "" }] : []),
    ...timeline.map((entry) => ({
      at: entry.at,
      mark: entryMark(entry, words),
      title: typeWords(entry, incident, words),
      text: entryWords(entry, incident, words),
    })),
    ...(acknowledgedAt === null || actions.some(({ at }) => at === acknowledgedAt)
      ? []
      : [{ at: acknowledgedAt, mark: <RingMark />, title: told.did.acknowledged, text: "" }]),
    ...actions.map((action) => {
      const { at, until } = action;
      const end = until !== null && say(told.until, <Time at={until} clock={view.clock} />);
      return { at, mark: <RingMark />, title: actionWords(action, words), text: end || "" };
    }),
    ...notes.map(({ at, text }) => {
      const note = (
        <span class="note">
          <Said text={text} words={words} />
        </span>
      );
      return { at, mark: <RingMark />, title: told.note, text: note };
    }),
  ];
  return moments.sort((a, b) => compareInstants(a.at, b.at)).reverse();
}

/** An action of a newer version has no words here. */
function actionWords({ type, by }: NonNullable<IncidentDocument["actions"]>[number], words: Messages): Child {
  const { did, by: signed } = words.incident;
  const what = Object.hasOwn(did, type) ? did[type as keyof typeof did] : type;
  return by === null ? what : say(signed, what, <Said text={by} words={words} />);
}

function entryMark({ health, type }: TimelineEntryDocument, words: Messages) {
  return health === null ? (
    <EndedMark words="" isWell={type === "resolved"} />
  ) : (
    <ShapeMark health={health} words={words} />
  );
}

export function renderReport(report: ReportDocument, incident: IncidentDocument, view: View): string {
  const { words } = view;
  const { subject } = titleOf(incident, view);
  const cause = causeWords(report.cause, report.attempts > 0, words);
  const title = [words.report.heading, subject, cause].join(words.colon);
  return renderStatusPage(view, {
    title,
    description: title,
    children: (
      <>
        <Crumbs incident={incident} view={view} here={words.report.heading} />
        <h1>
          {`${words.report.heading}${words.colon}`}
          <Said text={subject} words={words} />
        </h1>
        {view.status.stale && <StaleBanner view={view} />}
        <About report={report} incident={incident} view={view} />
        <p class="acts">
          <CopyButton report={`#${REPORT}`} words={words} />
        </p>
        <pre id={REPORT} tabindex={0}>
          {reportMarkdown(report, subject, words)}
        </pre>
      </>
    ),
  });
}

const REPORT = "report";

function About({ report, incident, view }: OfIncident & { readonly report: ReportDocument }) {
  const { words } = view;
  const { noneSent, nothingSent, about, thisIncident, hiddenAddress } = words.report;
  const cause = causeWords(report.cause, false, words).toLowerCase();
  const parts = [
    report.attempts === 0 && say(nothingSent, <strong>{noneSent}</strong>, cause),
    say(
      about,
      <a href={pathTo(view, "incidents", incident.id)}>{thisIncident}</a>,
      <a href={`/api/v1/reports/${report.id}`}>JSON</a>,
    ),
    report.endpoint?.startsWith("$") === true &&
      say(hiddenAddress, <code>$GATEWAY_BASE_URL</code>, <code>$GATEWAY_API_KEY</code>),
    say(
      words.causesLinks.more,
      <a href={causePath(report.cause, view)}>
        <code>{report.cause}</code>
      </a>,
    ),
  ];
  return <p>{sentences(parts, words)}</p>;
}

const PLAIN = { quote: (text: string) => text, when: (at: string) => at };

type ReportedHere = Report & Partial<Omit<ReportDocument, keyof Report>>;

type Row = readonly [term: string, value: string | number | null | undefined, field: Field];
type Field = keyof Messages["report"]["fields"];

function rowsOf(report: ReportedHere, words: Messages): readonly Row[] {
  const { fields, yes, no, noAttempt, cause: named } = words.report;
  const sent = report.attempts > 0;
  const told = {
    ...report,
    ...shownNames({ ...report, ambiguous: [] }),
    streaming: report.streaming ? yes : no,
    attempts: sent ? report.attempts : noAttempt,
    cause: say(named, causeWords(report.cause, sent, words), report.cause),
    regions: report.regions?.map((region) => regionName(region, words)).join(words.list),
    upstreams: report.upstreams?.map((of) => upstreamWords(of, words, PLAIN, of.name)).join(words.list),
    incident: report.incidentUrl ?? report.incident,
  };
  return (Object.keys(fields) as Field[]).map((field) => [fields[field], told[field], field]);
}

/** Only the headings are Markdown: all texts are escaped. @param subject named in the title: the endpoint may be secret. */
export function reportMarkdown(report: ReportedHere, subject: string, words: Messages): string {
  const title = `${words.report.heading}${words.colon}${inlineCode(subject)}`;
  return markdownOf(title, rowsOf(report, words), report, words);
}

/** For a pasted answer: without rows about its request, which is unknown. */
export function pastedMarkdown(report: ReportedHere, words: Messages): string {
  const hidden = new Set<Field>(["attempts"]);
  if (report.requestedAt === null) hidden.add("timeZone");
  if (report.client === UNKNOWN_CLIENT) hidden.add("client");
  if (!report.streaming) hidden.add("streaming");
  const rows = rowsOf(report, words).filter(([, , field]) => !hidden.has(field));
  return markdownOf(words.report.heading, rows, report, words);
}

function markdownOf(title: string, rows: readonly Row[], { reproduce }: ReportedHere, { report }: Messages) {
  const lines = rows.map(([term, value]) =>
    value === null || value === undefined || value === "" ? "" : `- ${term}: ${inlineCode(String(value))}\n`,
  );
  const again = reproduce === null ? "" : `\n## ${report.reproduce}\n\n${fencedCode(reproduce, "sh")}`;
  return `# ${title}\n\n${lines.join("")}${again}`;
}
