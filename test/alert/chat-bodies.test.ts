/** The messages of Slack, Discord and Teams. Those of one event are the examples of docs/alerts.md, word for word. */
import { describe, expect, test } from "vitest";
import { CHANNELS, KINDS, render, SECRETS } from "./channel-configs.ts";
import { channelKind } from "../../src/alert/channels.ts";
import { blocked, bodyOf, letterOf, opened, resolved, tested } from "./telling.ts";

const INCIDENT_URL = "https://status.acme.example/incidents/acme.models-20261120t120000z";
const REPORT_URL = "https://status.acme.example/reports/acme.models-20261120t120000z-2";

test("channels for people bundle, channels for programs do not", () => {
  const bundling = KINDS.filter((kind) => channelKind(CHANNELS[kind]).bundles);
  expect(bundling).toEqual(["slack", "discord", "teams", "telegram", "ntfy", "email"]);
});

test.each(["slack", "discord", "teams"] as const)(
  "%s: the message goes to the secret's address",
  async (kind) => {
    const { url, method, headers } = letterOf(await render(CHANNELS[kind], [opened()]));
    expect({ url, method, headers }).toEqual({
      url: SECRETS.HOOK_URL,
      method: "POST",
      headers: { "content-type": "application/json" },
    });
  },
);

describe("slack", () => {
  test("several events", async () => {
    expect(bodyOf(await render(CHANNELS.slack, [blocked(), opened()]))).toMatchObject({
      text: "2 events: Acme is down: its upstream is unavailable",
      blocks: [
        { type: "header" },
        {
          type: "section",
          text: {
            text: `*Acme: our key's balance is used up*\nWhose turn: ours (the owner of the monitor's key)\nIncident id: acme.models-20261120t120000z\n<${INCIDENT_URL}|Incident>`,
          },
        },
        {
          type: "section",
          text: {
            text: `*Acme is down: its upstream is unavailable*\nWhose turn: the provider behind the gateway\nIncident id: acme.models-20261120t120000z\n<${INCIDENT_URL}|Incident>`,
          },
        },
      ],
    });
  });

  test("a test without a page is a header alone", async () => {
    const event = { ...tested(), url: "/" };
    expect(bodyOf(await render(CHANNELS.slack, [event]))).toMatchObject({ blocks: [{ type: "header" }] });
  });
});

describe("discord", () => {
  test("what is no outage says so first, in its own colour", async () => {
    expect(bodyOf(await render(CHANNELS.discord, [blocked()]))).toMatchObject({
      embeds: [
        {
          description: `This is no outage of the gateway: the monitor cannot see whether it works.\n[Incident](${INCIDENT_URL}) · [Report](${REPORT_URL})`,
          color: 0xbc4c00,
        },
      ],
    });
  });

  test("several events are one embed, in the colour of what presses most", async () => {
    expect(bodyOf(await render(CHANNELS.discord, [resolved(), opened()]))).toEqual({
      embeds: [
        {
          title: "2 events: Acme is down: its upstream is unavailable",
          description: [
            `**Acme is up again, after 31 min**\nIncident id: acme.models-20261120t120000z\n[Incident](${INCIDENT_URL})`,
            `**Acme is down: its upstream is unavailable**\nWhose turn: the provider behind the gateway\nIncident id: acme.models-20261120t120000z\n[Incident](${INCIDENT_URL})`,
          ].join("\n\n"),
          color: 0xcf222e,
          timestamp: "2026-11-20T12:00:00.000Z",
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });
});

describe("teams", () => {
  test("what is no outage says so first, in its own colour", async () => {
    const body = [
      { text: "Acme: our key's balance is used up", color: "warning" },
      { text: "This is no outage of the gateway: the monitor cannot see whether it works.", wrap: true },
      { type: "FactSet" },
    ];
    expect(bodyOf(await render(CHANNELS.teams, [blocked()]))).toMatchObject({
      attachments: [{ content: { body } }],
    });
  });

  test("several events are a block each", async () => {
    const body = bodyOf(await render(CHANNELS.teams, [opened(), resolved()])) as {
      attachments: [{ content: { body: { text: string }[]; actions: unknown[] } }];
    };
    const { content } = body.attachments[0];
    expect(content.body.map(({ text }) => text)).toEqual([
      "2 events: Acme is down: its upstream is unavailable",
      `**Acme is down: its upstream is unavailable**\n\nWhose turn: the provider behind the gateway\n\nIncident id: acme.models-20261120t120000z\n\n[Incident](${INCIDENT_URL})`,
      `**Acme is up again, after 31 min**\n\nIncident id: acme.models-20261120t120000z\n\n[Incident](${INCIDENT_URL})`,
    ]);
    expect(content.actions).toEqual([]);
  });
});
