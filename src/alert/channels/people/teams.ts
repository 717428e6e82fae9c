/** Teams' Workflows: an adaptive card. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import { type ChannelKind, posted } from "../../channel.ts";
import { say } from "../../../domain/language/words.ts";
import { fitting, unlinked, utf8Bytes } from "../../cut.ts";
import type { Severity } from "../../wording.ts";
import { briefsOf, escapedWithin, type Markup, type Message, type Story, textOf } from "../../story.ts";
import type { AlertWords } from "../../words.ts";

export const teams: ChannelKind<ChannelOf<"teams">> = {
  bundles: true,
  render: posted(bodyOf),
  // A flow that is switched off answers 400 too, and may be switched on again.
  answers: { gone: [404], passingWords: /NotEnabled|disabled|suspended/i },
};

const LONGEST_HEAD = 300;
/** The whole message has 28 kB. */
const MOST_BYTES_OF_EVENTS = 24_000;
const MOST_EVENTS = 20;

const COLORS: Readonly<Record<Severity, string>> = {
  critical: "attention",
  error: "warning",
  warning: "warning",
  info: "accent",
  good: "good",
};

/** What is markup in a TextBlock or a Fact. Both brackets: not every client of Teams honours a backslash. */
function escape(text: string): string {
  return text.replace(/[\\`*_~[\]()<>#|!]/g, String.raw`\$&`);
}

const MARKUP: Markup = {
  escape,
  // Clients make a link of every address that they see.
  quote: (text) => escape(unlinked(text)),
  strong: (escaped) => `**${escaped}**`,
  link: ({ label, url }) => `[${label}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`,
};

function bodyOf({ title: head, only, stories, severity, words }: Message): unknown {
  const links = only?.links ?? [];
  const content = {
    type: "AdaptiveCard",
    version: "1.4",
    body: [
      {
        ...textBlock(escapedWithin(head, LONGEST_HEAD, escape)),
        size: "Medium",
        weight: "Bolder",
        color: COLORS[severity],
      },
      ...(only === null ? briefBlocks(stories, words) : blocksOf(only)),
    ],
    actions: links.map(({ label, url }) => ({ type: "Action.OpenUrl", title: label, url })),
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content }],
  };
}

function blocksOf({ facts, more }: Story): readonly unknown[] {
  const shown = [...facts, ...more].map((one) => ({ title: one.label, value: textOf(one, MARKUP) }));
  return shown.length === 0 ? [] : [{ type: "FactSet", facts: shown }];
}

function briefBlocks(stories: readonly Story[], { alerts }: AlertWords): readonly unknown[] {
  // Two line ends are a new line here.
  const briefs = briefsOf(stories.slice(0, MOST_EVENTS), MARKUP);
  const blocks = briefs.map((brief) => textBlock(brief.replaceAll("\n", "\n\n")));
  const sizes = blocks.map((block) => utf8Bytes(JSON.stringify(block)) + 1);
  const count = fitting(sizes, MOST_BYTES_OF_EVENTS, 0);
  const rest = stories.length - count;
  return [...blocks.slice(0, count), ...(rest === 0 ? [] : [textBlock(say(alerts.rest, rest))])];
}

function textBlock(text: string): object {
  return { type: "TextBlock", text, wrap: true };
}
