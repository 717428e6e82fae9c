/** Slack's incoming webhooks: Block Kit. Pure. */
import type { ChannelOf } from "../../config/config.ts";
import type { AlertEvent, Speaker } from "../alert-event.ts";
import { jsonLetter, type ChannelKind } from "../channel.ts";
import { joined, restWords } from "../cut.ts";
import { briefOf, escapedWithin, linesOf, MARKS, messageOf, type Markup, type Story } from "../story.ts";

export const slack: ChannelKind<ChannelOf<"slack">> = {
  bundles: true,
  render: (events, { url }, occasion) => jsonLetter(occasion.secretOf(url), bodyOf(events, occasion)),
  meaning: ({ body }) => ({ gone: GONE_WORDS.test(body) ? [400, 403, 404] : [403, 404] }),
};

const LONGEST_HEADER = 150;
const LONGEST_SECTION = 3000;
const LONGEST_FALLBACK = 1000;
/** Slack allows 50 blocks, but nobody would read that many. */
const MOST_EVENTS = 20;

/** Slack's own three characters; the rest of its markup needs a tag, or is kept from strangers' text by code. */
function escape(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? "");
}
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

const MARKUP: Markup = {
  escape,
  quote: (text) => `\`${escape(text.replaceAll("`", "'"))}\``,
  strong: (escaped) => `*${escaped.replaceAll("*", "")}*`,
  link: ({ label, url }) => `<${escape(url)}|${label}>`,
  time: (atMs, words) => `<!date^${Math.floor(atMs / 1000)}^{date_short_pretty} {time_secs}|${words}>`,
};

function bodyOf(events: readonly AlertEvent[], speaker: Speaker): unknown {
  const { title, severity, only, stories } = messageOf(events, speaker);
  const head = `${MARKS[severity]} ${title}`;
  const header = escapedWithin(head, LONGEST_HEADER, escape);
  return {
    text: escapedWithin(head, LONGEST_FALLBACK, escape),
    unfurl_links: false,
    blocks: [
      { type: "header", text: { type: "plain_text", text: header, emoji: false } },
      ...(only === null ? briefBlocks(stories) : blocksOf(only)),
    ],
  };
}

function blocksOf(story: Story): readonly unknown[] {
  const [lines, more] = [linesOf(story.facts, MARKUP), linesOf(story.more, MARKUP)];
  const links = story.links.map((link) => mrkdwn(MARKUP.link(link)));
  return [
    ...(lines.length === 0 ? [] : [section(lines)]),
    ...(links.length === 0 ? [] : [{ type: "context", elements: links }]),
    ...(more.length === 0 ? [] : [{ type: "context", elements: [linesText(more)] }]),
  ];
}

function briefBlocks(stories: readonly Story[]): readonly unknown[] {
  const rest = stories.length - MOST_EVENTS;
  return [
    ...stories.slice(0, MOST_EVENTS).map((story) => section(briefOf(story, MARKUP).split("\n"))),
    ...(rest > 0 ? [section([restWords(rest)])] : []),
  ];
}

function section(lines: readonly string[]): unknown {
  return { type: "section", text: linesText(lines) };
}

function linesText(lines: readonly string[]): unknown {
  return mrkdwn(joined(lines, { separator: "\n", limit: LONGEST_SECTION }));
}

/** `verbatim`: no address or name in it is made a link. */
function mrkdwn(content: string): unknown {
  return { type: "mrkdwn", text: content, verbatim: true };
}

/** Words of a 400 that mean that the address no longer leads anywhere, for any message. */
const GONE_WORDS =
  /\b(?:no_service|no_service_id|no_team|no_active_hooks|invalid_token|team_disabled|user_not_found|channel_not_found|channel_is_archived|action_prohibited|posting_to_general_channel_denied)\b/;
