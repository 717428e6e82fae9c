/** The page `/explain`: a form for a pasted answer, and below it what the answer means. Complete without scripts. */
import type { Language } from "../../config/config.ts";
import { type Explanation, showsNoAnswer } from "../../explain/explain.ts";
import type { Diagnosis, Operator } from "../../protocol/diagnosis.ts";
import { type Kind, KINDS } from "../../protocol/observation.ts";
import { REDACTED } from "../../protocol/redaction/redact.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { causeWords, sentences, spanWords, storedWords } from "./format.ts";
import { say } from "../../domain/language/words.ts";
import type { Messages, ProblemName, Reference } from "./i18n/messages.ts";
import { type PlainSite, renderPlainPage } from "./layout.tsx";
import { HealthMark, Said, turned } from "./marks.tsx";
import { pastedMarkdown } from "./incident-page.tsx";
import { causePath, pathTo, type Reader } from "./view.ts";

/** `text`: without its secrets; null: too long to be shown again. */
export type Outcome =
  | { readonly type: "none" }
  | { readonly type: "refused"; readonly name: ProblemName }
  | {
      readonly type: "explained";
      readonly text: string | null;
      readonly kind: Kind | null;
      readonly operator: Operator | null;
      readonly explanation: Explanation;
    };

/** An answer to try, with its name in each language. */
export type Example = Readonly<Record<Language, string>> & { readonly kind: Kind; readonly text: string };

interface ExplainReader extends Reader {
  readonly words: Words;
}
type Words = Messages & Pick<Reference, "explain">;

export function renderExplain(
  site: PlainSite,
  { explain }: Reference,
  examples: readonly Example[],
  outcome: Outcome,
): string {
  const reader = { ...site.reader, words: { ...site.reader.words, explain } };
  const { words } = reader;
  // First in the title, for screen readers.
  const result =
    outcome.type === "refused"
      ? words.problems[outcome.name].title
      : outcome.type === "explained" && titleOf(outcome.explanation, words);
  return renderPlainPage(site, {
    title: result === false ? explain.title : `${result}${words.colon}${explain.title}`,
    description: explain.description,
    children: (
      <>
        <h1>{explain.title}</h1>
        <p>{explain.about}</p>
        <Examples examples={examples} reader={reader} />
        <Form reader={reader} outcome={outcome} />
        {outcome.type === "explained" && <Explained explanation={outcome.explanation} reader={reader} />}
        {outcome.type === "refused" && <Refused {...words.problems[outcome.name]} />}
      </>
    ),
  });
}

const RESULT = "result";

function formAt(reader: Reader) {
  return { action: `${pathTo(reader, "explain")}#${RESULT}`, method: "post", "accept-charset": "utf-8" };
}

function Examples({ examples, reader }: { examples: readonly Example[]; reader: ExplainReader }) {
  return (
    <div class="asked">
      {reader.words.explain.examples}{" "}
      {examples.map((example) => (
        <form {...formAt(reader)}>
          <input type="hidden" name="text" value={example.text} />
          <button type="submit" class="quiet" name="kind" value={example.kind}>
            {example[reader.language]}
          </button>
        </form>
      ))}
    </div>
  );
}

function Form({ reader, outcome }: { reader: ExplainReader; outcome: Outcome }) {
  const { words } = reader;
  const { explain } = words;
  const { text, kind, operator } = outcome.type === "explained" ? outcome : NOTHING;
  const isRedacted = text?.includes(REDACTED) === true;
  const privacy = text === null ? explain.long : isRedacted ? explain.redacted : explain.privacy;
  return (
    <form class="box" {...formAt(reader)} aria-label={explain.form}>
      <p>
        <label for="text">{explain.answer}</label>
      </p>
      <p class="soft" id="takes">
        {sentences([explain.takes, privacy], words)}
      </p>
      <textarea
        id="text"
        name="text"
        rows="12"
        required
        spellcheck="false"
        autocomplete="off"
        aria-describedby="takes"
      >
        {/* Browsers drop a line break at the beginning. */}
        {`\n${shownText(text ?? "")}`}
      </textarea>
      <p class="asked">
        <label for="kind">{explain.asked}</label>{" "}
        <select id="kind" name="kind">
          <option value="">{explain.unsure}</option>
          {KINDS.map((one) => (
            <option value={one} selected={one === kind}>
              {explain.kinds[one]}
            </option>
          ))}
        </select>{" "}
        <label>
          <input type="checkbox" name="operator" value="us" checked={operator === "us"} /> {explain.ours}
        </label>{" "}
        <button type="submit">{explain.button}</button>
      </p>
    </form>
  );
}

