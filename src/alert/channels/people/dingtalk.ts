/** DingTalk's custom robots: Markdown. Pure, but for the signature. */
import type { ChannelOf } from "../../../config/config.ts";
import type { AlertEvent } from "../../alert-event.ts";
import { hmacOf, jsonLetter, type ChannelKind, type Letter, type Occasion } from "../../channel.ts";
import { cut, utf8Bytes, wide } from "../../cut.ts";
import { HEX, MARKDOWN, type Message, messageOf, wholeText } from "../../story.ts";

export const dingtalk: ChannelKind<ChannelOf<"dingtalk">> = {
  bundles: true,
  render,
  answers: {
    inside: {
      at: "/errcode",
      // The group was dissolved; the token or the robot does not exist; the robot is disabled.
      gone: [300_001, 300_005, 400_013, 400_101, 400_102, 400_106],
      busy: [-1, 90_030, 130_101, 410_100],
    },
  },
};

const LONGEST_HEAD = 200;
/** A request has 20 kB, and JSON escapes. */
const MOST_BYTES = 12_000;

async function render(
  events: readonly AlertEvent[],
  { url, secret, keyword }: ChannelOf<"dingtalk">,
  occasion: Occasion,
): Promise<Letter> {
  const address = new URL(occasion.secretOf(url));
  if (secret !== undefined) {
    const { nowMs } = occasion;
    const key = occasion.secretOf(secret);
    address.searchParams.set("timestamp", String(nowMs));
    address.searchParams.set("sign", await hmacOf(new TextEncoder().encode(key), `${nowMs}\n${key}`));
  }
  const markdown = markdownOf(messageOf(events, occasion), keyword);
  return jsonLetter(address.href, { msgtype: "markdown", markdown });
}

function markdownOf(message: Message, keyword: string | undefined) {
  const title = cut(message.title, LONGEST_HEAD);
  const text = wholeText(message, MARKDOWN, {
    limit: MOST_BYTES,
    measure: utf8Bytes,
  });
  const head = `### <font color="${HEX[message.severity]}">${wide(title)}</font>`;
  // The service breaks a line only at an empty one.
  return { title, text: [head, ...text.split("\n"), keyword].filter(Boolean).join("\n\n") };
}
