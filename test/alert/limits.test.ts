/** Whatever the event, each message is within the limits of its service, and is what the service can read. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { channelKind } from "../../src/alert/channels.ts";
import { anyEvent, anyEvents, anyTitle, fullest } from "./any-event.ts";
import { CHANNELS, entryOf, KINDS, SECRETS, shown } from "./channel-configs.ts";
import type { Body } from "./kinds/entry.ts";
import { PEOPLE } from "./kinds/people.ts";
import { occasion, opened } from "./telling.ts";
import { rounds, spread } from "../extent.ts";

test.each(KINDS)("%s", async (kind) => {
  const [channel, judge, isBundling] = [CHANNELS[kind], entryOf(kind).judge, kind in PEOPLE];
  const render = async (events: readonly AlertEvent[], title: string): Promise<void> => {
    judge(await channelKind(channel).render(events, channel, occasion(SECRETS, { title })));
  };
  for (const event of fullest) await render([event], "&".repeat(120));
  for (const event of isBundling ? spread(fullest, 5) : []) {
    const many = Array.from({ length: 200 }, () => event);
    await render(many, "x");
  }
  const events = isBundling ? anyEvents : anyEvent.map((event) => [event]);
  await fc.assert(fc.asyncProperty(events, anyTitle, render), { numRuns: rounds(6, 60) });
});

test.each(Object.keys(PEOPLE) as (keyof typeof PEOPLE)[])(
  "%s: the incident's id is told, however long all else is",
  async (kind) => {
    const channel = CHANNELS[kind];
    for (const event of fullest) {
      const rendered = await channelKind(channel).render([event], channel, occasion(SECRETS));
      // No link of these events has it.
      expect(JSON.stringify(rendered)).toContain("acme.models-20261120t120000z");
    }
  },
);

test("a card has twenty events, and counts all that it leaves out", async () => {
  const many = Array.from({ length: 25 }, () => opened());
  const sizeAndEnd = ({ attachments }: Body): string => {
    const { body } = attachments[0].content;
    return `${body.length} blocks: ${body.at(-1).text}`;
  };
  // With its head.
  expect(await shown("teams", many, sizeAndEnd)).toBe("22 blocks: … and 5 more");
});
