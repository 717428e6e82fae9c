/** Mail, as the platform's `send_email` binding takes it today: from, to, subject and text. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import { oneLine } from "../../../protocol/error-facts.ts";
import type { AlertEvent } from "../../alert-event.ts";
import { type ChannelKind, type Mail, type Occasion } from "../../channel.ts";
import { cut, joined, unlinked } from "../../cut.ts";
import { linesOf, MARKS, messageOf, type Markup, type Story } from "../../story.ts";

export const email: ChannelKind<ChannelOf<"email">> = {
  bundles: true,
  render: mailOf,
};

/** RFC 5322 has 998 for a line; more than this no program shows. */
const LONGEST_SUBJECT = 200;
/** Far below the 5 MiB that the platform sends. */
const LONGEST_TEXT = 200_000;

const PLAIN: Markup = {
  escape: (text) => text,
  quote: (text) => `"${unlinked(text)}"`,
  strong: (escaped) => escaped,
  link: ({ label, url }) => `${label}: ${url}`,
};

function mailOf(events: readonly AlertEvent[], { from, to }: ChannelOf<"email">, occasion: Occasion): Mail {
  const message = messageOf(events, occasion);
  const text = joined(message.stories.map(textOf), {
    separator: "\n\n\n",
    limit: LONGEST_TEXT,
    rest: message.words.alerts.rest,
  });
  return {
    type: "mail",
    from,
    to,
    // One line, so it cannot start another header.
    subject: cut(`${MARKS[message.severity]} ${message.title}`, LONGEST_SUBJECT),
    text: `${text}\n\n${oneLine(occasion.title)}\n`,
  };
}

const LONGEST_HEADLINE = 1000;

function textOf(story: Story): string {
  const links = story.links.map((link) => PLAIN.link(link));
  const parts = [
    [cut(story.headline, LONGEST_HEADLINE)],
    linesOf(story.facts, PLAIN),
    links,
    linesOf(story.more, PLAIN),
  ];
  return parts.flatMap((lines) => (lines.length === 0 ? [] : [lines.join("\n")])).join("\n\n");
}
