/** Channels whose messages are read by people. */
import { expect } from "vitest";
import { blocked, flappingReminder, letterOf, opened, resolved, tested } from "../telling.ts";
import {
  bytes,
  GONE,
  isPlain,
  isWithin,
  LATER,
  FORBIDS_FOR_NOW,
  NO_TOKEN,
  parsed,
  REFUSED,
  some,
  type Body,
  type ChannelEntry,
  type Kind,
  UNLINKED,
} from "./entry.ts";

const INCIDENT_URL = "https://status.acme.example/incidents/acme.models-20261120t120000z";
export const DOWN = "Down: Acme: the provider behind the gateway is unavailable, for 1 min";
const UP = "Recovered: Acme, after 31 min";
const THEIRS = "The gateway got no answer from the provider behind it. Wait, or switch to another gateway.";
const WAS = "down (the provider behind the gateway is unavailable)";
const LINK = `[Incident](${INCIDENT_URL})`;

const FORGED = "[Acme status](https://evil.example)";

export const later = (afterMs: number) => ({ type: "later", afterMs }) as const;

const NO_BOT = "is not a bot's token like 123456:ABC-DEF";
const NO_TOPIC = "is not a topic's address like https://ntfy.sh/my-topic";

export const HTTPS = /^https:\/\/\S+$/;
const HOOK = "https://hooks.example/services/T00/B00/x1y2z3";

