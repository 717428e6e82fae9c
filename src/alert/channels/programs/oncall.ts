/** Grafana OnCall's formatted webhook. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import type { AlertEvent } from "../../alert-event.ts";
import { jsonLetter, subjectKey, type ChannelKind, type Letter, type Occasion } from "../../channel.ts";
import { linesOf, PLAIN, storyOf } from "../../story.ts";
import { isOver } from "../../wording.ts";

export const oncall: ChannelKind<ChannelOf<"oncall">> = {
  bundles: false,
  render: ([event], channel, occasion) => render(event, channel, occasion),
};

function render(event: AlertEvent | undefined, channel: ChannelOf<"oncall">, occasion: Occasion): Letter {
  if (event === undefined) throw new RangeError("no event to send");
  const { headline, facts, links, more } = storyOf(event, occasion);
  return jsonLetter(occasion.secretOf(channel.url), {
    alert_uid: subjectKey(event, occasion.title),
    title: headline,
    state: isOver(event) ? "ok" : "alerting",
    ...(links[0] && { link_to_upstream_details: links[0].url }),
    message: linesOf([...facts, ...more], PLAIN).join("\n"),
  });
}
