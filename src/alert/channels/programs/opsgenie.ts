/** Opsgenie's Alert API: created, and closed by its alias. Pure. */
import type { ChannelOf } from "../../../config/config.ts";
import type { AlertEvent } from "../../alert-event.ts";
import { jsonLetter, subjectKey, type ChannelKind, type Letter, type Occasion } from "../../channel.ts";
import { cut } from "../../cut.ts";
import { linesOf, PLAIN, storyOf } from "../../story.ts";
import { isOver, type Severity } from "../../wording.ts";

export const opsgenie: ChannelKind<ChannelOf<"opsgenie">> = {
  bundles: false,
  render: ([event], channel, occasion) => render(event, channel, occasion),
  answers: { refused: [400, 413, 422] },
};

const LONGEST_MESSAGE = 130;
const LONGEST_ALIAS = 512;
const LONGEST_DESCRIPTION = 15_000;
const PRIORITIES: Readonly<Record<Severity, string>> = {
  critical: "P1",
  error: "P2",
  warning: "P3",
  info: "P5",
  good: "P5",
};

function render(event: AlertEvent | undefined, channel: ChannelOf<"opsgenie">, occasion: Occasion): Letter {
  if (event === undefined) throw new RangeError("no event to send");
  const story = storyOf(event, occasion);
  const alias = cut(subjectKey(event, occasion.title), LONGEST_ALIAS);
  const headers = { authorization: `GenieKey ${occasion.secretOf(channel.token)}` };
  const base = `${channel.endpoint}/v2/alerts`;
  const details = linesOf([...story.facts, ...story.more], PLAIN).join("\n");
  if (isOver(event))
    return jsonLetter(
      `${base}/${encodeURIComponent(alias)}/close?identifierType=alias`,
      { note: story.headline },
      headers,
    );
  return jsonLetter(
    base,
    {
      message: cut(story.headline, LONGEST_MESSAGE),
      alias,
      description: cut(`${story.headline}\n\n${details}`, LONGEST_DESCRIPTION),
      priority: PRIORITIES[story.severity],
      source: "Gatepulse",
      entity: event.gateway?.id ?? "",
      tags: [event.type],
      details: Object.fromEntries(story.links.map(({ label, url }) => [label, url])),
    },
    headers,
  );
}
