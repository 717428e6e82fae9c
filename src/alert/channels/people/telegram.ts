/** Telegram's Bot API, `sendMessage` in its HTML. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import type { AlertEvent } from "../../alert-event.ts";
import { type ChannelKind, jsonLetter, type Letter, type Occasion } from "../../channel.ts";
import { withEntities } from "../../cut.ts";
import {
  escapedWithin,
  linesOf,
  linksLine,
  MARKS,
  type Markup,
  type Message,
  messageOf,
  type Story,
  textOfMessage,
} from "../../story.ts";

export const telegram: ChannelKind<ChannelOf<"telegram">> = {
  bundles: true,
  render,
  answers: {
    gone: [401, 403, 404],
    // They concern the chat, not the message.
    goneWords:
      /chat not found|group chat was upgraded|group is deactivated|not enough rights|have no rights|CHAT_WRITE_FORBIDDEN|CHANNEL_PRIVATE|user is deactivated|PEER_ID_INVALID/i,
    code: "/error_code",
    refusedWithoutCode: [413],
    wait: "/parameters/retry_after",
  },
};

/** Telegram counts what is left of the tags; here they count too. */
const LONGEST_TEXT = 4096;
const LONGEST_HEAD = 500;

const escape = (text: string): string => withEntities(text, /[&<>"]/g);

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
    text: textOf(messageOf(events, occasion)),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  });
}

function textOf(message: Message): string {
  const head = escapedWithin(`${MARKS[message.severity]} ${message.title}`, LONGEST_HEAD, escape);
  const start = `${MARKUP.strong(head)}\n\n`;
  return (
    start + textOfMessage(message, MARKUP, linesOfStory, { limit: LONGEST_TEXT - start.length })
  ).trimEnd();
}

function linesOfStory(story: Story): readonly string[] {
  const links = linksLine(story, MARKUP);
  return [
    ...linesOf(story.facts, MARKUP),
    ...(links === "" || links.length > LONGEST_TEXT / 2 ? [] : ["", links]),
    ...(story.more.length === 0 ? [] : ["", ...linesOf(story.more, MARKUP)]),
  ];
}
