/** ntfy: JSON to the root of its server. Pure. */
import type { NtfyChannel } from "../../config/config.ts";
import { noTopic, TOPIC_PATH } from "../../config/secrets.ts";
import type { AlertEvent } from "../alert-event.ts";
import {
  bearerHeader,
  isMisconfigured,
  jsonLetter,
  misconfigured,
  secretAddress,
  type ChannelKind,
  type Occasion,
  type Rendered,
} from "../channel.ts";
import { cut, joined, unlinked, utf8Bytes } from "../cut.ts";
import { type Severity, severityOf, worstOf } from "../severity.ts";
import { briefOf, linesOf, storyOf, type Markup } from "../story.ts";
import { headlineOfAll } from "../wording.ts";

export const ntfy: ChannelKind<NtfyChannel> = {
  bundles: true,
  render,
};

const LONGEST_TITLE = 200;
/** A message of 4096 bytes is made a file, and a request of 8192 is refused: what JSON escapes has room in it. */
const MOST_MESSAGE_BYTES = 3800;

const PRIORITIES: Readonly<Record<Severity, number>> = {
  critical: 5,
  error: 4,
  warning: 3,
  info: 2,
  good: 3,
};
/** Those that ntfy shows as a picture. */
const TAGS: Readonly<Record<Severity, string>> = {
  critical: "rotating_light",
  error: "no_entry",
  warning: "warning",
  info: "information_source",
  good: "white_check_mark",
};

/** Its messages are plain text unless they ask for more; its clients make links of addresses. */
const PLAIN: Markup = {
  escape: (text) => text,
  quote: unlinked,
  strong: (escaped) => escaped,
  link: ({ url }) => url,
};

function render(events: readonly AlertEvent[], channel: NtfyChannel, occasion: Occasion): Rendered {
  const address = secretAddress(channel.urlSecret, occasion);
  if (isMisconfigured(address)) return address;
  const headers = bearerHeader(channel.tokenSecret, occasion);
  if (isMisconfigured(headers)) return headers;
  const [, root = "", topic] = TOPIC_PATH.exec(address.pathname) ?? [];
  if (topic === undefined) return misconfigured(noTopic(channel.urlSecret));
  return jsonLetter(`${address.origin}${root}`, { topic, ...messageOf(events, occasion.title) }, headers);
}

function messageOf(events: readonly AlertEvent[], title: string): object {
  const stories = events.map((event) => storyOf(event, title));
  const [first] = stories;
  const isOne = stories.length === 1 && first !== undefined;
  const parts = isOne ? linesOf(first, PLAIN) : stories.map((story) => briefOf(story, PLAIN));
  const message = joined(parts, {
    separator: isOne ? "\n" : "\n\n",
    limit: MOST_MESSAGE_BYTES,
    measure: utf8Bytes,
  });
  const head = headlineOfAll(events, title);
  const worst = worstOf(events);
  const severity = worst === null ? "info" : severityOf(worst);
  const click = first?.links[0]?.url;
  const other = isOne ? first.links[1] : undefined;
  return {
    title: cut(head, LONGEST_TITLE, utf8Bytes),
    message: message === "" ? cut(head, LONGEST_TITLE, utf8Bytes) : message,
    tags: [TAGS[severity]],
    priority: PRIORITIES[severity],
    ...(click !== undefined && { click }),
    ...(other !== undefined && { actions: [{ action: "view", label: other.label, url: other.url }] }),
  };
}
