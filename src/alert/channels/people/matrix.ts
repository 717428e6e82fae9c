/** Matrix: a message of its Client-Server API (v3). A transaction has the id of its newest event, so that none comes twice. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import type { AlertEvent } from "../../alert-event.ts";
import { bearerHeader, jsonLetter, type ChannelKind, type Letter, type Occasion } from "../../channel.ts";
import { cut, unlinked, utf8Bytes, withEntities } from "../../cut.ts";
import { MARKS, type Markup, messageOf, PLAIN, wholeText } from "../../story.ts";

export const matrix: ChannelKind<ChannelOf<"matrix">> = {
  bundles: true,
  render,
};

/** An event has 65 kB with both texts. */
const MOST_BYTES = 12_000;
const LONGEST_HEAD = 400;

const escape = (text: string): string => withEntities(text, /[&<>"]/g);

const MARKUP: Markup = {
  escape,
  quote: (text) => escape(unlinked(text)),
  strong: (escaped) => `<b>${escaped}</b>`,
  link: ({ label, url }) => `<a href="${escape(url)}">${label}</a>`,
};

function render(events: readonly AlertEvent[], channel: ChannelOf<"matrix">, occasion: Occasion): Letter {
  const message = messageOf(events, occasion);
  const title = cut(`${MARKS[message.severity]} ${message.title}`, LONGEST_HEAD);
  const textIn = (markup: Markup): string => {
    const head = markup.strong(markup.escape(title));
    const text = wholeText(message, markup, {
      limit: MOST_BYTES,
      measure: utf8Bytes,
    });
    return `${head}\n${text}`.trimEnd();
  };
  const id = `${events.length}-${events.at(-1)?.id}`;
  const room = encodeURIComponent(channel.room);
  const path = `/_matrix/client/v3/rooms/${room}/send/m.room.message/${encodeURIComponent(id)}`;
  const content = {
    msgtype: "m.text",
    body: textIn(PLAIN),
    format: "org.matrix.custom.html",
    formatted_body: textIn(MARKUP).replaceAll("\n", "<br>"),
    // Otherwise a gateway's `@room` could notify everyone.
    "m.mentions": {},
  };
  const base = occasion.secretOf(channel.url).replace(/\/+$/, "");
  return { ...jsonLetter(base + path, content, bearerHeader(channel.token, occasion)), method: "PUT" };
}