const NOTHING = { text: "", kind: null, operator: null } as const;

/** Without control characters, which HTML forbids, and lone surrogates, which UTF-8 cannot encode. */
function shownText(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\t\n]/gu, "\ufffd");
}

function Refused({ title, detail }: Messages["problems"][ProblemName]) {
  return (
    <>
      <h2 id={RESULT} tabindex={-1}>
        {title}
      </h2>
      <div class="banner unknown" role="status">
        <p class="headline">{detail}</p>
      </div>
    </>
  );
}

function Explained({ explanation, reader }: { explanation: Explanation; reader: ExplainReader }) {
  const { diagnosis, report, takenFor } = explanation;
  const { words } = reader;
  const { explain } = words;
  const { ambiguous, cause } = diagnosis;
  const { form, detail, kind, notes } = takenFor;
  const more = detail === null ? "" : say(words.aside, <Said text={detail} words={words} />);
  if (showsNoAnswer(explanation))
    return <Refused title={explain.verdict} detail={explain.notes.words_only} />;
  return (
    <>
      <h2 id={RESULT} tabindex={-1}>
        {explain.verdict}
      </h2>
      <Verdict explanation={explanation} words={words} />
      <p>
        {sentences(
          [
            ambiguous.length > 0 &&
              say(words.card.maybe, ambiguous.map((other) => words.causes[other]).join(words.semicolon)),
            say(
              words.causesLinks.more,
              <a href={causePath(cause, reader)}>
                <code>{cause}</code>
              </a>,
            ),
            say(explain.taken, explain.forms[form], more, explain.kinds[kind].toLowerCase()),
            ...notes.map((note) => explain.notes[note]),
          ],
          words,
        )}
      </p>
      {report !== null && (
        <>
          <h2>{words.report.heading}</h2>
          <p>{explain.report}</p>
          <pre tabindex={0}>{pastedMarkdown(report, words)}</pre>
        </>
      )}
    </>
  );
}

function Verdict({ explanation, words }: { explanation: Explanation; words: Words }) {
  const { health, owner, turn, ok, advice, cause } = explanation.diagnosis;
  const whose = owner === "caller" ? words.explain.you : turn === "us" ? words.ours : words.owners[owner];
  return (
    <div class={`banner ${health}`} role="status">
      <p>
        <HealthMark health={health} words={words} />
      </p>
      <p class="headline">{headlineOf(explanation.diagnosis, words)}</p>
      <p>
        {sentences(
          [
            health === "blocked" && words.card.noOutage,
            !ok && turned(whose, words),
            storedWords(advice, cause, words),
          ],
          words,
        )}
      </p>
      {!ok && <p>{retryWords(explanation, words)}</p>}
    </div>
  );
}

function titleOf(explanation: Explanation, words: Words): string {
  return showsNoAnswer(explanation) ? words.explain.verdict : headlineOf(explanation.diagnosis, words);
}

function headlineOf({ cause, owner }: Diagnosis, words: Words): string {
  return cause === "edge_blocked" ? words.explain.edge : causeWords(cause, null, words, owner);
}

function retryWords({ diagnosis: { retry }, takenFor: { notes } }: Explanation, words: Words): Child {
  const { allowed, afterSeconds } = retry;
  const { explain, card } = words;
  const wait = afterSeconds === null ? "" : say(card.waits, spanWords(0, afterSeconds * 1000, words));
  if (allowed) return sentences([explain.retry.allowed, wait || explain.retry.growing], words);
  const why = notes.includes("status_unknown") ? explain.retry.unknown : explain.retry.refused;
  return sentences([why, wait], words);
}
