/** Bark: JSON to the address with the device's key. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import { posted, type ChannelKind } from "../../channel.ts";
import { cut, utf8Bytes } from "../../cut.ts";
import { type Message, plainText } from "../../story.ts";

export const bark: ChannelKind<ChannelOf<"bark">> = {
  bundles: true,
  render: posted(bodyOf),
};

const LONGEST_TITLE = 200;
/** Apple takes 4 kB with the title, the address and what JSON escapes. */
const MOST_BYTES = 1800;

function bodyOf(message: Message): unknown {
  const { title, severity, stories } = message;
  const url = stories[0]?.links[0]?.url;
  return {
    title: cut(title, LONGEST_TITLE, utf8Bytes),
    body: plainText(message, { limit: MOST_BYTES, measure: utf8Bytes }),
    level: severity === "critical" || severity === "error" ? "timeSensitive" : "active",
    group: "Gatepulse",
    ...(url !== undefined && { url }),
  };
}
