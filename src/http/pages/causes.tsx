/** The page `/causes`: of each cause what decides it, whose turn it is, and whether to try again. Pure. */
import type { Language } from "../../config/config.ts";
import { CAUSES_DOCUMENT, rowOf } from "../../protocol/causes.ts";
import { type Cause, CAUSE_TABLE, CAUSES } from "../../protocol/diagnosis.ts";
import { retryStatuses } from "../../protocol/edge-page.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { Facts, HealthMark, inline } from "./marks.tsx";
import { storedWords } from "./format.ts";
import { say } from "../../domain/language/words.ts";
import type { Messages, Reference } from "./i18n/messages.ts";
import { type PlainSite, renderPlainPage } from "./layout.tsx";

/** What decides each cause, by language. Code stands between backticks. */
export type Evidence = Readonly<Record<Language, Readonly<Record<Cause, string>>>>;

export function renderCauses(site: PlainSite, reference: Reference, evidence: Evidence): string {
  const { words } = site.reader;
  const { causesPage, docs } = reference;
  return renderPlainPage(site, {
    title: causesPage.title,
    description: causesPage.description,
    children: (
      <>
        <h1>{causesPage.title}</h1>
        <p>{causesPage.about}</p>
        <p>
          {say(
            causesPage.more,
            <a href={CAUSES_DOCUMENT} hreflang="en">
              docs/causes.md
            </a>,
          )}
        </p>
        <nav aria-label={docs.contents}>
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
          <Entry
            cause={cause}
            evidence={evidence[site.reader.language][cause]}
            words={words}
            page={causesPage}
          />
        ))}
      </>
    ),
  });
}

interface Of {
  readonly cause: Cause;
  readonly evidence: string;
  readonly words: Messages;
  readonly page: Reference["causesPage"];
}

function Entry({ cause, evidence, words, page }: Of) {
  const { owner, health, advice } = rowOf(cause);
  const { terms } = words;
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
          [page.terms.health, <HealthMark health={health} words={words} />],
          [terms.turn, owner === "nobody" ? null : words.owners[owner]],
          [page.terms.retry, retryWords(cause, page, words)],
        ]}
      />
    </section>
  );
}

function retryWords(cause: Cause, page: Reference["causesPage"], { list }: Messages): Child {
  if (CAUSE_TABLE[cause].ok) return page.notNeeded;
  const statuses = retryStatuses(cause);
  return statuses.length === 0 ? page.never : say(page.under, statuses.join(list));
}
