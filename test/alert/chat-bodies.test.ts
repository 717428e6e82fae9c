/** The exact messages of Slack, Discord and Teams. */
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
  test("one event", async () => {
    expect(bodyOf(await render(CHANNELS.slack, [blocked()]))).toEqual({
      text: "Acme: our key's balance is used up",
      unfurl_links: false,
      blocks: [
        {
          type: "header",
          text: { type: "plain_text", text: "Acme: our key's balance is used up", emoji: false },
        },
        {
          type: "section",
          text: {
            type: "mrkdwn",
            verbatim: true,
            text: [
              "This is no outage of the gateway: the monitor cannot see whether it works.",
              "*Whose turn:* ours (the owner of the monitor's key)",
              "*What to do:* Top up the account of the key: waiting does not help.",
              "*Since:* 2026-11-20 11:59:00 UTC",
              "*Next check:* less and less often, every 15 minutes at last; at once when the key is changed. Topped up? Probe now: POST /api/v1/admin/gateways/acme/monitors/models/probe",
              "*Incident id:* acme.models-20261120t120000z",
              "*Monitors:* acme/models",
              "*Answer:* `HTTP 402, insufficient_balance, request req_8f2b`",
              "*It says:* `balance is not enough`",
            ].join("\n"),
          },
        },
        {
          type: "context",
          elements: [
            { type: "mrkdwn", text: `<${INCIDENT_URL}|Incident>`, verbatim: true },
            { type: "mrkdwn", text: `<${REPORT_URL}|Report>`, verbatim: true },
          ],
        },
      ],
    });
  });

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
  test("one event", async () => {
    expect(bodyOf(await render(CHANNELS.discord, [blocked()]))).toEqual({
      embeds: [
        {
          title: "Acme: our key's balance is used up",
          url: INCIDENT_URL,
          description: `This is no outage of the gateway: the monitor cannot see whether it works.\n[Incident](${INCIDENT_URL}) · [Report](${REPORT_URL})`,
          fields: [
            { name: "Whose turn", value: "ours \\(the owner of the monitor's key\\)" },
            {
              name: "What to do",
              value: "Top up the account of the key: waiting does not help.",
            },
            { name: "Since", value: "2026-11-20 11:59:00 UTC" },
            {
              name: "Next check",
              value:
                "less and less often, every 15 minutes at last; at once when the key is changed. Topped up? Probe now: POST /api/v1/admin/gateways/acme/monitors/models/probe",
            },
            { name: "Incident id", value: "acme.models-20261120t120000z" },
            { name: "Monitors", value: "acme/models" },
            { name: "Answer", value: "`HTTP 402, insufficient_balance, request req_8f2b`" },
            { name: "It says", value: "`balance is not enough`" },
          ],
          color: 0xbc4c00,
          timestamp: "2026-11-20T12:00:00.000Z",
        },
      ],
      allowed_mentions: { parse: [] },
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
  test("one event", async () => {
    expect(bodyOf(await render(CHANNELS.teams, [blocked()]))).toEqual({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              {
                type: "TextBlock",
                text: "Acme: our key's balance is used up",
                wrap: true,
                size: "Medium",
                weight: "Bolder",
                color: "warning",
              },
              {
                type: "TextBlock",
                text: "This is no outage of the gateway: the monitor cannot see whether it works.",
                wrap: true,
              },
              {
                type: "FactSet",
                facts: [
                  { title: "Whose turn", value: "ours \\(the owner of the monitor's key\\)" },
                  {
                    title: "What to do",
                    value: "Top up the account of the key: waiting does not help.",
                  },
                  { title: "Since", value: "2026-11-20 11:59:00 UTC" },
                  {
                    title: "Next check",
                    value:
                      "less and less often, every 15 minutes at last; at once when the key is changed. Topped up? Probe now: POST /api/v1/admin/gateways/acme/monitors/models/probe",
                  },
                  { title: "Incident id", value: "acme.models-20261120t120000z" },
                  { title: "Monitors", value: "acme/models" },
                  { title: "Answer", value: "HTTP 402, insufficient\\_balance, request req\\_8f2b" },
                  { title: "It says", value: "balance is not enough" },
                ],
              },
            ],
            actions: [
              { type: "Action.OpenUrl", title: "Incident", url: INCIDENT_URL },
              { type: "Action.OpenUrl", title: "Report", url: REPORT_URL },
            ],
          },
        },
      ],
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
