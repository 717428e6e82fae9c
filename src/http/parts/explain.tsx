/** Says what a pasted answer means: `/api/v1/explain`, and the page `/explain`, complete without scripts. Nothing is stored. */
import type * as z from "zod/mini";
import type { Language } from "../../config/config.ts";
import { say } from "../../domain/language/words.ts";
import {
  explain as explainText,
  explainPasted,
  type Explanation,
  showsNoAnswer,
} from "../../explain/explain.ts";
import { withoutColours } from "../../explain/pasted.ts";
import {
  askedSchema,
  pastedAnswer,
  pastedTextSchema,
  savedAnswerSchema,
} from "../../explain/saved-exchange.ts";
import type { Diagnosis, Operator } from "../../protocol/diagnosis.ts";
import { type Kind, KINDS } from "../../protocol/observation.ts";
import { redact, REDACTED } from "../../protocol/redaction/redact.ts";
import { type AppContext, type AppDeps, type Part, readStaticFile } from "../deps.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { asPage, referencePage } from "../page-routes.ts";
import { causeWords, sentences, spanWords, storedWords } from "../pages/format.ts";
import { type Messages, type ProblemName, type Reference, referenceIn } from "../pages/i18n/messages.ts";
import { pastedMarkdown } from "../pages/incident-page.tsx";
import { renderPlainPage } from "../pages/layout.tsx";
import { HealthMark, Said, turned } from "../pages/marks.tsx";
import { causePath, pathTo, type Reader } from "../pages/view.ts";
import {
  badRequest,
  faultsOf,
  HttpProblem,
  jsonOf,
  malformed,
  type Problem,
  problemOf,
  problemWith,
  readBody,
  readerOf,
  readForm,
  varying,
  wantsPage,
} from "../problem.ts";
import { HTML_TYPE, JSON_TYPE, respond } from "../respond.ts";

export const explainPart: Part = { routes: () => [{ path: "/api/v1/explain", post: explainRoute }] };

async function explainRoute(context: AppContext): Promise<Response> {
  const { diagnosis, report, takenFor } = await explainBody(context);
  const body = JSON.stringify({ diagnosis, report, takenFor } satisfies Explanation);
  return respond(context.req.raw, { type: JSON_TYPE, caching: "none", etag: null }, body);
}

/** For a pasted text in UTF-8, and for a body of the API. */
const MAX_EXPLAINED_BYTES = 256 * 1024;

/** In a form, the end of a line takes six characters and many bytes take three; field names come in addition. */
const MAX_FORM_BYTES = 6 * MAX_EXPLAINED_BYTES + 4096;

/** What is known besides the text. `kind`: what was requested. Null: not given. */
interface Asked {
  readonly kind: Kind | null;
  readonly operator: Operator | null;
}

/** Empty: not given. @throws HttpProblem for an unknown word. */
function askedIn(given: Readonly<Record<keyof Asked, string | undefined>>): Asked {
  const words = { kind: given.kind || undefined, operator: given.operator || undefined };
  const { kind = null, operator = null } = parsed(askedSchema(), words);
  return { kind, operator };
}

async function explainBody(context: AppContext): Promise<Explanation> {
  const { req } = context;
  const asked = askedIn({ kind: req.query("kind"), operator: req.query("operator") });
  const type = mediaTypeOf(context);
  if (type !== "text/plain" && type !== "application/json") throw new HttpProblem(OTHER_TYPE);
  const bytes = await readBody(context, MAX_EXPLAINED_BYTES, TOO_LARGE);
  const nowMs = context.env.now();
  if (type === "application/json") return explainJson(jsonOf(bytes), asked, nowMs);
  // Gateways answer in any encoding. Bytes that are not UTF-8 become replacement characters.
  return explainPaste(new TextDecoder().decode(bytes), asked, nowMs);
}

/** Reads the page's form. @throws HttpProblem */
async function readPaste(context: AppContext) {
  if (mediaTypeOf(context) !== "application/x-www-form-urlencoded")
    throw new HttpProblem(problemOf("media", 415));
  const { text: pasted = "", ...given } = Object.fromEntries(await readForm(context, MAX_FORM_BYTES));
  const asked = askedIn({ kind: given["kind"], operator: given["operator"] });
  // Browsers send the line ends of a text area as CRLF, whatever was pasted.
  const text = pasted.replaceAll("\r\n", "\n");
  const size = new TextEncoder().encode(text).byteLength;
  if (size > MAX_EXPLAINED_BYTES) throw new HttpProblem(TOO_LARGE);
  return { text, asked };
}

