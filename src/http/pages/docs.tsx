/** The page `/docs`: the operations of the OpenAPI description, which has their schemas in addition. Pure. */
import type { Child, Html } from "../jsx/jsx-runtime.ts";
import { joined, languageOf } from "./format.ts";
import { say } from "../../domain/language/words.ts";
import type { Messages, Reference } from "./i18n/messages.ts";
import { type PlainSite, renderPlainPage } from "./layout.tsx";
import { CausesPointer, type Fact, Facts, markdown } from "./marks.tsx";

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

export function renderDocs(site: PlainSite, { docs }: Reference, api: ApiDocument): string {
  const { words } = site.reader;
  const links = [
    <a href="/openapi.json">OpenAPI</a>,
    <a href="/schemas/status.v1.json">{docs.links.status}</a>,
    <a href="/schemas/alert.v1.json">{docs.links.alert}</a>,
  ];
  return renderPlainPage(site, {
    title: "API",
    description: docs.description,
    children: (
      <div class="api">
        <h1>API</h1>
        {prose(api.info.description, words)}
        <p>{say(words.footer.programs, joined(links, words.list))}</p>
        <p>
          <CausesPointer reader={site.reader} />
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
