/** Your own webhooks, signed as Standard Webhooks ask. Pure, but for the signature. */
import * as z from "zod/mini";
import type { ChannelOf } from "../../../config/config.ts";
import { instant } from "../../../domain/calendar.ts";
import { once } from "../../../domain/schema.ts";
import { EVENT_REASONS, EVENT_TYPES } from "../../../domain/incident.ts";
import { modelsChangeSchema } from "../../../domain/model-watch.ts";
import { text, type Stored } from "../../../domain/stored.ts";
import {
  SCHEMA_VERSION,
  diagnosisSchema,
  incidentDocumentSchema,
  schemaVersion,
} from "../../../history/documents.ts";
import { completed } from "../../../protocol/causes.ts";
import { operatorOf, type AlertEvent } from "../../alert-event.ts";
import { hmacOf, jsonLetter, type ChannelKind, type Letter, type Occasion } from "../../channel.ts";

export const webhook: ChannelKind<ChannelOf<"webhook">> = {
  bundles: false,
  render,
  // Anything else may be the receiver's passing fault.
  answers: { refused: [] },
};

async function render(
  events: readonly AlertEvent[],
  channel: ChannelOf<"webhook">,
  occasion: Occasion,
): Promise<Letter> {
  const [event] = events;
  if (event === undefined) throw new RangeError("no event to send");
  const letter = jsonLetter(occasion.secretOf(channel.url), webhookBody(event));
  const keys = channel.secret.map((name) => signingKeyOf(occasion.secretOf(name)));
  const signature = await signatureHeaders({ id: event.id, body: letter.body }, occasion.nowMs, keys);
  return { ...letter, headers: { ...letter.headers, ...signature } };
}

/** The contract's body; `data` has more beside it. */
function webhookBody(event: AlertEvent): WebhookBody {
  return {
    schemaVersion: SCHEMA_VERSION,
    type: event.type,
    timestamp: instant(event.atMs),
    data: {
      eventId: event.id,
      reason: event.reason,
      incident: event.incident,
      gateway: event.gateway?.id ?? null,
      gatewayName: event.gateway?.name ?? null,
      monitor: event.monitor,
      diagnosis: event.diagnosis && completed(event.diagnosis, operatorOf(event)),
      models: event.models,
      lastTickAt: event.lastTickAtMs === null ? null : instant(event.lastTickAtMs),
      shard: event.shard,
      ...(event.pauses && {
        pauses: event.pauses.map(({ monitor, sinceMs, untilMs, by }) => {
          return { monitor, since: instant(sinceMs), until: untilMs === null ? null : instant(untilMs), by };
        }),
      }),
      report: event.report,
      url: event.url,
    },
  };
}

export const webhookBodySchema = /* @__PURE__ */ once(() =>
  z.object({
    schemaVersion: schemaVersion(),
    type: z.enum(EVENT_TYPES),
    timestamp: z.string(),
    data: z.object({
      eventId: z.string(),
      reason: z.nullable(z.enum(EVENT_REASONS)),
      incident: z.nullable(incidentDocumentSchema()),
      gateway: text(),
      gatewayName: text(),
      monitor: text(),
      diagnosis: z.nullable(diagnosisSchema()),
      models: z.nullable(modelsChangeSchema()),
      lastTickAt: text(),
      shard: z.nullable(z.int()),
      pauses: z.optional(
        z.array(z.object({ monitor: z.string(), since: z.string(), until: text(), by: text() })),
      ),
      report: text(),
      url: z.string(),
    }),
  }),
);

export type WebhookBody = Stored<typeof webhookBodySchema>;

export type SigningKey = Uint8Array<ArrayBuffer>;

/** @param secret `whsec_` and the standard, padded base64 of 24 to 64 bytes. */
export function signingKeyOf(secret: string): SigningKey {
  return Uint8Array.from(atob(secret.slice("whsec_".length)), (character) => character.charCodeAt(0));
}

/** The three headers, with a signature for each key, so that a secret can be rotated. @param nowMs the time of this try. */
export async function signatureHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  nowMs: number,
  keys: readonly SigningKey[],
): Promise<Readonly<Record<string, string>>> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = await Promise.all(keys.map((key) => hmacOf(key, `${id}.${timestamp}.${body}`)));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.map((one) => `v1,${one}`).join(" "),
  };
}
