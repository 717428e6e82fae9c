/** The compiler resolves this type in its declaration, so that the declarations of the package need no zod. Never called. */
import { configSchema } from "./schema.ts";

export const written = () => configSchema._zod.input;
