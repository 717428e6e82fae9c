/** The settings that all monitors have, and some that other levels share. Pure. Messages as in fields.ts. */
import * as z from "zod/mini";
import { MINUTE_MS } from "../domain/calendar.ts";
import { count, duration, id, later, longest, oneOrMany, orFalse, pattern, shortest } from "./fields.ts";

const MODEL_MEND = "write the model's id as the gateway lists it, like gpt-4o";
export const modelId = later(() =>
  z
    .string(MODEL_MEND)
    .check(shortest(1, MODEL_MEND), longest(200, MODEL_MEND), z.regex(/^[^\s\p{Cc}]*$/u, MODEL_MEND)),
);

const REMIND_MEND = 'write whole minutes from "5m" to "24h", like "4h", or false';
export const remindEvery = orFalse(duration(5 * MINUTE_MS, MINUTE_MS, REMIND_MEND));
const FLAPPING_MEND = "write a whole number from 1 to 60, or false, without quotes";
export const flapping = orFalse(count(1, 60, FLAPPING_MEND));

const FORMERLY_MEND = 'write the id that it had before, like "models" or "acme/models", or a list of such';
const formerId = later(() => pattern(/^[a-z0-9-]{1,40}(?:\/[a-z0-9-]{1,40})?$/, FORMERLY_MEND));

export const idField = later(() => ({ id: z.optional(id()) }));

export function everyField(defaultMs: number) {
  const mend = 'write whole minutes from "1m" to "24h", like "5m"';
  return { every: z._default(duration(MINUTE_MS, MINUTE_MS, mend), defaultMs) };
}

export const incidentFields = later(() => ({
  slowerThan: z.optional(duration(1, 1, 'write a duration from "1ms" to "24h", like "5s"')),
  open: z.optional(count(1, 100)),
  close: z.optional(count(1, 100)),
  remindEvery: z.optional(remindEvery),
  flapping: z.optional(flapping),
  formerly: z._default(oneOrMany(formerId(), z.array(formerId(), FORMERLY_MEND)), []),
}));
