/** Discord's webhooks: one embed, and nobody is mentioned. Pure. */
import { instant } from "../../domain/calendar.ts";
import type { ChatChannel } from "../../config/config.ts";
import type { AlertEvent } from "../alert-event.ts";
import { objectOf, secretLetter, type Answer, type ChannelKind, type Meaning } from "../channel.ts";
import { joined } from "../cut.ts";
import { type Severity, severityOf, worstOf } from "../severity.ts";
import { briefOf, escapedWithin, linksLine, storyOf, textOf, type Markup, type Story } from "../story.ts";
import { headlineOfAll } from "../wording.ts";

export const discord: ChannelKind<ChatChannel> = {
  bundles: true,
  render: (events, { urlSecret }, occasion) =>
    secretLetter(urlSecret, occasion, bodyOf(events, occasion.title)),
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
  const worst = worstOf(events);
  const stories = events.map((event) => storyOf(event, title));
  const [first] = stories;
  const url = first?.links[0]?.url;
  const head = escapedWithin(headlineOfAll(events, title), LONGEST_TITLE, escape);
  return {
    embeds: [
      {
        title: head,
        ...(url !== undefined && stories.length === 1 && { url }),
        ...(stories.length === 1 && first !== undefined ? contentOf(first) : briefContent(stories)),
        ...(worst !== null && { color: COLORS[severityOf(worst)], timestamp: instant(worst.atMs) }),
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

function briefContent(stories: readonly Story[]): object {
  const briefs = stories.map((story) => briefOf(story, MARKUP));
  return { description: joined(briefs, { separator: "\n\n", limit: LONGEST_DESCRIPTION }) };
}

function meaning(answer: Answer): Meaning {
  const { code, retry_after: askedSeconds } = objectOf(answer);
  // Without Discord's own code it was something on the way, such as an edge that refuses this place.
  return { gone: typeof code === "number" ? [401, 403, 404] : [], askedSeconds };
}
