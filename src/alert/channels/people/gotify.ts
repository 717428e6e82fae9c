/** Gotify: JSON to `/message` of its server. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import type { AlertEvent } from "../../alert-event.ts";
import { jsonLetter, type ChannelKind, type Letter, type Occasion } from "../../channel.ts";
import { messageOf, plainText } from "../../story.ts";
import type { Severity } from "../../wording.ts";

export const gotify: ChannelKind<ChannelOf<"gotify">> = {
  bundles: true,
  render,
};

/** From 8 on its app makes a sound, and from 4 on it shows the message. */
const PRIORITIES: Readonly<Record<Severity, number>> = {
  critical: 9,
  error: 8,
  warning: 5,
  info: 2,
  good: 5,
};
const LONGEST_TEXT = 8000;

function render(events: readonly AlertEvent[], channel: ChannelOf<"gotify">, occasion: Occasion): Letter {
  const message = messageOf(events, occasion);
  const url = message.stories[0]?.links[0]?.url;
  const body = {
    title: message.title,
    message: plainText(message, { limit: LONGEST_TEXT }) || message.title,
    priority: PRIORITIES[message.severity],
    ...(url !== undefined && { extras: { "client::notification": { click: { url } } } }),
  };
  const base = occasion.secretOf(channel.url).replace(/\/+$/, "");
  return jsonLetter(`${base}/message`, body, { "x-gotify-key": occasion.secretOf(channel.token) });
}