/** @throws HttpProblem if only white space was pasted. */
function explainPaste(text: string, asked: Asked, nowMs: number): Explanation {
  const explanation = explainText(text, optionsOf(asked, nowMs));
  if (explanation === null) throw new HttpProblem(BLANK);
  return explanation;
}

/** Without the service's own secrets, on purpose: from what is removed, strangers could guess them piece by piece. */
function optionsOf(asked: Asked, nowMs: number) {
  return { ...asked, nowMs, timeZone: "UTC", redact };
}

function explainJson(value: unknown, asked: Asked, nowMs: number): Explanation {
  const members = Object(value) as Readonly<Record<string, unknown>>;
  const isText = "text" in members;
  if (Array.isArray(value) || isText === "status" in members) throw new HttpProblem(NEITHER);
  if (isText) {
    const { text, kind = asked.kind, operator = asked.operator } = parsed(pastedTextSchema(), value);
    return explainPaste(text, { kind, operator }, nowMs);
  }
  const saved = parsed(savedAnswerSchema(), value);
  const { kind = asked.kind, operator = asked.operator } = saved;
  return explainPasted(pastedAnswer(saved, kind), optionsOf({ kind, operator }, nowMs));
}

/** Without what was sent below a member, such as the name of a header: it may be a secret. @throws HttpProblem */
function parsed<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new HttpProblem(badRequest(faultsOf(read.error, 1)));
}

function mediaTypeOf({ req }: AppContext): string {
  return (req.header("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();
}

const TOO_LARGE = problemOf("large", 413);

const BLANK: Problem = { ...problemOf("blank", 400), errors: [{ detail: "is blank", pointer: "#" }] };

const NEITHER = malformed("Send an object with status, headers and body, or one with text.");

const OTHER_TYPE = problemWith(415, "Send application/json or text/plain, in UTF-8.", {
  headers: { "accept-post": "application/json, text/plain" },
});

export const explainPage: Part = {
  routes: () => {
    const empty = referencePage(async (reader, words, env) =>
      renderExplain(reader, words, await examplesOf(env), { type: "none" }),
    );
    return [{ path: "/explain", get: asPage(empty), post: explainedPage }];
  },
};

async function examplesOf(env: AppDeps): Promise<readonly Example[]> {
  return JSON.parse(await readStaticFile(env, "examples.json")) as Example[];
}

async function explainedPage(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  try {
    const { text, asked } = await readPaste(context);
    const explanation = explainPaste(text, asked, context.env.now());
    // Readers may save, print or share the page, so it shows the paste without secrets.
    const shown = text.length > LONGEST_SHOWN ? null : redact(withoutColours(text));
    return await show(context, { type: "explained", text: shown, ...asked, explanation }, 200);
  } catch (error) {
    if (!(error instanceof HttpProblem) || !wantsPage(request)) throw error;
    const { name, status } = error.problem;
    if (name === undefined) throw error;
    return show(context, { type: "refused", name }, status);
  }
}

/** In characters. Redacting more would take too much CPU; cutting before redacting could leave half a secret unrecognized. */
const LONGEST_SHOWN = 16_384;

async function show(context: AppContext, outcome: Outcome, status: number): Promise<Response> {
  const reader = await readerOf(context.req.raw, context.env);
  const headers = varying(reader);
  const how = { status, type: HTML_TYPE, caching: "none", etag: null, headers } as const;
  const words = await referenceIn(reader.language, context.env);
  const html = renderExplain(reader, words, await examplesOf(context.env), outcome);
  return respond(context.req.raw, how, html);
}

/** `text`: without its secrets; null: too long to be shown again. */
type Outcome =
  | { readonly type: "none" }
  | { readonly type: "refused"; readonly name: ProblemName }
  | (Asked & {
      readonly type: "explained";
      readonly text: string | null;
      readonly explanation: Explanation;
    });

/** An answer to try, with its name in each language. */
type Example = Readonly<Record<Language, string>> & { readonly kind: Kind; readonly text: string };

interface ExplainReader extends Reader {
  readonly words: Words;
}
type Words = Messages & Pick<Reference, "explain">;

function renderExplain(site: Reader, { explain }: Reference, examples: readonly Example[], outcome: Outcome) {
  const reader = { ...site, words: { ...site.words, explain } };
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
