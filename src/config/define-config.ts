/** What you write in gatepulse.config.ts, or in a .json of the same shape: types for editors, made of the schema. */
import type { written } from "./written.ts";

export type ConfigInput = Constant<ReturnType<typeof written>>;
export type GatewayInput = ConfigInput["gateways"][number];
/** Each field holds the name of a secret where it says so, and never the secret. */
export type AlertInput = NonNullable<ConfigInput["alerts"]>[number];

/** Gives an editor the types; the value passes through unchanged and is judged by `gatepulse check`. */
export function defineConfig(input: ConfigInput): ConfigInput {
  return input;
}

/** With nothing in it that could be changed. */
export type Constant<Of> = unknown extends Of
  ? Of
  : Of extends readonly (infer Item)[]
    ? readonly Constant<Item>[]
    : Of extends object
      ? { readonly [Key in keyof Of]: Constant<Of[Key]> }
      : Of;
