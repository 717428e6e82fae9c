/** WeCom's group bots: Markdown. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import { posted, type ChannelKind } from "../../channel.ts";
import { cut, utf8Bytes, wide } from "../../cut.ts";
import { MARKDOWN, type Message, wholeText } from "../../story.ts";
import type { Severity } from "../../wording.ts";

export const wecom: ChannelKind<ChannelOf<"wecom">> = {
  bundles: true,
  render: posted(bodyOf),
  answers: { inside: { at: "/errcode", gone: [93_000], busy: [-1, 45_009] } },
};

const MOST_BYTES = 4096;
const MOST_HEAD_BYTES = 600;

/** Its own three: orange, grey and green. */
const COLORS: Readonly<Record<Severity, string>> = {
  critical: "warning",
  error: "warning",
  warning: "warning",
  info: "comment",
  good: "info",
};

function bodyOf(message: Message): unknown {
  const title = cut(wide(message.title), MOST_HEAD_BYTES, utf8Bytes);
  const head = `**<font color="${COLORS[message.severity]}">${title}</font>**\n`;
  const limit = MOST_BYTES - utf8Bytes(head);
  const content =
    head +
    wholeText(message, MARKDOWN, {
      limit,
      measure: utf8Bytes,
    });
  return { msgtype: "markdown", markdown: { content } };
}
