/** Telegram's Bot API, `sendMessage` in its HTML. Pure. */
import type { ChannelOf } from "../../config/config.ts";
import { asObject } from "../../protocol/json.ts";
import type { AlertEvent, Speaker } from "../alert-event.ts";
import {
  jsonLetter,
  objectOf,
  type Answer,
  type ChannelKind,
  type Meaning,
  type Occasion,
  type Letter,
} from "../channel.ts";
import { joined } from "../cut.ts";
import { briefOf, escapedWithin, linesOf, linksLine, MARKS, messageOf, type Markup } from "../story.ts";

export const telegram: ChannelKind<ChannelOf<"telegram">> = {
  bundles: true,
  render,
  meaning,
};

/** Telegram counts what is left of the tags; here they count too. */
const LONGEST_TEXT = 4096;
const LONGEST_HEAD = 500;

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const MARKUP: Markup = {
  escape,
  // Names, addresses and commands are no links in code.
  quote: (text) => `<code>${escape(text)}</code>`,
  strong: (escaped) => `<b>${escaped}</b>`,
  link: ({ label, url }) => `<a href="${escape(url)}">${label}</a>`,
};

function render(events: readonly AlertEvent[], channel: ChannelOf<"telegram">, occasion: Occasion): Letter {
  const token = occasion.secretOf(channel.token);
  return jsonLetter(`${channel.endpoint}/bot${token}/sendMessage`, {
    chat_id: channel.chat,
    text: textOfAll(events, occasion),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  });
}

function textOfAll(events: readonly AlertEvent[], speaker: Speaker): string {
  const { title, severity, stories, only } = messageOf(events, speaker);
  const head = MARKUP.strong(escapedWithin(`${MARKS[severity]} ${title}`, LONGEST_HEAD, escape));
  if (only === null) {
    const briefs = stories.map((story) => briefOf(story, MARKUP));
    return `${head}\n\n${joined(briefs, { separator: "\n\n", limit: LONGEST_TEXT - head.length - 2 })}`;
  }
  const links = linksLine(only, MARKUP);
  const more = linesOf(only.more, MARKUP);
  const lines = [
    head,
    "",
    ...linesOf(only.facts, MARKUP),
    ...(links === "" || links.length > LONGEST_TEXT / 2 ? [] : ["", links]),
    ...(more.length === 0 ? [] : ["", ...more]),
  ];
  return joined(lines, { separator: "\n", limit: LONGEST_TEXT }).trimEnd();
}

/** Errors that concern the chat, not the message. */
const GONE_WORDS =
  /chat not found|group chat was upgraded|group is deactivated|not enough rights|have no rights|CHAT_WRITE_FORBIDDEN|CHANNEL_PRIVATE|user is deactivated|PEER_ID_INVALID/i;

function meaning(answer: Answer): Meaning {
  const { description, parameters, error_code: code } = objectOf(answer);
  // A proxy on the way answered, not Telegram.
  if (typeof code !== "number") return { refused: [413] };
  const isChats = code === 400 && typeof description === "string" && GONE_WORDS.test(description);
  return {
    gone: isChats ? [answer.status] : [401, 403, 404],
    askedSeconds: asObject(parameters)?.["retry_after"],
  };
}
