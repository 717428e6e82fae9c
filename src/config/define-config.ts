/** What you write in gatepulse.config.ts, or in a .json of the same shape: types for editors, made of the schema. */
import type * as z from "zod/mini";
import type { configSchema } from "./schema.ts";

export type ConfigInput = Written<z.input<typeof configSchema>>;
export type GatewayInput = ConfigInput["gateways"][number];
/** Each field holds the name of a secret where it says so, and never the secret. */
export type AlertInput = NonNullable<ConfigInput["alerts"]>[number];

/** With lists that may be constant. */
type Written<Input> = unknown extends Input
  ? Input
  : Input extends readonly (infer Item)[]
    ? readonly Written<Item>[]
    : Input extends object
      ? { [Key in keyof Input]: Written<Input[Key]> }
      : Input;

/** Gives an editor the types; the value passes through unchanged and is judged by `gatepulse check`. */
export function defineConfig(input: ConfigInput): ConfigInput {
  return input;
}
