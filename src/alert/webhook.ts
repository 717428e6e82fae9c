/** Webhooks for programs, signed as Standard Webhooks asks; one event each. Pure but for the signature. */
import type { WebhookChannel } from "../config/channels.ts";
import { formProblem, SIGNING_SECRET } from "../config/secret-forms.ts";
import { instant } from "../domain/calendar.ts";
import { SCHEMA_VERSION } from "../history/documents.ts";
import { withDocs } from "../protocol/cause-docs.ts";
import type { AlertEvent } from "./alert-event.ts";
import type { ChannelKind, Occasion, Rendered } from "./channel.ts";
import {
  isMisconfigured,
  jsonLetter,
  misconfigured,
  type Misconfigured,
  secretAddress,
  secretValue,
} from "./letter.ts";
import { reception } from "./reception.ts";
import { signatureHeaders, type SigningKey, signingKeyOf } from "./standard-webhooks.ts";
import type { WebhookBody } from "./webhook-body.ts";

export const webhook: ChannelKind<WebhookChannel> = {
  bundles: false,
  render,
  // Only 2xx is success, and 410 ends it; all else may be the receiver's passing fault.
  read: (answer, nowMs) => reception(answer, nowMs, { refused: [], gone: [] }),
};

async function render(
  events: readonly AlertEvent[],
  channel: WebhookChannel,
  occasion: Occasion,
): Promise<Rendered> {
  const [event] = events;
  if (event === undefined) return misconfigured("no event to tell of");
  const url = secretAddress(channel.urlSecret, occasion);
  if (isMisconfigured(url)) return url;
  const keys: SigningKey[] = [];
  for (const name of channel.signingSecrets) {
    const key = signingKey(name, occasion);
    if (isMisconfigured(key)) return key;
    keys.push(key);
  }
  const letter = jsonLetter(url.href, webhookBody(event));
  const signed = { id: event.id, nowMs: occasion.nowMs, body: letter.body };
  const signature = await signatureHeaders(signed, keys);
  return { ...letter, headers: { ...letter.headers, ...signature } };
}

/** The contract's body; `data` has more beside it. */
export function webhookBody(event: AlertEvent): WebhookBody {
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
      diagnosis: event.diagnosis && withDocs(event.diagnosis),
      models: event.models,
      lastTickAt: event.lastTickAtMs === null ? null : instant(event.lastTickAtMs),
      shard: event.shard,
      report: event.report,
      url: event.url,
    },
  };
}

function signingKey(name: string, occasion: Occasion): SigningKey | Misconfigured {
  const value = secretValue(name, occasion);
  if (typeof value !== "string") return value;
  return signingKeyOf(value) ?? misconfigured(formProblem(name, SIGNING_SECRET));
}
