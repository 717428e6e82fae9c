/** The request of an operation as a line for a shell. Pure. */
import { shellQuote } from "../../domain/report.ts";
import type { Schema } from "./docs-schema.tsx";

/** What the page reads of an operation. */
export interface Operation {
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

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string;
}

/** With the examples of the parameters. */
export function curlOf(
  path: string,
  method: string,
  { requestBody, responses, security = [] }: Operation,
  parameters: readonly Parameter[],
  site: string,
): string {
  const [body] = Object.values(requestBody?.content ?? {});
  const filled = parameters.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(example ?? name)),
    path,
  );
  const isAdmin = security.length === 1 && "admin" in (security[0] ?? {});
  return [
    "curl",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    // Where its type is asked, for curl would call it a form.
    ...("415" in responses ? [`-H "Content-Type: ${Object.keys(requestBody?.content ?? {})[0]}"`] : []),
    ...(isAdmin ? ['-H "Authorization: Bearer $ADMIN_TOKEN"'] : []),
    shellQuote(site + filled),
    ...(body?.example === undefined ? [] : [`-d ${shellQuote(JSON.stringify(body.example))}`]),
  ].join(" ");
}
