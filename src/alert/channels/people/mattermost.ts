/** Mattermost's incoming webhooks: an attachment in the color of the health. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import { posted, type ChannelKind } from "../../channel.ts";
import { cut } from "../../cut.ts";
import { HEX, MARKDOWN, type Message, wholeText } from "../../story.ts";

export const mattermost: ChannelKind<ChannelOf<"mattermost">> = {
  bundles: true,
  render: posted(bodyOf),
  answers: { goneWords: /web\.incoming_webhook\.invalid/ },
};

const LONGEST_TITLE = 300;
/** Older servers take no more. */
const LONGEST_TEXT = 4000;

function bodyOf(message: Message): unknown {
  const title = cut(message.title, LONGEST_TITLE);
  const text = wholeText(message, MARKDOWN, {
    limit: LONGEST_TEXT,
  });
  const url = message.stories[0]?.links[0]?.url;
  const shown = { color: HEX[message.severity], fallback: title, title, text };
  return { attachments: [url === undefined ? shown : { ...shown, title_link: url }] };
}
