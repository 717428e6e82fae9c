/** PagerDuty's Events API v2; one event each. Pure. */
import { say } from "../../../domain/language/words.ts";
import type { ChannelOf } from "../../../config/config.ts";
import { instant } from "../../../domain/calendar.ts";
import { oneLine } from "../../../protocol/error-facts.ts";
import type { AlertEvent, Speaker } from "../../alert-event.ts";
import { jsonLetter, subjectKey, type ChannelKind, type Letter, type Occasion } from "../../channel.ts";
import { cut, unlinked } from "../../cut.ts";
import { storyOf } from "../../story.ts";
import { isOver, severityOf } from "../../wording.ts";

export const pagerduty: ChannelKind<ChannelOf<"pagerduty">> = {
  bundles: false,
  render: ([event], channel, occasion) => render(event, channel, occasion),
  // PagerDuty refuses every message with an unknown key.
  answers: { goneWords: /routing.?key/i },
};

function render(event: AlertEvent | undefined, channel: ChannelOf<"pagerduty">, occasion: Occasion): Letter {
  if (event === undefined) throw new RangeError("no event to send");
  const routingKey = occasion.secretOf(channel.routingKey);
  const key = cut(subjectKey(event, occasion.title), LONGEST_KEY);
  const envelope = { routing_key: routingKey, dedup_key: key };
  return jsonLetter(
    `${channel.endpoint}/v2/enqueue`,
    isOver(event)
      ? { ...envelope, event_action: "resolve" }
      : { ...envelope, event_action: "trigger", ...triggerOf(event, occasion) },
  );
}

const LONGEST_KEY = 255;

const LONGEST_SUMMARY = 1024;

function triggerOf(event: AlertEvent, speaker: Speaker): object {
  const { headline, facts, links, more, words } = storyOf(event, speaker);
  const severity = severityOf(event);
  const summary = event.type === "test" ? say(words.alerts.resolve, headline) : headline;
  return {
    payload: {
      summary: cut(summary, LONGEST_SUMMARY),
      source: event.gateway?.id ?? (oneLine(speaker.title) || "gatepulse"),
      severity: severity === "good" ? "info" : severity,
      timestamp: instant(event.atMs),
      ...(event.monitor !== null && { component: event.monitor }),
      class: event.incident?.cause ?? event.type,
      custom_details: {
        // Shown as text in which addresses are links.
        ...Object.fromEntries(
          [...Map.groupBy([...facts, ...more], ({ label }) => label)].map(([label, alike]) => [
            label,
            alike.map(({ text, quote }) => (quote ? unlinked(text) : text)).join("\n"),
          ]),
        ),
        Event: event.id,
      },
    },
    links: links.map(({ label, url }) => ({ href: url, text: label })),
  };
}
