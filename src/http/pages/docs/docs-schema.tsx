/** Schemas and their words as HTML. Pure. */
import type { Child, Html } from "../../jsx/jsx-runtime.ts";
import { languageOf } from "../parts/language.ts";
import type { Messages } from "../i18n/messages.ts";

/** What the page reads of a JSON Schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly default?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Members of members too, by their path. */
export function Members({ schema, words }: { schema: Schema; words: Messages }) {
  const rows = membersOf(schema, "").map(([name, member, isOptional]) => [
    <code>{name}</code>,
    [typeOf(member, words), isOptional && [words.comma, words.docs.optional]],
    prose(member.description, words),
  ]);
  return rows.length === 0 ? <p>{typeOf(schema, words)}</p> : <Parts rows={rows} />;
}

/** Each with its name, its kind and its words. */
export function Parts({ rows }: { rows: readonly (readonly Child[])[] }) {
  return (
    <dl>
      {rows.map(([name, kind, words]) => (
        <div>
          <dt>
            {name} <small>{kind}</small>
          </dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  );
}

type Row = readonly [name: string, schema: Schema, isOptional: boolean];

function membersOf(
  { properties = {}, required = [], items, anyOf = [], allOf = [], ...rest }: Schema,
  path: string,
): Row[] {
  const { additionalProperties } = rest;
  const parts = [...anyOf, ...allOf, ...(items ? [items] : [])];
  if (typeof additionalProperties === "object") parts.push(additionalProperties);
  const own = Object.entries(properties).flatMap(([name, member]) => {
    const place = path === "" ? name : `${path}.${name}`;
    const row: Row = [place, member, !required.includes(name)];
    return [row].concat(membersOf(member, place));
  });
  return [...own, ...parts.flatMap((part) => membersOf(part, path))];
}

export function typeOf(schema: Schema, words: Messages): Child {
  const { or, and, of } = words.docs;
  const { $ref, type, format, items, anyOf, allOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return <a href={`#schema-${name}`}>{name}</a>;
  }
  const several = anyOf ?? allOf;
  if (several) return several.map((one, index) => [index > 0 && (anyOf ? or : and), typeOf(one, words)]);
  if (schema.enum) return schema.enum.join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  const [own = "object", ...others] = [type].flat();
  const orNull = others.map((other) => `${or}${other}`).join("");
  return items ? [of(own, typeOf(items, words)), orNull] : (format ?? own) + orNull;
}

/** The little Markdown that descriptions have: paragraphs, lists, code. */
export function prose(text: string | undefined, words: Messages): Child {
  if (!text) return null;
  return text.split("\n\n").map((part) =>
    part.startsWith("- ") ? (
      <ul lang={languageOf(part, words)}>
        {part
          .slice(2)
          .split("\n- ")
          .map((item) => (
            <li>{inline(item)}</li>
          ))}
      </ul>
    ) : (
      <p lang={languageOf(part, words)}>{inline(part)}</p>
    ),
  );
}

/** Code stands between backticks. */
export function inline(text: string): (Html | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}
