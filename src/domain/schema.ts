/** Makes schemas only when they are needed, and describes them for the API's description (`src/openapi/schemas.ts`). Pure. */
import * as z from "zod/mini";

/** Makes the schema at the first call: what is made at import delays each new isolate. */
export function once<Schema extends z.core.$ZodType>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => (made ??= make());
}

export function objectOnce<Shape extends z.core.$ZodLooseShape>(shape: () => Shape) {
  return once(() => z.object(shape()));
}

/** Keywords of JSON Schema that no check of zod gives. */
export interface Keywords {
  readonly description?: string;
  readonly format?: "date" | "date-time";
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
