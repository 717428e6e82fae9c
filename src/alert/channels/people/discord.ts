/** Discord's webhooks: one embed, and nobody is mentioned. Pure. */
import { instant } from "../../../domain/calendar.ts";
import type { ChannelOf } from "../../../config/config.ts";
import { type ChannelKind, posted } from "../../channel.ts";
import {
  escapedWithin,
  HEX,
  linesOf,
  linksLine,
  type Markup,
  type Message,
  type Story,
  textOf,
  textOfMessage,
} from "../../story.ts";

export const discord: ChannelKind<ChannelOf<"discord">> = {
  bundles: true,
  render: posted(bodyOf),
  answers: { gone: [401, 403, 404], code: "/code", wait: "/retry_after" },
};

const LONGEST_TITLE = 256;
/** Of 4096: Discord allows 6000 characters in all texts together. */
const LONGEST_DESCRIPTION = 2500;

/** A backslash before any punctuation is Discord's way to take it as text. */
function escape(text: string): string {
  return text.replace(/[\\`*_~|<>@#[\]()]/g, String.raw`\$&`);
}

const MARKUP: Markup = {
  escape,
  quote: (text) => `\`${text.replaceAll("`", "'")}\``,
  strong: (escaped) => `**${escaped}**`,
  link: ({ label, url }) => `[${label}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`,
  time: (atMs) => `<t:${Math.floor(atMs / 1000)}:f>`,
};

function bodyOf(message: Message): unknown {
  const { title, only, severity, atMs } = message;
  const url = only?.links[0]?.url;
  const lines = (story: Story) =>
    [...linesOf(story.facts, MARKUP), linksLine(story, MARKUP)].filter((line) => line !== "");
  const description = textOfMessage(message, MARKUP, lines, { limit: LONGEST_DESCRIPTION });
  const fields = only?.more.map((one) => ({ name: one.label, value: textOf(one, MARKUP) }));
  return {
    embeds: [
      {
        title: escapedWithin(title, LONGEST_TITLE, escape),
        ...(url !== undefined && { url }),
        ...(description !== "" && { description }),
        ...(fields !== undefined && { fields }),
        color: Number.parseInt(HEX[severity].slice(1), 16),
        timestamp: instant(atMs),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}
