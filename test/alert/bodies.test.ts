/** The messages of each kind. Those of one event are in test/vectors/alerts/, word for word. */
import { expect, test } from "vitest";
import { channelKind } from "../../src/alert/channels.ts";
import { CHANNELS, entryOf, KINDS, render, SECRETS } from "./channel-configs.ts";
import { BOTS } from "./kinds/bots.ts";
import { PEOPLE } from "./kinds/people.ts";
import { letterOf, opened, resolved } from "./telling.ts";

test("channels for people bundle, channels for programs do not", () => {
  const bundling = KINDS.filter((kind) => channelKind(CHANNELS[kind]).bundles);
  expect(bundling).toEqual([...Object.keys(PEOPLE), ...Object.keys(BOTS)]);
});

const MESSAGES = KINDS.flatMap((kind) =>
  (entryOf(kind).messages ?? []).map(([of, events, ...rest]) => ({ kind, of, events, rest })),
);

test.each(MESSAGES)("$kind: $of", async ({ kind, events, rest: [expected, otherSecrets] }) => {
  const letter = letterOf(await render(CHANNELS[kind], events, { ...SECRETS, ...otherSecrets }));
  const any: unknown = expect.anything();
  const anything = { type: "http", method: "POST", url: any, headers: any, body: any };
  expect({ ...letter, body: JSON.parse(letter.body) as unknown }).toEqual({ ...anything, ...expected });
});

test("email: several events are told whole", async () => {
  const mail = await render(CHANNELS.email, [opened(), resolved()]);
  expect(mail).toMatchObject({
    subject: "🔴 2 events: Down: Acme: the provider behind the gateway is unavailable, for 1 min",
  });
  const parts = (mail as { text: string }).text.split("\n\n\n");
  expect(parts.map((part) => part.split("\n")[0])).toEqual([
    "Down: Acme: the provider behind the gateway is unavailable, for 1 min",
    "Recovered: Acme, after 31 min",
  ]);
  expect(parts[0]).toContain(': no channel is available for this model"');
});
