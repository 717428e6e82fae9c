/** A span for each incident that ended, as OTLP over HTTP. What `otlp` in the configuration makes of itself. */
import type { ChannelOf } from "../../../config/config.ts";
import { otlpHeaders, spanRequest } from "../../../formats/otlp.ts";
import { sha256Hex } from "../../../history/packing.ts";
import type { AlertEvent } from "../../alert-event.ts";
import { jsonLetter, type ChannelKind, type Letter, type Occasion } from "../../channel.ts";

export const otlp: ChannelKind<ChannelOf<"otlp">> = {
  bundles: false,
  render: ([event], channel, occasion) => render(event, channel, occasion),
  // https://opentelemetry.io/docs/specs/otlp/#failures-1: only 429, 502, 503 and 504 are tried again. A wrong key may be corrected.
  answers: { refused: [400, 404, 405, 413, 415, 500, 501] },
};

async function render(
  event: AlertEvent | undefined,
  { endpoint, secret }: ChannelOf<"otlp">,
  { secretOf, title }: Occasion,
): Promise<Letter> {
  const incident = event?.incident ?? null;
  // A test asks whether the address and the headers are right.
  const body =
    incident === null
      ? { resourceSpans: [] }
      : spanRequest(incident, await sha256Hex(incident.id, 24), title);
  return jsonLetter(`${endpoint}/v1/traces`, body, secret === undefined ? {} : otlpHeaders(secretOf(secret)));
}
