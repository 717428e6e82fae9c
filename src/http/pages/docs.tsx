/** The page `/docs`, made of the OpenAPI description. Pure. */
import type { Child, Html } from "../jsx/jsx-runtime.ts";
import { joined, languageOf } from "./format.ts";
import { type Messages, type Reference, say } from "./i18n/messages.ts";
import { type PlainSite, renderPlainPage } from "./layout.tsx";
import { CausesPointer, type Fact, Facts, markdown } from "./marks.tsx";

type Named<Value> = Readonly<Record<string, Value>>;

/** What this page reads of an OpenAPI description. */
export interface ApiDocument {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Named<Named<Operation>>;
  readonly webhooks: Named<Named<Operation>>;
  readonly components: Named<Named<Schema & Partial<Operation>>> & { readonly schemas: Named<Schema> };
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Named<Answer>;
}

type Content = Named<{ readonly schema: Schema; readonly example?: unknown }>;

interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Content;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly properties?: Named<Schema>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

type Words = Messages & Pick<Reference, "docs">;

export function renderDocs(site: PlainSite, { docs }: Reference, api: ApiDocument): string {
  const words = { ...site.reader.words, docs };
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
            <li>
              <a href="#schemas">{docs.schemas}</a>
            </li>
          </ul>
        </nav>
        {api.tags.map(({ name, description }) => (
          <section>
            <h2 id={name}>
              <span lang={languageOf(name, words)}>{name}</span>
            </h2>
            {prose(description, words)}
            {operationsOf(api, name, words)}
          </section>
        ))}
        <section>
          <h2 id="schemas">{docs.schemas}</h2>
          {Object.entries(api.components.schemas).map(([name, schema]) => schemaPart(name, schema, words))}
        </section>
      </div>
    ),
  });
}

function operationsOf(api: ApiDocument, tag: string, words: Words): readonly Html[] {
  return Object.entries({ ...api.paths, ...api.webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => operationPart(method, path, operation, api, words)),
  );
}

function operationPart(
  method: string,
  path: string,
  operation: Operation,
  api: ApiDocument,
  words: Words,
): Html {
  const { operationId, summary, description, requestBody, parameters = [], responses } = operation;
  const { docs, comma } = words;
  const [body] = Object.values(requestBody?.content ?? {});
  const [good] = Object.values(responses["200"]?.content ?? {});
  const example = good?.example ?? body?.example;
  const given = parameters.map((one) => {
    const { name, in: where, schema, required, description: what } = resolved(one, api);
    const kind = [where, comma, typeOf(schema, words), required !== true && [comma, docs.optional]];
    return factOf(<code>{name}</code>, kind, what, words);
  });
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
      {given.length > 0 && <Facts facts={given} />}
      {body && <p>{say(docs.body, typeOf(body.schema, words))}</p>}
      <Facts facts={answersOf(responses, api, words)} />
      {example !== undefined && (
        <details>
          <summary>{docs.example}</summary>
          <pre>{JSON.stringify(example, null, 2)}</pre>
        </details>
      )}
    </article>
  );
}

/** Without the failures and redirects that many addresses share: the OpenAPI document has them. */
function answersOf(responses: Operation["responses"], api: ApiDocument, words: Words): readonly Fact[] {
  const own = Object.entries(responses).filter(([status, { $ref }]) => status < "3" || $ref === undefined);
  return own.map(([status, answer]) => {
    const { description, content = {} } = resolved(answer, api);
    const media = Object.entries(content).map(([type, { schema }]) =>
      schema.$ref === undefined ? type : [type, " ", typeOf(schema, words)],
    );
    return factOf(<strong>{status}</strong>, joined(media, words.comma), description, words);
  });
}

function resolved<Part extends { readonly $ref?: string }>(part: Part, { components }: ApiDocument): Part {
  const [kind = "", name = ""] = part.$ref?.split("/").slice(2) ?? [];
  return (components[kind]?.[name] as Part | undefined) ?? part;
}

function factOf(name: Child, kind: Child, description: string | undefined, words: Words): Fact {
  return [[name, " ", <small>{kind}</small>], prose(description, words)];
}

/** Members of members too, by their path. */
function schemaPart(name: string, schema: Schema, words: Words): Html {
  const rows = membersOf(schema, "").map(([path, member, isOptional]) => {
    const kind = [typeOf(member, words), isOptional && [words.comma, words.docs.optional]];
    return factOf(<code>{path}</code>, kind, member.description, words);
  });
  return (
    <article class="box">
      <h3 id={`schema-${name}`}>{name}</h3>
      {prose(schema.description, words)}
      {rows.length === 0 ? <p>{typeOf(schema, words)}</p> : <Facts facts={rows} />}
    </article>
  );
}

type Member = readonly [path: string, schema: Schema, isOptional: boolean];

function membersOf(schema: Schema, path: string): readonly Member[] {
  const { properties = {}, required = [], items, anyOf = [], allOf = [], additionalProperties } = schema;
  const own = Object.entries(properties).flatMap(([name, member]): readonly Member[] => {
    const place = path === "" ? name : `${path}.${name}`;
    const row: Member = [place, member, !required.includes(name)];
    return [row].concat(membersOf(member, place));
  });
  const values = typeof additionalProperties === "object" ? [additionalProperties] : [];
  const parts = [...anyOf, ...allOf, ...(items ? [items] : []), ...values];
  return [...own, ...parts.flatMap((part) => membersOf(part, path))];
}

function typeOf(schema: Schema, words: Words): Child {
  const { or, and, of } = words.docs;
  const { $ref, type, format, items, anyOf, allOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return <a href={`#schema-${name}`}>{name}</a>;
  }
  const several = anyOf ?? allOf;
  if (several) {
    const types = several.map((one) => typeOf(one, words));
    return joined(types, anyOf ? or : and);
  }
  if (schema.enum) return schema.enum.join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  const [own = "object", ...others] = [type].flat();
  const orNull = others.map((other) => `${or}${other}`).join("");
  return items ? [say(of, own, typeOf(items, words)), orNull] : (format ?? own) + orNull;
}

function prose(text: string | undefined, words: Words): Child {
  return text ? <div lang={languageOf(text, words)}>{markdown(text)}</div> : "";
}
