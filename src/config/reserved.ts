/**
 * Words of the configuration that belong to capabilities to come. They are refused as such, never taken in
 * silence: a setting without an effect is worse than an error. Pure.
 */

export type Level = "root" | "gateway" | "monitor" | "maintenance" | "channel" | "only" | "other";

export const RESERVED_KEYS: Readonly<Record<Level, readonly string[]>> = {
  root: ["language"],
  gateway: ["regions"],
  monitor: [
    "model",
    "stream",
    "perDay",
    "path",
    "body",
    "headers",
    "pointers",
    "retry",
    "deadline",
    "prices",
    "warnBelow",
  ],
  maintenance: [],
  channel: [],
  only: [],
  other: [],
};

/** Kinds of monitors. */
export const RESERVED_KINDS: readonly string[] = [
  "chat",
  "messages",
  "embeddings",
  "image",
  "video",
  "console",
  "http",
];
