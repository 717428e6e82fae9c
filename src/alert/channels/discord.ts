/** Discord's webhooks: one embed, and nobody is mentioned. Pure. */
import { instant } from "../../domain/calendar.ts";
import type { ChannelOf } from "../../config/config.ts";
import type { AlertEvent, Speaker } from "../alert-event.ts";
import { objectOf, jsonLetter, type Answer, type ChannelKind, type Meaning } from "../channel.ts";
import { joined } from "../cut.ts";
import type { Severity } from "../wording.ts";
import { briefOf, escapedWithin, linesOf, linksLine, messageOf, textOf, type Markup } from "../story.ts";

export const discord: ChannelKind<ChannelOf<"discord">> = {
  bundles: true,
  render: (events, { url }, occasion) => jsonLetter(occasion.secretOf(url), bodyOf(events, occasion)),
  meaning,
};

const LONGEST_TITLE = 256;
/** Of 4096: Discord allows 6000 characters in all texts together. */
const LONGEST_DESCRIPTION = 2500;

const COLORS: Readonly<Record<Severity, number>> = {
  critical: 0xcf222e,
  error: 0xbc4c00,
  warning: 0x9a6700,
  info: 0x0969da,
  good: 0x1a7f37,
};

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

function bodyOf(events: readonly AlertEvent[], speaker: Speaker): unknown {
  const { title: head, only, stories, severity, atMs } = messageOf(events, speaker);
  const url = only?.links[0]?.url;
  const parts =
    only === null
      ? stories.map((story) => briefOf(story, MARKUP))
      : [...linesOf(only.facts, MARKUP), linksLine(only, MARKUP)].filter((part) => part !== "");
  const separator = only === null ? "\n\n" : "\n";
  const description = joined(parts, { separator, limit: LONGEST_DESCRIPTION });
  const fields = only?.more.map((one) => ({ name: one.label, value: textOf(one, MARKUP) }));
  return {
    embeds: [
      {
        title: escapedWithin(head, LONGEST_TITLE, escape),
        ...(url !== undefined && { url }),
        ...(description !== "" && { description }),
        ...(fields !== undefined && { fields }),
        color: COLORS[severity],
        timestamp: instant(atMs),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

function meaning(answer: Answer): Meaning {
  const { code, retry_after: askedSeconds } = objectOf(answer);
  // Without Discord's own code it was something on the way, such as an edge that refuses this place.
  return { gone: typeof code === "number" ? [401, 403, 404] : [], askedSeconds };
}
