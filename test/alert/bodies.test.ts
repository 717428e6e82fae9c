/** The messages for people. Those of one event are the examples of docs/channels.md, word for word. */
import { describe, expect, test } from "vitest";
import { channelKind } from "../../src/alert/channels.ts";
import { CHANNELS, KINDS, render, SECRETS } from "./channel-configs.ts";
import { blocked, bodyOf, flappingReminder, letterOf, opened, resolved, tested } from "./telling.ts";

const INCIDENT_URL = "https://status.acme.example/incidents/acme.models-20261120t120000z";
const DOWN = "Acme is down: its upstream is unavailable";
const UP = "Acme is up again, after 31 min";
const BLOCKED = "Acme: our key's balance is used up";
const TEST = "Acme gateways: a test of this channel; nothing is wrong";
const THEIRS = "Whose turn: the provider behind the gateway";
const OURS = "Whose turn: ours (the owner of the monitor's key)";
const ID = "Incident id: acme.models-20261120t120000z";
const LINK = `[Incident](${INCIDENT_URL})`;

test("channels for people bundle, channels for programs do not", () => {
  const bundling = KINDS.filter((kind) => channelKind(CHANNELS[kind]).bundles);
  expect(bundling).toEqual(["slack", "discord", "teams", "telegram", "ntfy", "email"]);
});

test.each(["slack", "discord", "teams"] as const)(
  "%s: the message goes to the secret's address",
  async (kind) => {
    const { url } = letterOf(await render(CHANNELS[kind], [opened()]));
    expect(url).toBe(SECRETS.HOOK_URL);
  },
);

test("slack: several events", async () => {
  const section = (...lines: readonly string[]) => {
    const text = [...lines, ID, `<${INCIDENT_URL}|Incident>`].join("\n");
    return { type: "section", text: { text } };
  };
  expect(bodyOf(await render(CHANNELS.slack, [blocked(), opened()]))).toMatchObject({
    text: `2 events: ${DOWN}`,
    blocks: [{ type: "header" }, section(`*${BLOCKED}*`, OURS), section(`*${DOWN}*`, THEIRS)],
  });
});

test("discord: several events are one embed, in the colour of what presses most", async () => {
  expect(bodyOf(await render(CHANNELS.discord, [resolved(), opened()]))).toEqual({
    embeds: [
      {
        title: `2 events: ${DOWN}`,
        description: `**${UP}**\n${ID}\n${LINK}\n\n**${DOWN}**\n${THEIRS}\n${ID}\n${LINK}`,
        color: 0xcf222e,
        timestamp: "2026-11-20T12:00:00.000Z",
      },
    ],
    allowed_mentions: { parse: [] },
  });
});

test("teams: several events are a block each", async () => {
  const body = bodyOf(await render(CHANNELS.teams, [opened(), resolved()])) as {
    attachments: [{ content: { body: { text: string }[]; actions: unknown[] } }];
  };
  const { content } = body.attachments[0];
  expect(content.body.map(({ text }) => text)).toEqual([
    `2 events: ${DOWN}`,
    [`**${DOWN}**`, THEIRS, ID, LINK].join("\n\n"),
    [`**${UP}**`, ID, LINK].join("\n\n"),
  ]);
  expect(content.actions).toEqual([]);
});

test("telegram: several events", async () => {
  const rest = `${ID}\n<a href="${INCIDENT_URL}">Incident</a>`;
  const text = `<b>2 events: ${DOWN}</b>\n\n<b>${DOWN}</b>\n${THEIRS}\n${rest}\n\n<b>${UP}</b>\n${rest}`;
  expect(bodyOf(await render(CHANNELS.telegram, [opened(), resolved()]))).toMatchObject({ text });
});

describe("ntfy", () => {
  test("without a report, and for several events, nothing but the page is linked", async () => {
    for (const events of [[opened({ report: null })], [opened(), resolved()]]) {
      const body = bodyOf(await render(CHANNELS.ntfy, events));
      expect(body).toMatchObject({ click: INCIDENT_URL });
      expect(body).not.toHaveProperty("actions");
    }
  });

  test("a reminder of what flaps wakes nobody", async () => {
    expect(bodyOf(await render(CHANNELS.ntfy, [flappingReminder()]))).toMatchObject({
      title: "Acme is flapping; last failure: its upstream is unavailable",
      tags: ["warning"],
      priority: 3,
    });
  });

  test("a server below a path keeps it", async () => {
    const secrets = { ...SECRETS, TOPIC_URL: "https://acme.example/push/topic_1/" };
    const letter = letterOf(await render(CHANNELS.ntfy, [tested()], secrets));
    expect(letter.url).toBe("https://acme.example/push/");
    expect(JSON.parse(letter.body)).toMatchObject({ topic: "topic_1", message: TEST, priority: 2 });
  });
});

test("email: several events are told whole", async () => {
  const mail = await render(CHANNELS.email, [opened(), resolved()]);
  expect(mail).toMatchObject({ subject: `2 events: ${DOWN}` });
  const parts = (mail as { text: string }).text.split("\n\n\n");
  expect(parts.map((part) => part.split("\n")[0])).toEqual([DOWN, UP]);
  expect(parts[0]).toContain('It says: "no channel is available for this model"');
});
