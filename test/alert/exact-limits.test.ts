/** What fills a limit to its last character is sent whole; with one character more it is cut, and fills it again. */
import { expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { type Body, type CHANNELS, shown } from "./channel-configs.ts";
import { incident, opened, upstreamFails } from "./telling.ts";

type Kind = keyof typeof CHANNELS;
/** Where a message has the text. */
type Place = (body: Body) => string;

const slackSection: Place = ({ blocks }) => blocks[1].text.text;
const teamsHead: Place = ({ attachments }) => attachments[0].content.body[0].text;
const telegramHead: Place = ({ text }) => text.slice("<b>".length, text.indexOf("</b>"));

/** As the service counts. */
const sizeIn = (kind: Kind, text: string) =>
  kind === "ntfy" ? new TextEncoder().encode(text).length : text.length;

function named(length: number): AlertEvent {
  return opened({ gateway: { id: "acme", name: "x".repeat(length), monitors: 1 } });
}

function identified(length: number): AlertEvent {
  return opened({ incident: incident({ id: "x".repeat(length) }) });
}

test.each<[what: string, kind: Kind, limit: number, place: Place, event: (length: number) => AlertEvent]>([
  ["slack's header", "slack", 150, ({ blocks }) => blocks[0].text.text, named],
  ["slack's fallback", "slack", 1000, ({ text }) => text, named],
  ["discord's title", "discord", 256, ({ embeds }) => embeds[0].title, named],
  ["the head of a card", "teams", 300, teamsHead, named],
  ["telegram's first line", "telegram", 500, telegramHead, named],
  ["ntfy's title", "ntfy", 200, ({ title }) => title, named],
  ["a mail's subject", "email", 200, ({ subject }) => subject, named],
  ["pagerduty's summary", "pagerduty", 1024, ({ payload }) => payload.summary, named],
  ["pagerduty's key", "pagerduty", 255, ({ dedup_key: key }) => key, identified],
  ["alertmanager's summary", "alertmanager", 500, ([alert]) => alert.annotations.summary, named],
])("%s", async (_, kind, limit, place, event) => {
  const around = (await shown(kind, [event(10)], place)).length - 10;
  const whole = await shown(kind, [event(limit - around)], place);
  expect([sizeIn(kind, whole), whole.includes("…")]).toEqual([limit, false]);
  const over = await shown(kind, [event(limit - around + 1)], place);
  expect([sizeIn(kind, over), over.at(-1)]).toEqual([limit, "…"]);
});

/** One event whose facts are as long as escapes make them, and a gateway's text of any length behind them. */
const filled = (request: number) => (length: number) => [
  opened({
    incident: incident({ monitors: ["&".repeat(400)] }),
    diagnosis: upstreamFails({ requestId: "&".repeat(request), message: "x".repeat(length) }),
  }),
];
/** Many, the last of them with a name of any length. */
const bundled = (count: number, others: number) => (length: number) => [
  ...Array.from({ length: count }, () => named(others)),
  named(length),
];

const REST = "… and 1 more";

test.each<[what: string, kind: Kind, limit: number, place: Place, events: (length: number) => AlertEvent[]]>([
  ["slack's section", "slack", 3000, slackSection, filled(130)],
  ["discord's description", "discord", 4096, ({ embeds }) => embeds[0].description, bundled(12, 110)],
  ["telegram's text", "telegram", 4096, ({ text }) => text, filled(200)],
  ["telegram's text of many", "telegram", 4096, ({ text }) => text, bundled(12, 85)],
  ["ntfy's message", "ntfy", 3800, ({ message }) => message, bundled(12, 100)],
])("%s", async (_, kind, limit, place, events) => {
  const texts = await Promise.all(
    Array.from({ length: 150 }, (__, length) => shown(kind, events(length + 1), place)),
  );
  const whole = texts.filter((text) => !text.includes(REST));
  // Each is a character longer than the one before, until there is no room for the last part.
  expect(whole.length).toBeGreaterThan(0);
  expect(whole.length).toBeLessThan(texts.length);
  expect(sizeIn(kind, whole.at(-1) ?? "")).toBe(limit);
});

const cardOf: Place = ({ attachments }) => JSON.stringify(attachments[0].content.body);
/** Its link is three times as long when it is escaped. */
const linked = (length: number) => ({
  ...identified(length),
  url: `https://acme.example/${"(".repeat(310)}`,
});

test.each([
  [16, 1500, 16, []],
  [18, 1500, 16, ["… and 2 more"]],
  [18, 1501, 15, ["… and 3 more"]],
  [25, 1200, 20, ["… and 5 more"]],
])("of %i events of %i bytes a card of 24,000 bytes has %i; then %j", async (count, size, fitting, rest) => {
  const blocksOf = async (events: readonly AlertEvent[]) =>
    (JSON.parse(await shown("teams", [...events], cardOf)) as { text: string }[]).slice(1);
  const sizeOf = (block: unknown) => JSON.stringify(block).length + ",".length;
  const [shortest] = await blocksOf([linked(1), linked(1)]);
  const event = linked(1 + size - sizeOf(shortest));
  const blocks = await blocksOf(Array.from({ length: count }, () => event));
  expect(blocks.slice(0, fitting).map(sizeOf)).toEqual(Array(fitting).fill(size));
  expect(blocks.slice(fitting).map(({ text }) => text)).toEqual(rest);
});
