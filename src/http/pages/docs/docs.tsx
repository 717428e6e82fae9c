/**
 * The API to read: made of the same description that programs read. Pure.
 */
import type { Child } from "../../jsx/jsx-runtime.ts";
import { CausesPointer } from "../causes/causes.tsx";
import { type PlainSite, renderPlainPage } from "../frame/plain-page.tsx";
import { languageOf } from "../parts/language.ts";
import { Members, Parts, prose, type Schema, typeOf } from "./docs-schema.tsx";
import type { Messages } from "../i18n/messages.ts";

/** What this page reads of an OpenAPI description. */
export interface ApiDocument {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema & Partial<Operation>>>>> & {
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** What the page reads of an operation. */
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string;
}

interface Place {
  readonly api: ApiDocument;
  readonly words: Messages;
}

type Answers = Operation["responses"];

export function renderDocs(api: ApiDocument, site: PlainSite): string {
  const { reader } = site;
  const { words } = reader;
  const { docs } = words;
  const place = { api, words };
  return renderPlainPage(site, {
    title: "API",
    description: docs.description,
    children: (
      <div class="api">
        <h1>API</h1>
        {prose(api.info.description, words)}
        <p>
          {docs.programs(
            <a href="/openapi.json">OpenAPI</a>,
            <a href="/schemas/status.v1.json">{docs.links.status}</a>,
            <a href="/schemas/alert.v1.json">{docs.links.alert}</a>,
          )}
        </p>
        <p>
          <CausesPointer reader={reader} />
        </p>
        <Contents api={api} words={words} />
        {api.tags.map((tag) => (
          <section>
            <h2 id={tag.name}>
              <span lang={languageOf(tag.name, words)}>{tag.name}</span>
            </h2>
            {prose(tag.description, words)}
            {operationsOf(api, tag.name).map(([path, method, operation]) => (
              <OperationPart path={path} method={method} operation={operation} place={place} />
            ))}
          </section>
        ))}
        <Schemas schemas={api.components.schemas} words={words} />
      </div>
    ),
  });
}

function Contents({ api, words }: { api: ApiDocument; words: Messages }) {
  const { contents, schemas } = words.docs;
  const parts = [...api.tags.map(({ name }) => [name, name]), [SCHEMAS, schemas]];
  return (
    <nav aria-label={contents}>
      <ul>
        {parts.map(([id = "", name = ""]) => (
          <li>
            <a href={`#${id}`} lang={languageOf(name, words)}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Addresses in the page are the same in every language. */
const SCHEMAS = "Schemas";

function Schemas({ schemas, words }: Pick<ApiDocument["components"], "schemas"> & { words: Messages }) {
  return (
    <section>
      <h2 id={SCHEMAS}>{words.docs.schemas}</h2>
      {Object.entries(schemas).map(([name, schema]) => (
        <article class="box">
          <h3 id={`schema-${name}`}>{name}</h3>
          {prose(schema.description, words)}
          <Members schema={schema} words={words} />
        </article>
      ))}
    </section>
  );
}

function operationsOf({ paths, webhooks }: ApiDocument, tag: string) {
  return [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => [path, method.toUpperCase(), operation] as const),
  );
}

/** Answers that many addresses share are in the OpenAPI document: failures, redirections. */
function ownOf({ responses }: Operation): Answers {
  return Object.fromEntries(
    Object.entries(responses).filter(([status, { $ref }]) => status < "3" || $ref === undefined),
  );
}

interface PartInput {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly place: Place;
}

function OperationPart({ path, method, operation, place }: PartInput) {
  const { words } = place;
  const { operationId, summary, description, requestBody } = operation;
  const parameters = (operation.parameters ?? []).map((one) => resolved(one, place.api));
  const [body] = Object.values(requestBody?.content ?? {});
  const [good] = Object.values(operation.responses["200"]?.content ?? {});
  return (
    <article class="box">
      <h3 id={operationId}>
        <a href={`#${operationId}`}>
          {method} <code>{path}</code>
        </a>
      </h3>
      <p>
        <strong lang={languageOf(summary, words)}>{summary}</strong>
      </p>
      {prose(description, words)}
      {parameters.length > 0 && <Parts rows={parameters.map((one) => parameterRow(one, words))} />}
      {body && <p>{words.docs.body(typeOf(body.schema, words))}</p>}
      <Parts rows={answersOf(ownOf(operation), place)} />
      {(good?.example ?? body?.example) !== undefined && (
        <details>
          <summary>{words.docs.example}</summary>
          <pre>{JSON.stringify(good?.example ?? body?.example, null, 2)}</pre>
        </details>
      )}
    </article>
  );
}

function parameterRow(
  { name, in: where, schema, description, required }: Parameter,
  words: Messages,
): Child[] {
  const { docs, comma } = words;
  return [
    <code>{name}</code>,
    [where, comma, typeOf(schema, words), !required && [comma, docs.optional]],
    [prose(description, words), schema.default !== undefined && <p>{docs.usually(schema.default)}</p>],
  ];
}

function answersOf(answers: Answers, { api, words }: Place): Child[][] {
  return Object.entries(answers).map(([status, answer]) => {
    const { description, content = {}, headers = {} } = resolved(answer, api);
    const media = Object.entries(content).map(([type, { schema }], index) => [
      index > 0 && words.comma,
      type,
      schema.$ref !== undefined && [" ", typeOf(schema, words)],
    ]);
    const named = Object.keys(headers);
    return [
      <strong>{status}</strong>,
      media,
      [prose(description, words), named.length > 0 && <small>{named.join(", ")}</small>],
    ];
  });
}

/** What is said once for many. */
function resolved<Part extends { readonly $ref?: string }>(part: Part, { components }: ApiDocument): Part {
  const [kind = "", name = ""] = part.$ref?.split("/").slice(2) ?? [];
  return (components[kind]?.[name] as Part | undefined) ?? part;
}
