/** Makes schemas only when they are needed. Pure. */
import * as z from "zod/mini";

/** Makes the schema at the first call: what is made at import delays each new isolate. */
export function once<Schema extends z.core.$ZodType>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => (made ??= make());
}

export function objectOnce<Shape extends z.core.$ZodLooseShape>(shape: () => Shape) {
  return once(() => z.object(shape()));
}
