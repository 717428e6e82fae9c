/** ServerChan: Markdown to the address with the SendKey. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import { posted, type ChannelKind } from "../../channel.ts";
import { cut, utf8Bytes } from "../../cut.ts";
import { MARKDOWN, MARKS, type Message, wholeText } from "../../story.ts";

export const serverchan: ChannelKind<ChannelOf<"serverchan">> = {
  bundles: true,
  render: posted(bodyOf),
  answers: { inside: { at: "/code", gone: [], busy: [] } },
};

const LONGEST_TITLE = 32;
const LONGEST_HEAD = 400;
/** Of 32 kB, as JSON escapes. */
const MOST_BYTES = 16_000;

function bodyOf(message: Message): unknown {
  const title = cut(message.title, LONGEST_HEAD);
  const text = wholeText(message, MARKDOWN, { limit: MOST_BYTES, measure: utf8Bytes });
  return {
    title: cut(`${MARKS[message.severity]} ${title}`, LONGEST_TITLE),
    // The title is cut short. The service breaks a line only at an empty one.
    desp: [MARKDOWN.strong(MARKDOWN.escape(title)), ...text.split("\n")].join("\n\n"),
  };
}
