/** Pages to read, with the words of `assets/reference.json`: the causes, the API, and how to begin. Pure. */
import type { Language } from "../../config/config.ts";
import { say } from "../../domain/language/words.ts";
import { CAUSES_DOCUMENT, PROJECT, rowOf } from "../../protocol/causes.ts";
import { type Cause, CAUSE_TABLE, CAUSES } from "../../protocol/diagnosis.ts";
import { retryStatuses } from "../../protocol/edge-page.ts";
import type { Child, Html } from "../jsx/jsx-runtime.ts";
import { joined, languageOf, storedWords } from "./format.ts";
import type { Messages, Reference } from "./i18n/messages.ts";
import { CausesPointer, renderPlainPage } from "./layout.tsx";
import { Answer, type Fact, Facts, HealthMark, inline, markdown } from "./marks.tsx";
import type { Reader } from "./view.ts";

/** What decides each cause, by language. Code stands between backticks. */
export type Evidence = Readonly<Record<Language, Readonly<Record<Cause, string>>>>;

export function renderCauses(reader: Reader, reference: Reference, evidence: Evidence): string {
  const { words } = reader;
  const { causesPage, docs } = reference;
  return renderPlainPage(reader, {
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
        {CAUSES.map((cause) => entryOf(cause, evidence[reader.language][cause], words, causesPage))}
      </>
    ),
  });
}

function entryOf(cause: Cause, evidence: string, words: Messages, page: Reference["causesPage"]): Html {
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

type Named<Value> = Readonly<Record<string, Value>>;

/** What is read of an OpenAPI description. */
export interface ApiDocument {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Named<Named<Operation>>;
  readonly webhooks: Named<Named<Operation>>;
  readonly components: Named<Named<Part>> & { readonly schemas: Named<object> };
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Part[];
  readonly requestBody?: Part;
  readonly responses: Named<Part>;
}

/** A parameter, a body or an answer. */
interface Part {
  readonly $ref?: string;
  readonly name?: string;
  readonly description?: string;
  readonly content?: Named<{ readonly example?: unknown }>;
}

export function renderDocs(reader: Reader, { docs }: Reference, api: ApiDocument): string {
  const { words } = reader;
  const links = [
    <a href="/openapi.json">OpenAPI</a>,
    <a href="/schemas/status.v1.json">{docs.links.status}</a>,
    <a href="/schemas/alert.v1.json">{docs.links.alert}</a>,
  ];
  return renderPlainPage(reader, {
    title: "API",
    description: docs.description,
    children: (
      <div class="api">
        <h1>API</h1>
        {prose(api.info.description, words)}
        <p>{say(words.footer.programs, joined(links, words.list))}</p>
        <p>
          <CausesPointer reader={reader} />
        </p>
        <nav aria-label={docs.contents}>
          <ul>
            {api.tags.map(({ name }) => (
              <li>
                <a href={`#${name}`} lang={languageOf(name, words)}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {api.tags.map(({ name, description }) => (
          <section>
            <h2 id={name}>
              <span lang={languageOf(name, words)}>{name}</span>
            </h2>
            {prose(description, words)}
            {operationsOf(api, name, words, docs.example)}
          </section>
        ))}
      </div>
    ),
  });
}

function operationsOf(api: ApiDocument, tag: string, words: Messages, exampleWords: string): readonly Html[] {
  return Object.entries({ ...api.paths, ...api.webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, { operationId, summary, description, requestBody, parameters = [], responses }]) => {
        const example = exampleIn(responses["200"]) ?? exampleIn(requestBody);
        const given = parameters.map((one) => resolved(one, api));
        // Without the failures and redirects that many addresses share.
        const answers = Object.entries(responses).filter(([status, { $ref }]) => status < "3" || !$ref);
        return (
          <article class="box">
            <h3 id={operationId}>
              <a href={`#${operationId}`}>
                {method.toUpperCase()} <code>{path}</code>
              </a>
            </h3>
            <p>
              <strong lang={languageOf(summary, words)}>{summary}</strong>
            </p>
            {prose(description, words)}
            <Facts
              facts={[
                ...given.map((of): Fact => [<code>{of.name}</code>, prose(of.description, words)]),
                ...answers.map(([status, answer]): Fact => [
                  <strong>{status}</strong>,
                  prose(resolved(answer, api).description, words),
                ]),
              ]}
            />
            {example !== undefined && (
              <details>
                <summary>{exampleWords}</summary>
                <pre>{JSON.stringify(example, null, 2)}</pre>
              </details>
            )}
          </article>
        );
      }),
  );
}

function exampleIn(part: Part | undefined): unknown {
  return Object.values(part?.content ?? {})[0]?.example;
}

function resolved(part: Part, { components }: ApiDocument): Part {
  const [kind = "", name = ""] = part.$ref?.split("/").slice(2) ?? [];
  return components[kind]?.[name] ?? part;
}

function prose(text: string | undefined, words: Messages): Child {
  return text ? <div lang={languageOf(text, words)}>{markdown(text)}</div> : "";
}

/** Of a site without gateways. */
export function renderBegin(reader: Reader, { begin }: Reference): string {
  const { words } = reader;
  const title = words.headline.nothing;
  return renderPlainPage(reader, {
    title,
    description: begin.about,
    children: (
      <>
        <Answer tone="unknown" heading={title}>
          <p>{begin.about}</p>
        </Answer>
        {begin.steps.map(([name, text], index) => (
          <section class="box">
            <h2>{`${index + 1}. ${name}`}</h2>
            <p>{inline(text ?? "")}</p>
          </section>
        ))}
        <p>{say(begin.more, <a href={`${PROJECT}/tree/main/docs`}>{words.frame.documents}</a>)}</p>
      </>
    ),
  });
}
