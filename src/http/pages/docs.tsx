/**
 * The API to read: made of the same description that programs read. Pure.
 */
import type { StatusDocument } from "../../history/documents.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { renderPage } from "./layout.tsx";
import type { Reader } from "./reader.ts";
import { curlOf, type Operation, type Parameter } from "./docs-curl.ts";
import { Members, Parts, prose, type Schema, typeOf } from "./docs-schema.tsx";

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

interface Place {
  readonly api: ApiDocument;
  readonly origin: string;
  /** What every address may answer: said once. */
  readonly usual: Answers;
}

type Answers = Operation["responses"];

interface DocsInput {
  /** Where the API is asked. */
  readonly origin: string;
  readonly reader: Reader;
  /** Null: nothing can be read that was published. */
  readonly status: StatusDocument | null;
}

/** The description is English; around it are the reader's words. */
export function renderDocs(api: ApiDocument, { origin, reader, status }: DocsInput): string {
  const place = { api, origin, usual: usualOf(api) };
  const { frame } = reader.words;
  return renderPage({
    reader,
    title: "API",
    description: "Every address and its answers.",
    site: status?.title ?? frame.status,
    notice: status?.notice ?? null,
    timeZone: null,
    icon: "unknown",
    footer: <p>{frame.madeBy}</p>,
    children: (
      <div class="api" lang={reader.language === "en" ? undefined : "en"}>
        <h1>API</h1>
        {prose(api.info.description)}
        <p>
          For programs: <a href="/openapi.json">OpenAPI</a>,{" "}
          <a href="/schemas/status.v1.json">status schema</a>,{" "}
          <a href="/schemas/alert.v1.json">alert schema</a>.
        </p>
        <nav aria-label="Contents">
          <ul>
            {["Everywhere", ...api.tags.map(({ name }) => name), "Schemas"].map((name) => (
              <li>
                <a href={`#${name}`}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
        <Everywhere place={place} />
        {api.tags.map((tag) => (
          <section>
            <h2 id={tag.name}>{tag.name}</h2>
            {prose(tag.description)}
            {operationsOf(api, tag.name).map(([path, method, operation]) => (
              <OperationPart path={path} method={method} operation={operation} place={place} />
            ))}
          </section>
        ))}
        <Schemas schemas={api.components.schemas} />
      </div>
    ),
  });
}

function Everywhere({ place }: { place: Place }) {
  return (
    <section>
      <h2 id="Everywhere">Everywhere</h2>
      <p>Whatever there is at an address, it may also answer:</p>
      <div class="box">
        <Parts rows={answersOf(place.usual, place.api)} />
      </div>
    </section>
  );
}

function Schemas({ schemas }: Pick<ApiDocument["components"], "schemas">) {
  return (
    <section>
      <h2 id="Schemas">Schemas</h2>
      {Object.entries(schemas).map(([name, schema]) => (
        <article class="box">
          <h3 id={`schema-${name}`}>{name}</h3>
          {prose(schema.description)}
          <Members schema={schema} />
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

/** As where there is no other way to fail. */
function usualOf({ paths }: ApiDocument): Answers {
  const { "200": _, ...usual } = paths["/openapi.json"]?.["get"]?.responses ?? {};
  return usual;
}

/** What is not said already. */
function ownOf({ responses }: Operation, usual: Answers): Answers {
  const isOwn = ([status, { $ref }]: [string, Answers[string]]): boolean =>
    $ref === undefined || $ref !== usual[status]?.$ref;
  return Object.fromEntries(Object.entries(responses).filter(isOwn));
}

interface PartInput {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly place: Place;
}

function OperationPart({ path, method, operation, place }: PartInput) {
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
        <strong>{summary}</strong>
      </p>
      {prose(description)}
      {parameters.length > 0 && <Parts rows={parameters.map(parameterRow)} />}
      {body && <p>Body: {typeOf(body.schema)}</p>}
      <Parts rows={answersOf(ownOf(operation, place.usual), place.api)} />
      {path.startsWith("/") && <pre>{curlOf(path, method, operation, parameters, place.origin)}</pre>}
      {(good?.example ?? body?.example) !== undefined && (
        <details>
          <summary>Example</summary>
          <pre>{JSON.stringify(good?.example ?? body?.example, null, 2)}</pre>
        </details>
      )}
    </article>
  );
}

function parameterRow({ name, in: where, schema, description, required }: Parameter): Child[] {
  const more = schema.default === undefined ? "" : ` Default: ${schema.default}.`;
  return [
    <code>{name}</code>,
    [where, ", ", typeOf(schema), !required && ", optional"],
    prose((description ?? "") + more),
  ];
}

function answersOf(answers: Answers, api: ApiDocument): Child[][] {
  return Object.entries(answers).map(([status, answer]) => {
    const { description, content = {}, headers = {} } = resolved(answer, api);
    const media = Object.entries(content).map(([type, { schema }], index) => [
      index > 0 && ", ",
      type,
      schema.$ref !== undefined && [" ", typeOf(schema)],
    ]);
    const named = Object.keys(headers);
    return [
      <strong>{status}</strong>,
      media,
      [prose(description), named.length > 0 && <small>{named.join(", ")}</small>],
    ];
  });
}

/** What is said once for many. */
function resolved<Part extends { readonly $ref?: string }>(part: Part, { components }: ApiDocument): Part {
  const [kind = "", name = ""] = part.$ref?.split("/").slice(2) ?? [];
  return (components[kind]?.[name] as Part | undefined) ?? part;
}
