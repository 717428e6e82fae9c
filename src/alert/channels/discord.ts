/** Discord's webhooks: one embed, and nobody is mentioned. Pure. */
import { instant } from "../../domain/calendar.ts";
import type { ChatChannel } from "../../config/config.ts";
import type { AlertEvent } from "../alert-event.ts";
import { objectOf, jsonLetter, type Answer, type ChannelKind, type Meaning } from "../channel.ts";
import { joined } from "../cut.ts";
import type { Severity } from "../wording.ts";
import {
  briefOf,
  escapedWithin,
  linksLine,
  messageOf,
  textOf,
  type Markup,
  type Message,
  type Story,
} from "../story.ts";

export const discord: ChannelKind<ChatChannel> = {
  bundles: true,
  render: (events, { urlSecret }, { secretOf, title }) =>
    jsonLetter(secretOf(urlSecret), bodyOf(events, title)),
  meaning,
};

const LONGEST_TITLE = 256;
const LONGEST_DESCRIPTION = 4096;

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
};

function bodyOf(events: readonly AlertEvent[], title: string): unknown {
  const message = messageOf(events, title);
  const { only, severity, atMs } = message;
  const url = only?.links[0]?.url;
  return {
    embeds: [
      {
        title: escapedWithin(message.title, LONGEST_TITLE, escape),
        ...(url !== undefined && { url }),
        ...(only === null ? briefContent(message) : contentOf(only)),
        color: COLORS[severity],
        timestamp: instant(atMs),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

/** All texts together may have 6000: these have less however long they are, as a test shows. */
function contentOf(story: Story): object {
  const parts = [...(story.note === null ? [] : [escape(story.note)]), linksLine(story, MARKUP)];
  const description = joined(
    parts.filter((part) => part !== ""),
    { separator: "\n", limit: LONGEST_DESCRIPTION },
  );
  const fields = story.facts.map((one) => ({ name: one.label, value: textOf(one, MARKUP) }));
  return { ...(description !== "" && { description }), fields };
}

function briefContent({ stories }: Message): object {
  const briefs = stories.map((story) => briefOf(story, MARKUP));
  return { description: joined(briefs, { separator: "\n\n", limit: LONGEST_DESCRIPTION }) };
}

function meaning(answer: Answer): Meaning {
  const { code, retry_after: askedSeconds } = objectOf(answer);
  // Without Discord's own code it was something on the way, such as an edge that refuses this place.
  return { gone: typeof code === "number" ? [401, 403, 404] : [], askedSeconds };
}
