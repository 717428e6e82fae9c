/** The page `/causes`: of each cause what decides it, whose turn it is, and whether to try again. Pure. */
import type { Language } from "../../config/config.ts";
import { CAUSES_DOCUMENT, rowOf } from "../../protocol/causes.ts";
import { type Cause, CAUSE_TABLE, CAUSES } from "../../protocol/diagnosis.ts";
import { retryStatuses } from "../../protocol/edge-page.ts";
import { storedWords } from "./format.ts";
import type { Messages } from "./i18n/messages.ts";
import { type PlainSite, renderPlainPage } from "./layout.tsx";
import { Facts, HealthMark, inline } from "./marks.tsx";

/** What decides each cause, by language. Code stands between backticks. */
export type Evidence = Readonly<Record<Language, Readonly<Record<Cause, string>>>>;

export function renderCauses(site: PlainSite, evidence: Evidence): string {
  const { words } = site.reader;
  const { causesPage } = words;
  return renderPlainPage(site, {
    title: causesPage.title,
    description: causesPage.description,
    children: (
      <>
        <h1>{causesPage.title}</h1>
        <p>{causesPage.about}</p>
        <p>
          {causesPage.more(
            <a href={CAUSES_DOCUMENT} hreflang="en">
              docs/causes.md
            </a>,
          )}
        </p>
        <nav aria-label={words.docs.contents}>
          <ul role="list">
            {CAUSES.map((cause) => (
              <li>
                <a href={`#${cause}`}>
                  <code>{cause}</code>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {CAUSES.map((cause) => (
          <Entry cause={cause} evidence={evidence[site.reader.language][cause]} words={words} />
        ))}
      </>
    ),
  });
}

function Entry({ cause, evidence, words }: { cause: Cause; evidence: string; words: Messages }) {
  const { owner, health, advice } = rowOf(cause);
  const { causesPage, terms } = words;
  return (
    <section class="box">
      <h2 id={cause}>
        {words.causes[cause]} <code>{cause}</code>
      </h2>
      <p>{inline(evidence)}</p>
      <p>
        <strong>
          {terms.advice}
          {words.colon.trimEnd()}
        </strong>
        {words.gap}
        {storedWords(advice, cause, words)}
      </p>
      <Facts
        facts={[
          [causesPage.terms.health, <HealthMark health={health} words={words} />],
          [terms.turn, owner === "nobody" ? null : words.owners[owner]],
          [causesPage.terms.retry, retryWords(cause, words)],
        ]}
      />
    </section>
  );
}

function retryWords(cause: Cause, { causesPage, list }: Messages): string {
  if (CAUSE_TABLE[cause].ok) return causesPage.notNeeded;
  const statuses = retryStatuses(cause);
  return statuses.length === 0 ? causesPage.never : causesPage.under(statuses.join(list));
}
