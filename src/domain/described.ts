/** What a schema says of itself in the API's description, which `src/openapi/schemas.ts` makes of it. Pure. */
import * as z from "zod/mini";

/** Keywords of JSON Schema that no check of zod gives. */
export interface Keywords {
  readonly description?: string;
  readonly format?: "date" | "date-time";
  readonly minLength?: number;
}

/** A copy: the schema itself may be shared. zod's own registry would be made at the start of every isolate. */
export function described<Schema extends z.core.$ZodType>(schema: Schema, words: string | Keywords): Schema {
  const copy = z.clone(schema);
  copy._zod.bag["keywords"] = typeof words === "string" ? { description: words } : words;
  return copy;
}

export function keywordsOf({ _zod }: z.core.$ZodType): Keywords {
  return _zod.bag["keywords"] ?? {};
}
