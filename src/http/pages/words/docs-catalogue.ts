/**
 * The words around the API's description, which itself is English. Part of the catalogue.
 */
import type { Child } from "../../jsx/jsx-runtime.ts";

export interface DocsWords {
  /** For search engines and previews. */
  readonly description: string;
  programs(openapi: Child, status: Child, alert: Child): Child;
  readonly links: Readonly<Record<"status" | "alert", string>>;
  readonly contents: string;
  /** What every address may answer. */
  readonly everywhere: string;
  readonly everywhereAbout: string;
  readonly schemas: string;
  /** Of a request. */
  body(type: Child): Child;
  readonly example: string;
  readonly optional: string;
  /** Between types. */
  readonly or: string;
  readonly and: string;
  /** An array or an object, and what is in it. */
  readonly of: (whole: string, parts: Child) => Child;
  usually(value: string): string;
}
