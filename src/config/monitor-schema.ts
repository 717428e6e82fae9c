/** The shape of monitors: the list of models, and canaries. Pure. Messages as in fields.ts. */
import * as z from "zod/mini";
import { MINUTE_MS } from "../domain/calendar.ts";
import { CANARY_SCHEMAS } from "./canary-schema.ts";
import { MONITOR_KINDS, type MonitorKind } from "./config.ts";
import { chosen, later, longest } from "./fields.ts";
import { everyField, idField, incidentFields, modelId } from "./monitor-fields.ts";

const KINDS = {
  models: later(() =>
    z.strictObject({
      kind: z.literal("models"),
      ...idField(),
      ...everyField(MINUTE_MS),
      expect: z._default(
        z
          .array(modelId(), 'write a list of model ids, like ["gpt-4o"]')
          .check(longest(100, "name at most 100")),
        [],
      ),
      ...incidentFields(),
    }),
  ),
  ...CANARY_SCHEMAS,
} satisfies Record<MonitorKind, unknown>;

/** Where the kind is none of them, only what all have in common can be judged. Nothing passes it. */
const anyKind = later(() =>
  z.object(
    {
      kind: z.enum(MONITOR_KINDS as unknown as never[], `write one of: ${MONITOR_KINDS.join(", ")}`),
      ...idField(),
      ...everyField(MINUTE_MS),
      ...incidentFields(),
    },
    'write an object like { kind: "models", every: "1m" }',
  ),
);

export const monitor = chosen((value) => schemaOf((value as { kind?: unknown } | null)?.kind) ?? anyKind());

function schemaOf(kind: unknown) {
  return MONITOR_KINDS.some((name) => name === kind) ? KINDS[kind as MonitorKind]() : null;
}

/** The settings of a monitor of this kind; none if there is no such kind. */
export function monitorKeys(kind: unknown): readonly string[] {
  return Object.keys(schemaOf(kind)?.shape ?? {});
}

/** The kinds of monitors that have this setting. */
export function kindsWith(key: string): readonly MonitorKind[] {
  return MONITOR_KINDS.filter((kind) => Object.hasOwn(KINDS[kind]().shape, key));
}
