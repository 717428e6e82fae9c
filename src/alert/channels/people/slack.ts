/** Slack's incoming webhooks: Block Kit. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import { type ChannelKind, posted } from "../../channel.ts";
import { say } from "../../../domain/language/words.ts";
import { joined, withEntities } from "../../cut.ts";
import {
  briefsOf,
  escapedWithin,
  linesOf,
  MARKS,
  type Markup,
  type Message,
  type Story,
} from "../../story.ts";
import type { AlertWords } from "../../words.ts";

export const slack: ChannelKind<ChannelOf<"slack">> = {
  bundles: true,
  render: posted(bodyOf),
  answers: {
    gone: [403, 404],
    // The address no longer leads anywhere, for any message.
    goneWords:
      /\b(?:no_service|no_service_id|no_team|no_active_hooks|invalid_token|team_disabled|user_not_found|channel_not_found|channel_is_archived|action_prohibited|posting_to_general_channel_denied)\b/,
  },
};

const LONGEST_HEADER = 150;
const LONGEST_SECTION = 3000;
const LONGEST_FALLBACK = 1000;
/** Slack allows 50 blocks, but nobody would read that many. */
const MOST_EVENTS = 20;

/** Slack's own three characters; the rest of its markup needs a tag, or is kept from strangers' text by code. */
const escape = (text: string): string => withEntities(text, /[&<>]/g);

const MARKUP: Markup = {
  escape,
  quote: (text) => `\`${escape(text.replaceAll("`", "'"))}\``,
  strong: (escaped) => `*${escaped.replaceAll("*", "")}*`,
  link: ({ label, url }) => `<${escape(url)}|${label}>`,
  time: (atMs, words) => `<!date^${Math.floor(atMs / 1000)}^{date_short_pretty} {time_secs}|${words}>`,
};

function bodyOf({ title, severity, only, stories, words }: Message): unknown {
  const head = `${MARKS[severity]} ${title}`;
  const header = escapedWithin(head, LONGEST_HEADER, escape);
  return {
    text: escapedWithin(head, LONGEST_FALLBACK, escape),
    unfurl_links: false,
    blocks: [
      { type: "header", text: { type: "plain_text", text: header, emoji: false } },
      ...(only === null ? briefBlocks(stories, words) : blocksOf(only)),
    ],
  };
}

function blocksOf(story: Story): readonly unknown[] {
  const { words } = story;
  const [lines, more] = [linesOf(story.facts, MARKUP), linesOf(story.more, MARKUP)];
  const links = story.links.map((link) => mrkdwn(MARKUP.link(link)));
  return [
    ...(lines.length === 0 ? [] : [section(lines, words)]),
    ...(links.length === 0 ? [] : [{ type: "context", elements: links }]),
    ...(more.length === 0 ? [] : [{ type: "context", elements: [linesText(more, words)] }]),
  ];
}

function briefBlocks(stories: readonly Story[], words: AlertWords): readonly unknown[] {
  const rest = stories.length - MOST_EVENTS;
  return [
    ...briefsOf(stories.slice(0, MOST_EVENTS), MARKUP).map((brief) => section(brief.split("\n"), words)),
    ...(rest > 0 ? [section([say(words.alerts.rest, rest)], words)] : []),
  ];
}

function section(lines: readonly string[], words: AlertWords): unknown {
  return { type: "section", text: linesText(lines, words) };
}

function linesText(lines: readonly string[], { alerts }: AlertWords): unknown {
  return mrkdwn(joined(lines, { separator: "\n", limit: LONGEST_SECTION, rest: alerts.rest }));
}

/** `verbatim`: no address or name in it is made a link. */
function mrkdwn(content: string): unknown {
  return { type: "mrkdwn", text: content, verbatim: true };
}
