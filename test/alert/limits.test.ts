/** Whatever the event, each message is within the limits of its service, and is what the service can read. */
import { expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { channelKind } from "../../src/alert/channels.ts";
import { EVENT_TYPES } from "../../src/domain/incident.ts";
import { MAX_NAME_LENGTH } from "../../src/protocol/error-facts.ts";
import { CHANNELS, entryOf, KINDS, SECRETS, shown } from "./channel-configs.ts";
import type { Body } from "./kinds/entry.ts";
import { PEOPLE } from "./kinds/people.ts";
import { failure, incident, occasion, opened, upstreamFails } from "./telling.ts";
import { spread } from "../extent.ts";

/** What a service counts or escapes most, or cannot read as it is. */
const FILLS = [
  ...Array.from('&<"*`\\_~|界🚀'),
  "://",
  "<!channel>",
  "[click](https://evil.example)",
  "\r\nBcc: all@evil.example\r\n\r\n",
  "\u2028\u202e\u0000",
  "\ud800",
  "e\u0301",
  "👨‍👩‍👧‍👦",
];

/** All that an event can have, each text as long as it gets. */
const FULLEST: readonly AlertEvent[] = FILLS.flatMap((fill) => [
  fullOf(fill, "/incidents/1"),
  fullOf(fill, `https://status.acme.example/${"&".repeat(470)}`),
  fullOf(fill, `https://status.acme.example/${"(".repeat(470)}`),
]);

const WITH_MODELS = FILLS.map((fill) => {
  const ids = Array<string>(20).fill(fill.repeat(500));
  return Object.assign(fullOf(fill, "/incidents/1"), {
    models: { vanished: ids, returned: ids, missing: ids },
  });
});

const NOTHING = { reason: null, gateway: null, canary: null, incident: null, diagnosis: null, models: null };
const EMPTIEST = EVENT_TYPES.map((type) => opened({ ...NOTHING, type, report: null }));

function fullOf(fill: string, path: string): AlertEvent {
  const long = fill.repeat(2000);
  // The advice is our own; a stranger's is only the id of a request.
  const advice = `Find request ${fill.repeat(MAX_NAME_LENGTH)} in its log.`;
  const advised = failure("opened", "2026-11-20T12:00:00.000Z", "timeout", "operator", "blocked", advice);
  const later = failure("updated", "2026-11-20T12:10:00.000Z", "timeout", "operator", "blocked", advice);
  return opened({
    type: "incident.updated",
    gateway: { id: "acme", name: long, monitors: 1 },
    incident: incident({
      health: "blocked",
      monitors: [long, long],
      timeline: [advised, later],
    }),
    diagnosis: upstreamFails({
      message: long,
      requestId: long,
      errorCode: long,
      retry: { allowed: true, afterSeconds: 90, hint: null },
    }),
    url: path,
    report: path,
  });
}

test.each(KINDS)("%s", async (kind) => {
  const [channel, judge] = [CHANNELS[kind], entryOf(kind).judge];
  const render = async (events: readonly AlertEvent[], title: string): Promise<void> => {
    judge(await channelKind(channel).render(events, channel, occasion(SECRETS, { title })));
  };
  for (const event of [...FULLEST, ...WITH_MODELS, ...EMPTIEST]) await render([event], "&".repeat(120));
  if (!(kind in PEOPLE)) return;
  for (const event of spread(FULLEST, 5)) await render(Array<AlertEvent>(200).fill(event), "x");
  await render([...EMPTIEST, ...FULLEST], "x");
});

test.each(Object.keys(PEOPLE) as (keyof typeof PEOPLE)[])(
  "%s: the incident's id is told, however long all else is",
  async (kind) => {
    const channel = CHANNELS[kind];
    for (const event of FULLEST) {
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
