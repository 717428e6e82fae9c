/** Web Push to one browser (RFC 8030), encrypted for it (RFC 8291) and signed with a VAPID key (RFC 8292). */
import { generateRequestDetails } from "web-push-neo";
import type { ChannelOf } from "../../../config/config.ts";
import { stableHash } from "../../../domain/schedule.ts";
import { oneLine } from "../../../protocol/error-facts.ts";
import { providerOf } from "../../../history/documents.ts";
import type { AlertEvent } from "../../alert-event.ts";
import { subjectKey, type ChannelKind, type Letter, type Occasion } from "../../channel.ts";
import { cut, utf8Bytes } from "../../cut.ts";
import { endState, isOver } from "../../wording.ts";
import { alertWords } from "../../words.ts";

export const push: ChannelKind<ChannelOf<"push">> = {
  bundles: false,
  render: async ([event], channel, occasion) => {
    if (event === undefined || channel.subscription === null) throw new Error("a push is for one browser");
    return sealed(event, channel.subscription, channel, occasion);
  },
  // RFC 8030, 7.3: the subscription has ended.
  answers: { gone: [404] },
};

/** A message has 4,096 bytes with what encryption adds, and each of the two texts a third at the most. */
const MOST_BYTES = 1000;
const DAY_S = 86_400;

async function sealed(
  event: AlertEvent,
  { endpoint, keys }: NonNullable<ChannelOf<"push">["subscription"]>,
  { publicKey, subject, secret }: ChannelOf<"push">,
  occasion: Occasion,
): Promise<Letter> {
  const { title } = occasion;
  const tag = subjectKey(event, "");
  const [said, site] = [stateOf(event, occasion), title].map((text) => cut(text, MOST_BYTES, utf8Bytes));
  const notification = { title: said, body: site, tag, url: event.url };
  const { headers, body } = await generateRequestDetails(
    { endpoint, keys: { ...keys } },
    JSON.stringify(notification),
    {
      TTL: DAY_S,
      urgency: isOver(event) ? "normal" : "high",
      // An older message about the same thing that no browser has fetched is replaced.
      topic: stableHash(tag).toString(36),
      vapidDetails: { subject, publicKey, privateKey: occasion.secretOf(secret) },
    },
  );
  const { "Content-Length": _, ...others } = headers;
  const named = Object.entries(others).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    type: "http",
    method: "POST",
    url: endpoint,
    headers: Object.fromEntries(named),
    body: "",
    bytes: Uint8Array.from(body ?? []),
  };
}

/** With nothing that a page of health alone hides: no cause, and no provider. */
function stateOf(event: AlertEvent, { language, title }: Occasion): string {
  const { type, incident, gateway } = event;
  const words = alertWords(language);
  const { alerts, shown, colon, tag } = words;
  if (incident === null) return alerts.subscribed;
  const name = providerOf(incident, tag)?.gateways ?? gateway?.name ?? title;
  const parts =
    type === "incident.resolved" ? [endState(event, incident, words), name] : [name, shown[incident.health]];
  return oneLine(parts.join(colon));
}