export const PEOPLE = {
  slack: {
    least: { kind: "slack", url: "SLACK_URL" },
    config: { url: "SLACK_URL" },
    examples: { url: "CHAT_URL" },
    secrets: { SLACK_URL: HOOK },
    messages: [
      [
        "several events",
        [blocked(), opened()],
        {
          url: HOOK,
          body: some({
            text: `🔴 2 events: ${DOWN}`,
            blocks: [
              some({ type: "header" }),
              ...[
                [
                  "*🟠 Blocked: Acme: the balance is used up, for 1 min*",
                  "*Your turn:* Check the balance, quota and provider of the account. Waiting does not help.",
                ],
                [`*🔴 ${DOWN}*`, `*The provider's turn:* ${THEIRS}`],
              ].map((lines) => {
                const text = [...lines, `<${INCIDENT_URL}|Incident>`].join("\n");
                return some({ type: "section", text: some({ text }) });
              }),
            ],
          }),
        },
      ],
    ],
    said: {
      at: ({ blocks }: Body) => lineOf(blocks[1].text.text),
      quoted: [
        [
          "<!channel> <!everyone> <@U024BE7LH>",
          "*Answer:* `HTTP 503: &lt;!channel&gt; &lt;!everyone&gt; &lt;@U024BE7LH&gt;`",
        ],
        ["`<!here>` *bold*", "*Answer:* `HTTP 503: '&lt;!here&gt;' *bold*`"],
      ],
    },
    judge: (rendered) => {
      const { text, blocks } = parsed(rendered);
      isWithin(text.length, 4000);
      isWithin(blocks.length, 50);
      for (const { type, text: own, elements = [] } of blocks) {
        const texts = [...(own ? [own] : []), ...elements];
        isWithin(texts.length, 10, 1);
        for (const { text: content } of texts) isPlain(content, type === "header" ? 150 : 3000, 1);
      }
    },
    answers: [
      [[400], "invalid_payload", REFUSED],
      [[400], "user_not_found", GONE],
      [[404], "no_service", GONE],
    ],
  },
  discord: {
    least: { kind: "discord", url: "DISCORD_URL" },
    config: { url: "DISCORD_URL" },
    examples: { url: "CHAT_URL" },
    secrets: { DISCORD_URL: HOOK },
    messages: [
      [
        "several events are one embed, in the colour of what presses most",
        [resolved(), opened()],
        {
          url: HOOK,
          body: {
            embeds: [
              {
                title: `2 events: ${DOWN}`,
                description: [
                  `**🟢 ${UP}**\n**It was:** ${WAS.replace("(", "\\(").replace(")", "\\)")}\n${LINK}`,
                  `**🔴 ${DOWN}**\n**The provider's turn:** ${THEIRS}\n${LINK}`,
                ].join("\n\n"),
                color: 0xd92d20,
                timestamp: "2026-11-20T12:00:00.000Z",
              },
            ],
            allowed_mentions: { parse: [] },
          },
        },
      ],
    ],
    said: {
      at: ({ embeds }: Body) => lineOf(embeds[0].description),
      quoted: [
        ["@everyone @here <@&1234>", "**Answer:** `HTTP 503: @everyone @here <@&1234>`"],
        [FORGED, `**Answer:** \`HTTP 503: ${FORGED}\``],
        ["``` \\` @everyone", "**Answer:** `HTTP 503: ''' \\' @everyone`"],
      ],
    },
    judge: (rendered) => {
      const {
        title,
        description = "",
        url = "https://none.example",
        fields = [],
      } = parsed(rendered).embeds[0];
      isPlain(title, 256);
      isPlain(description, 4096);
      isWithin(fields.length, 25);
      expect(url).toMatch(HTTPS);
      let all = title.length + description.length;
      for (const { name, value } of fields) {
        isWithin(name.length, 256, 1);
        isPlain(value, 1024, 1);
        all += name.length + value.length;
      }
      isWithin(all, 6000);
    },
    answers: [
      [[400], '{"embeds":["0"]}', REFUSED],
      [[403], '{"message":"Missing Permissions","code":50013}', GONE],
      [[403], "<html>error 1020</html>", LATER],
      [[429], '{"message":"You are being rate limited.","retry_after":0.529,"global":false}', later(529)],
      [[429], '{"retry_after":1e300}', later(2_147_483_647_000)],
    ],
  },
  teams: {
    least: { kind: "teams", url: "TEAMS_URL" },
    config: { url: "TEAMS_URL" },
    examples: { url: "CHAT_URL" },
    secrets: { TEAMS_URL: HOOK },
    messages: [
      [
        "several events are a block each",
        [opened(), resolved()],
        {
          url: HOOK,
          body: some({
            attachments: [
              some({
                content: some({
                  body: [
                    `2 events: ${DOWN}`,
                    [`**🔴 ${DOWN}**`, `**The provider's turn:** ${THEIRS}`, LINK].join("\n\n"),
                    [`**🟢 ${UP}**`, `**It was:** ${WAS.replace("(", "\\(").replace(")", "\\)")}`, LINK].join(
                      "\n\n",
                    ),
                  ].map((text) => some({ text })),
                  actions: [],
                }),
              }),
            ],
          }),
        },
      ],
    ],
    said: {
      at: ({ attachments }: Body) =>
        attachments[0].content.body
          .flatMap(({ facts = [] }: { readonly facts?: Named[] }) => facts)
          .find(({ title }: Named) => title === "Answer")
          .value.replace(/^HTTP 503: /, ""),
      quoted: [
        [FORGED, "\\[Acme status\\]\\(https:\u200b//evil.\u200bexample\\)"],
        ["<at>Everyone</at>", "\\<at\\>Everyone\\</at\\>"],
        ["https://evil.example/a_b_c", "https:\u200b//evil.\u200bexample/a\\_b\\_c"],
        ["**bold** \\[", "\\*\\*bold\\*\\* \\\\\\["],
        [
          "![x](https://evil.example/pixel.png)",
          "\\!\\[x\\]\\(https:\u200b//evil.\u200bexample/pixel.png\\)",
        ],
      ],
      unlinked: UNLINKED,
    },
    judge: (rendered) => {
      const { body, actions } = parsed(rendered).attachments[0].content;
      isWithin(bytes(letterOf(rendered).body), 28_000);
      for (const { type, text = "\0" } of body) if (type === "TextBlock") isPlain(text);
      for (const { url } of actions) expect(url).toMatch(HTTPS);
    },
    answers: [
      [[400], '{"error":{"code":"TriggerInputSchemaMismatch"}}', REFUSED],
      [[400], '{"error":{"code":"WorkflowTriggerIsNotEnabled"}}', LATER],
    ],
  },
  telegram: {
    least: { kind: "telegram", token: "BOT_TOKEN", chat: "@channel" },
    full: { kind: "telegram", token: "BOT_TOKEN", chat: "-1001234567890" },
    config: { token: "BOT_TOKEN", chat: "-1001234567890", endpoint: "https://api.telegram.org" },
    usual: { chat: "@channel" },
    examples: { token: "TELEGRAM_TOKEN" },
    secrets: { BOT_TOKEN: "123456:ABC-DEF_ghi" },
    badSecrets: [
      ["BOT_TOKEN", "bot123:hunter2", NO_BOT],
      ["BOT_TOKEN", "1:x/../../y", NO_BOT],
    ],
    messages: [
      [
        "several events",
        [opened(), resolved()],
        {
          body: some({
            text: [
              `<b>🔴 2 events: ${DOWN}</b>`,
              `<b>🔴 ${DOWN}</b>\n<b>The provider's turn:</b> ${THEIRS}\n<a href="${INCIDENT_URL}">Incident</a>`,
              `<b>🟢 ${UP}</b>\n<b>It was:</b> ${WAS}\n<a href="${INCIDENT_URL}">Incident</a>`,
            ].join("\n\n"),
          }),
        },
      ],
    ],
    said: {
      at: ({ text }: Body) => lineOf(text),
      quoted: [
        [
          "<b>x</b> & </code>",
          "<b>Answer:</b> <code>HTTP 503: &lt;b&gt;x&lt;/b&gt; &amp; &lt;/code&gt;</code>",
        ],
        [
          '<a href="https://evil.example">x</a>',
          "<b>Answer:</b> <code>HTTP 503: &lt;a href=&quot;https://evil.example&quot;&gt;x&lt;/a&gt;</code>",
        ],
        [
          "@channel /stop https://evil.example",
          "<b>Answer:</b> <code>HTTP 503: @channel /stop https://evil.example</code>",
        ],
      ],
    },
    judge: (rendered) => {
      const { text } = parsed(rendered);
      isPlain(text, 4096);
      isTelegramHtml(text);
    },
    answers: [
      [[400], telegramSays(400, "Bad Request: can't parse entities"), REFUSED],
      [[400], telegramSays(400, "Bad Request: chat not found"), GONE],
      [[400], telegramSays(400, "Bad Request: group chat was upgraded", { migrate_to_chat_id: -100 }), GONE],
      [[403], telegramSays(403, "Forbidden: bot was kicked from the supergroup chat"), GONE],
      [[404], "<html>", LATER],
      [[429], telegramSays(429, "Too Many Requests", { retry_after: 34 }), later(34_000)],
    ],
  },
  ntfy: {
    least: { kind: "ntfy", url: "TOPIC_URL" },
    full: { kind: "ntfy", url: "TOPIC_URL", token: "TOPIC_TOKEN" },
    config: { url: "TOPIC_URL", token: "TOPIC_TOKEN" },
    usual: { token: undefined },
    examples: { url: "ALERT_URL", token: "ALERT_TOKEN" },
    secrets: { TOPIC_URL: "https://ntfy.example/acme-4f9a", TOPIC_TOKEN: "token-of-the-proxy" },
    badSecrets: [
      ["TOPIC_TOKEN", "hünter2", NO_TOKEN],
      ["TOPIC_URL", "https://ntfy.sh", NO_TOPIC],
      ["TOPIC_URL", "https://ntfy.sh/", NO_TOPIC],
      ["TOPIC_URL", "https://ntfy.sh/a.b", NO_TOPIC],
      ["TOPIC_URL", `https://ntfy.sh/${"x".repeat(65)}`, NO_TOPIC],
    ],
    messages: [
      [
        "beside the page, what to do and the report are buttons",
        [opened()],
        {
          body: some({
            click: INCIDENT_URL,
            actions: [some({ label: "Acknowledge or silence" }), some({ label: "Report" })],
          }),
        },
      ],
      [
        "for several events, nothing but the page is linked",
        [opened(), resolved()],
        {
          body: expect.toSatisfy(linksThePageAlone),
        },
      ],
      [
        "a reminder of what flaps wakes nobody",
        [flappingReminder()],
        {
          body: some({
            title: "Flapping: Acme (last failure: the provider behind the gateway is unavailable)",
            tags: ["warning"],
            priority: 3,
          }),
        },
      ],
      [
        "a server below a path keeps it",
        [tested()],
        {
          url: "https://acme.example/push/",
          body: some({
            topic: "topic_1",
            message: "Test: Acme gateways: nothing is wrong",
            priority: 2,
          }),
        },
        { TOPIC_URL: "https://acme.example/push/topic_1/" },
      ],
    ],
    said: {
      at: ({ message }: Body) => lineOf(message),
      quoted: [["x\r\nWhose turn: nobody's", "Answer: HTTP 503: x Whose turn: nobody's"]],
      unlinked: `: ${UNLINKED}`,
    },
    judge: (rendered) => {
      const { title, message = "", click = "https://none.example" } = parsed(rendered);
      isWithin(bytes(message), 4095, 1);
      expect(title).not.toMatch(/[\r\n]/);
      expect(bytes(letterOf(rendered).body)).toBeLessThan(8192);
      expect(click).toMatch(HTTPS);
      isPlain(message);
    },
    answers: FORBIDS_FOR_NOW,
  },
  email: {
    least: { kind: "email", from: "gatepulse@acme.example", to: ["oncall@acme.example"] },
    config: { from: "gatepulse@acme.example", to: ["oncall@acme.example"], binding: "EMAIL" },
    examples: {},
    secrets: {},
    said: {
      at: ({ text }: Body) => lineOf(text),
      quoted: [
        [
          "x\nWhose turn: nobody's\u2028Incident: https://evil.example",
          `Answer: "HTTP 503: x Whose turn: nobody's Incident: https:\u200b//evil.\u200bexample"`,
        ],
      ],
      unlinked: `: ${UNLINKED}"`,
    },
    judge: (rendered) => {
      if (rendered.type !== "mail") throw new Error("no mail");
      isPlain(rendered.subject, 998);
      expect(rendered.subject).not.toMatch(/[\r\n]/);
      isPlain(rendered.text);
      expect(bytes(rendered.text)).toBeLessThan(1_000_000);
    },
  },
} as const satisfies { readonly [Of in Kind]?: ChannelEntry<Of> };

type Named = Readonly<Record<string, string>>;

export function lineOf(text: string): string {
  return text.split("\n").find((line) => line.includes("Answer")) ?? "";
}

function telegramSays(code: number, description: string, parameters?: unknown): string {
  return JSON.stringify({ ok: false, error_code: code, description, parameters });
}

function linksThePageAlone(body: Body): boolean {
  return body.click === INCIDENT_URL && !("actions" in body);
}

/** Text outside tags has no `<`, `>` or `"`, and `&` only of the four entities; tags are ours, and are closed in order. */
function isTelegramHtml(text: string): void {
  const open: string[] = [];
  const rest = text.replaceAll(
    /<(\/?)(b|code|a)( href="https?:\/\/[^"<>]*")?>/g,
    (_, slash: string, tag: string) => {
      if (slash === "") open.push(tag);
      else expect(open.pop()).toBe(tag);
      return "";
    },
  );
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>"]/);
  expect(rest.replaceAll(/&(?:amp|lt|gt|quot);/g, "")).not.toContain("&");
}
