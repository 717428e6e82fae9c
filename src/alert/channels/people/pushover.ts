/** Pushover's Message API. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import type { AlertEvent } from "../../alert-event.ts";
import { jsonLetter, type ChannelKind, type Letter, type Occasion } from "../../channel.ts";
import { cut } from "../../cut.ts";
import { messageOf, plainText } from "../../story.ts";
import type { Severity } from "../../wording.ts";

export const pushover: ChannelKind<ChannelOf<"pushover">> = {
  bundles: true,
  render,
  // It refuses every message with an unknown token or user.
  answers: { goneWords: /application token is invalid|user (?:identifier|key) is (?:not a valid|invalid)/ },
};

const LONGEST_TITLE = 250;
const LONGEST_TEXT = 1024;
const LONGEST_URL = 512;

/** 1 breaks quiet hours, -1 makes no sound. */
const PRIORITIES: Readonly<Record<Severity, number>> = {
  critical: 1,
  error: 1,
  warning: 0,
  info: -1,
  good: 0,
};

function render(events: readonly AlertEvent[], channel: ChannelOf<"pushover">, occasion: Occasion): Letter {
  const message = messageOf(events, occasion);
  const { title, severity, atMs, stories } = message;
  const link = stories[0]?.links[0];
  return jsonLetter("https://api.pushover.net/1/messages.json", {
    token: occasion.secretOf(channel.token),
    user: occasion.secretOf(channel.user),
    title: cut(title, LONGEST_TITLE),
    message: plainText(message, { limit: LONGEST_TEXT }) || cut(title, LONGEST_TEXT),
    priority: PRIORITIES[severity],
    timestamp: Math.floor(atMs / 1000),
    ...(link && link.url.length <= LONGEST_URL && { url: link.url, url_title: link.label }),
  });
}
