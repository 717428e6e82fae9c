/**
 * What an answer means that somebody pasted: a form, and the verdict below it. Complete without scripts.
 */
import type { Explanation } from "../../../explain/explain.ts";
import { type Kind, KINDS } from "../../../protocol/observation.ts";
import { explainPath } from "../parts/addresses.ts";
import { Explained, headlineOf } from "./explained.tsx";
import { type PlainSite, renderPlainPage } from "../frame/plain-page.tsx";
import type { Reader } from "../parts/view.ts";
import type { ProblemName, Messages } from "../i18n/messages.ts";
import { sentences } from "../parts/format.ts";

/** What became of the form. `text`: without its secrets; null: it is too long to be shown again. */
export type Outcome =
  | { readonly type: "none" }
  | { readonly type: "refused"; readonly name: ProblemName }
  | {
      readonly type: "explained";
      readonly text: string | null;
      readonly kind: Kind | null;
      readonly explanation: Explanation;
    };

export function renderExplain(site: PlainSite, outcome: Outcome): string {
  const { reader } = site;
  const { words } = reader;
  const { explain } = words;
  const told = headOf(outcome, words);
  return renderPlainPage(site, {
    title: told === null ? explain.title : `${told}${words.colon}${explain.title}`,
    description: explain.description,
    icon: outcome.type === "explained" ? outcome.explanation.diagnosis.health : "unknown",
    children: (
      <>
        <h1>{explain.title}</h1>
        <p>{explain.about}</p>
        <Form reader={reader} outcome={outcome} />
        <Result reader={reader} outcome={outcome} />
      </>
    ),
  });
}

/** In the title first, for who hears the page: what became of it. */
function headOf(outcome: Outcome, words: Messages): string | null {
  if (outcome.type === "none") return null;
  if (outcome.type === "refused") return words.problems[outcome.name].title;
  return headlineOf(outcome.explanation.diagnosis, words);
}

interface Answering {
  readonly reader: Reader;
  readonly outcome: Outcome;
}

/** Where a browser goes, and its reader with it, once the form is sent. */
const RESULT = "result";

function Form({ reader, outcome }: Answering) {
  const { words } = reader;
  const { explain } = words;
  const { text, kind } = outcome.type === "explained" ? outcome : NOTHING;
  const privacy = text === null ? explain.long : text === "" ? explain.privacy : explain.redacted;
  return (
    <form
      class="box"
      action={`${explainPath(reader)}#${RESULT}`}
      method="post"
      accept-charset="utf-8"
      aria-label={explain.form}
    >
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
        {/* A line's end at its beginning is none for a browser. */}
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
        <button type="submit">{explain.button}</button>
      </p>
    </form>
  );
}

const NOTHING = { text: "", kind: null } as const;

/** Without what no page may have: HTML has no control characters, and UTF-8 no halves of pairs. */
function shownText(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\t\n]/gu, "\ufffd");
}

function Result({ reader, outcome }: Answering) {
  const { words } = reader;
  if (outcome.type === "none") return <></>;
  if (outcome.type === "explained") {
    return <Explained id={RESULT} explanation={outcome.explanation} reader={reader} />;
  }
  const { title, detail } = words.problems[outcome.name];
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
