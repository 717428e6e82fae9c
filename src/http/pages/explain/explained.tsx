/**
 * The verdict on an answer that somebody pasted: what it was taken for, what it means, whose turn it is, what to send to
 * support.
 */
import type { Explanation } from "../../../explain/explain.ts";
import type { Diagnosis } from "../../../protocol/diagnosis.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import { causePath } from "../parts/addresses.ts";
import { type Fact, Facts, HealthMark, Said } from "../parts/marks.tsx";
import type { Reader } from "../parts/view.ts";
import { pastedMarkdown } from "../report/report-rows.ts";
import { ownMessage, storedWords } from "../parts/stored-words.ts";
import type { Messages } from "../i18n/messages.ts";
import { sentences, spanWords } from "../parts/format.ts";

interface ExplainedInput {
  /** Of its heading. */
  readonly id: string;
  readonly explanation: Explanation;
  readonly reader: Reader;
}

export function Explained({ id, explanation, reader }: ExplainedInput) {
  const { diagnosis, report } = explanation;
  const { words } = reader;
  const { explain, terms } = words;
  const { ambiguous, advice, cause } = diagnosis;
  return (
    <>
      <h2 id={id} tabindex={-1}>
        {explain.verdict}
      </h2>
      <Taken explanation={explanation} words={words} />
      <Verdict explanation={explanation} words={words} />
      <h2>{terms.advice}</h2>
      <p>{storedWords(advice, cause, words)}</p>
      {ambiguous.length > 0 && (
        <p>{words.card.maybe(ambiguous.map((other) => words.causes[other]).join(words.semicolon))}</p>
      )}
      <p>
        {explain.cause(
          <a href={causePath(cause, reader)}>
            <code>{cause}</code>
          </a>,
        )}
      </p>
      <h2>{explain.facts}</h2>
      <Facts facts={factsOf(diagnosis, words)} />
      {report !== null && (
        <>
          <h2>{words.report.copy}</h2>
          <p>{explain.report}</p>
          <pre tabindex={0}>{pastedMarkdown(report, words)}</pre>
        </>
      )}
    </>
  );
}

/** In words for the one who pasted it: no monitor asked. */
export function headlineOf({ cause }: Diagnosis, { causes, explain }: Messages): string {
  return cause === "edge_blocked" ? explain.edge : causes[cause];
}

interface Told {
  readonly explanation: Explanation;
  readonly words: Messages;
}

function Taken({ explanation: { takenFor }, words }: Told) {
  const { explain } = words;
  const { form, detail, kind, notes } = takenFor;
  const more = detail === null ? "" : words.aside(<Said text={detail} words={words} />);
  return (
    <>
      <p>{explain.taken(explain.forms[form], more, explain.kinds[kind])}</p>
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li>{explain.notes[note]}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Verdict({ explanation, words }: Told) {
  const { diagnosis } = explanation;
  const { health, owner, ok } = diagnosis;
  const { explain } = words;
  return (
    <div class={`banner ${health}`} role="status">
      <p>
        <HealthMark health={health} words={words} />
      </p>
      <p class="headline">{headlineOf(diagnosis, words)}</p>
      <p>
        {sentences(
          [
            health === "blocked" && words.card.noOutage,
            words.turn(owner === "caller" ? explain.you : words.owners[owner]),
          ],
          words,
        )}
      </p>
      {!ok && <p>{retryWords(explanation, words)}</p>}
    </div>
  );
}

/** May it be repeated, and when. */
function retryWords({ diagnosis: { retry }, takenFor: { notes } }: Explanation, words: Messages): Child {
  const { allowed, afterSeconds } = retry;
  const { explain, card } = words;
  const wait = afterSeconds === null ? "" : card.waits(spanWords(0, afterSeconds * 1000, words));
  if (allowed) return sentences([explain.retry.allowed, wait === "" ? explain.retry.growing : wait], words);
  return sentences(
    [notes.includes("status_unknown") ? explain.retry.unknown : explain.retry.refused, wait],
    words,
  );
}

function factsOf(diagnosis: Diagnosis, words: Messages): readonly Fact[] {
  const { fields } = words.report;
  const { explain } = words;
  const { message } = diagnosis;
  const own = message === null ? null : ownMessage(message, words);
  const facts: readonly (readonly [term: string, value: string | number | null])[] = [
    [fields.httpStatus, diagnosis.httpStatus],
    [fields.errorType, diagnosis.errorType],
    [fields.errorCode, diagnosis.errorCode],
    [fields.businessCode, diagnosis.businessCode],
    [fields.requestId, diagnosis.requestId],
    [fields.taskId, diagnosis.taskId],
    [explain.taskState, diagnosis.taskState],
    [own === null ? words.terms.message : words.terms.finding, own ?? message],
    [explain.rule, diagnosis.rule],
  ];
  return facts.map(([term, value]) => [term, value && <Said text={String(value)} words={words} />]);
}
