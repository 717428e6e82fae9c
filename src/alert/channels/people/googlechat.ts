/** Google Chat's incoming webhooks: a text in its own markup. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import { posted, type ChannelKind } from "../../channel.ts";
import { unlinked, wide } from "../../cut.ts";
import { escapedWithin, MARKS, type Markup, type Message, wholeText } from "../../story.ts";

export const googlechat: ChannelKind<ChannelOf<"googlechat">> = {
  bundles: true,
  render: posted(bodyOf),
  // The webhook, or its space, was deleted.
  answers: { gone: [403, 404], code: "/error/code" },
};

const LONGEST_TEXT = 4096;
const LONGEST_HEAD = 400;

const MARKUP: Markup = {
  escape: wide,
  quote: (text) => wide(unlinked(text)),
  strong: (escaped) => `*${escaped}*`,
  link: ({ label, url }) => `<${url.replaceAll("|", "%7C").replaceAll(">", "%3E")}|${label}>`,
};

function bodyOf(message: Message): unknown {
  const { title, severity } = message;
  const head = `${MARKUP.strong(escapedWithin(`${MARKS[severity]} ${title}`, LONGEST_HEAD, wide))}\n\n`;
  return {
    text:
      head +
      wholeText(message, MARKUP, {
        limit: LONGEST_TEXT - head.length,
      }),
  };
}
