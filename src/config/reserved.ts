/**
 * Words of the configuration that belong to capabilities to come. They are refused as such, never taken in
 * silence: a setting without an effect is worse than an error. Pure.
 */

/** Of gateways. */
export const RESERVED_KEYS: readonly string[] = ["regions"];
