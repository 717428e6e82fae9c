/** ntfy: JSON to the root of its server. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import { TOPIC_PATH } from "../../../config/secrets.ts";
import type { AlertEvent } from "../../alert-event.ts";
import { bearerHeader, jsonLetter, type ChannelKind, type Letter, type Occasion } from "../../channel.ts";
import { cut, utf8Bytes } from "../../cut.ts";
import type { Severity } from "../../wording.ts";
import { type Message, messageOf, plainText } from "../../story.ts";

export const ntfy: ChannelKind<ChannelOf<"ntfy">> = {
  bundles: true,
  render,
};

const LONGEST_TITLE = 200;
/** A message of 4096 bytes is made a file, and a request of 8192 is refused: what JSON escapes has room in it. */
const MOST_MESSAGE_BYTES = 3800;

/** Tags that ntfy shows as pictures. */
const LOOKS: Readonly<Record<Severity, { readonly priority: number; readonly tags: readonly [string] }>> = {
  critical: { priority: 5, tags: ["rotating_light"] },
  error: { priority: 4, tags: ["no_entry"] },
  warning: { priority: 3, tags: ["warning"] },
  info: { priority: 2, tags: ["information_source"] },
  good: { priority: 3, tags: ["white_check_mark"] },
};

function render(events: readonly AlertEvent[], channel: ChannelOf<"ntfy">, occasion: Occasion): Letter {
  const { origin, pathname } = new URL(occasion.secretOf(channel.url));
  const [, root = "", topic] = TOPIC_PATH.exec(pathname) ?? [];
  const headers = bearerHeader(channel.token, occasion);
  return jsonLetter(`${origin}${root}`, { topic, ...bodyOf(messageOf(events, occasion)) }, headers);
}

function bodyOf(message: Message): object {
  const { title: head, severity, stories, only } = message;
  const text = plainText(message, { limit: MOST_MESSAGE_BYTES, measure: utf8Bytes });
  const shown = cut(head, LONGEST_TITLE, utf8Bytes);
  const click = stories[0]?.links[0]?.url;
  const others = only?.links.slice(1) ?? [];
  return {
    title: shown,
    message: text === "" ? shown : text,
    tags: LOOKS[severity].tags,
    priority: LOOKS[severity].priority,
    ...(click !== undefined && { click }),
    ...(others.length > 0 && { actions: others.map(({ label, url }) => ({ action: "view", label, url })) }),
  };
}
