/** A gateway that writes what it likes into its answers: nobody is mentioned, and no link is forged. */
import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { CHANNELS, render } from "./channel-configs.ts";
import { bodyOf, modelsChanged, opened, upstreamFails } from "./telling.ts";

function saying(message: string): AlertEvent {
  return opened({ diagnosis: upstreamFails({ message, errorCode: null, errorType: null, requestId: null }) });
}

/** What Slack, Telegram, ntfy and mail say in one piece. */
async function lineOf(kind: "slack" | "telegram" | "ntfy" | "email", event: AlertEvent): Promise<string> {
  const rendered = await render(CHANNELS[kind], [event]);
  const text =
    rendered.type === "mail"
      ? rendered.text
      : kind === "slack"
        ? (bodyOf(rendered) as { blocks: { text: { text: string } }[] }).blocks[1]!.text.text
        : ((bodyOf(rendered) as Record<string, string>)[kind === "ntfy" ? "message" : "text"] ?? "");
  return text.split("\n").find((line) => line.includes("It says")) ?? "";
}

async function fieldOf(event: AlertEvent): Promise<string | undefined> {
  const { embeds } = bodyOf(await render(CHANNELS.discord, [event])) as {
    embeds: [{ fields: { name: string; value: string }[] }];
  };
  return embeds[0].fields.find(({ name }) => name === "It says")?.value;
}

async function factOf(event: AlertEvent): Promise<string | undefined> {
  const { attachments } = bodyOf(await render(CHANNELS.teams, [event])) as {
    attachments: [{ content: { body: { facts?: { title: string; value: string }[] }[] } }];
  };
  const facts = attachments[0].content.body.flatMap((block) => block.facts ?? []);
  return facts.find(({ title }) => title === "It says")?.value;
}

describe("slack", () => {
  test.each([
    ["<!channel> <!everyone> <@U024BE7LH>", "`&lt;!channel&gt; &lt;!everyone&gt; &lt;@U024BE7LH&gt;`"],
    ["<https://evil.example|Acme status>", "`&lt;https://evil.example|Acme status&gt;`"],
    ["`<!here>` *bold*", "`'&lt;!here&gt;' *bold*`"],
    ["&lt;!channel&gt;", "`&amp;lt;!channel&amp;gt;`"],
  ])("%s", async (message, shown) => {
    expect(await lineOf("slack", saying(message))).toBe(`*It says:* ${shown}`);
  });

  test("a name is escaped in header, fallback and section", async () => {
    const event = opened({ gateway: { id: "acme", name: "<!channel> & *co*", monitors: 1 } });
    const body = bodyOf(await render(CHANNELS.slack, [event, event]));
    expect(JSON.stringify(body)).not.toContain("<!");
    expect(body).toMatchObject({
      text: "2 events: &lt;!channel&gt; &amp; *co* is down: its upstream is unavailable",
      blocks: [
        { text: { text: "2 events: &lt;!channel&gt; &amp; *co* is down: its upstream is unavailable" } },
        { text: { verbatim: true } },
        { text: { verbatim: true } },
      ],
    });
  });
});

describe("discord", () => {
  test.each([
    ["@everyone @here <@&1234>", "`@everyone @here <@&1234>`"],
    ["[Acme status](https://evil.example)", "`[Acme status](https://evil.example)`"],
    ["`` `@everyone` ``", "`'' '@everyone' ''`"],
    ["``` \\` @everyone", "`''' \\' @everyone`"],
  ])("%s", async (message, shown) => {
    expect(await fieldOf(saying(message))).toBe(shown);
  });

  test("a name in the title is escaped, and nobody is ever mentioned", async () => {
    const event = opened({
      gateway: { id: "acme", name: "@everyone [x](https://evil.example) \\`", monitors: 1 },
    });
    expect(bodyOf(await render(CHANNELS.discord, [event]))).toMatchObject({
      embeds: [
        {
          title: "\\@everyone \\[x\\]\\(https://evil.example\\) \\\\\\` is down: its upstream is unavailable",
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });
});

test("discord: a name hides nothing, is struck through nowhere, and begins no heading", async () => {
  const event = opened({ gateway: { id: "acme", name: "# ||x|| ~~y~~ __z__ *w* <#1>", monitors: 1 } });
  const shown = String.raw`\# \|\|x\|\| \~\~y\~\~ \_\_z\_\_ \*w\* \<\#1\>`;
  const { embeds } = bodyOf(await render(CHANNELS.discord, [event, event])) as {
    embeds: [{ title: string; description: string }];
  };
  const words = `${shown} is down: its upstream is unavailable`;
  expect(embeds[0].title).toBe(`2 events: ${words}`);
  expect(embeds[0].description).toContain(`**${words}**`);
});

describe("teams", () => {
  test("a name is no heading, no list and no markup", async () => {
    const event = opened({ gateway: { id: "acme", name: "# x | ~y~ _z_ !", monitors: 1 } });
    const shown = "\\# x \\| \\~y\\~ \\_z\\_ \\!";
    const { attachments } = bodyOf(await render(CHANNELS.teams, [event])) as {
      attachments: [{ content: { body: [{ text: string }] } }];
    };
    expect(attachments[0].content.body[0].text).toBe(`${shown} is down: its upstream is unavailable`);
  });

  test.each([
    ["[Acme status](https://evil.example)", "\\[Acme status\\]\\(https:\u200b//evil.\u200bexample\\)"],
    ["<at>Everyone</at>", "\\<at\\>Everyone\\</at\\>"],
    ["https://evil.example/a_b_c", "https:\u200b//evil.\u200bexample/a\\_b\\_c"],
    ["**bold** \\[", "\\*\\*bold\\*\\* \\\\\\["],
    ["![x](https://evil.example/pixel.png)", "\\!\\[x\\]\\(https:\u200b//evil.\u200bexample/pixel.png\\)"],
  ])("%s", async (message, shown) => {
    expect(await factOf(saying(message))).toBe(shown);
  });
});

describe("telegram", () => {
  test.each([
    ["<b>x</b> & </code>", "<code>&lt;b&gt;x&lt;/b&gt; &amp; &lt;/code&gt;</code>"],
    [
      '<a href="https://evil.example">x</a>',
      "<code>&lt;a href=&quot;https://evil.example&quot;&gt;x&lt;/a&gt;</code>",
    ],
    ["@channel /stop https://evil.example", "<code>@channel /stop https://evil.example</code>"],
    ["&lt;", "<code>&amp;lt;</code>"],
  ])("%s", async (message, shown) => {
    expect(await lineOf("telegram", saying(message))).toBe(`<b>It says:</b> ${shown}`);
  });
});

describe("mail", () => {
  test("no name or model can begin a header", async () => {
    const name = "Acme\r\nBcc: all@evil.example\r\n\r\n<script>";
    const mails = [
      await render(CHANNELS.email, [opened({ gateway: { id: "acme", name, monitors: 1 } })]),
      await render(CHANNELS.email, [modelsChanged(["x\r\nBcc: all@evil.example"])]),
    ];
    expect(mails).toMatchObject([
      { subject: "Acme Bcc: all@evil.example <script> is down: its upstream is unavailable" },
      { subject: "Acme: its list lacks x Bcc: all@evil.example" },
    ]);
  });

  test("no message can pass for a line of ours", async () => {
    const text = await lineOf("email", saying("x\nWhose turn: nobody's\u2028Incident: https://evil.example"));
    expect(text).toBe(`It says: "x Whose turn: nobody's Incident: https:\u200b//evil.\u200bexample"`);
  });
});

describe("where a service makes links of addresses, none is left in what a gateway says", () => {
  const message = "Sign in at https://evil.example/login or www.evil.example, or ask help@evil.example";
  const shown =
    "Sign in at https:\u200b//evil.\u200bexample/login or www.\u200bevil.\u200bexample, or ask help\u200b@\u200bevil.example";
  const event = opened({
    diagnosis: upstreamFails({ message, errorCode: "https://evil.example/c", requestId: "req_8f.2a-1" }),
  });
  const code = "HTTP 503, https:\u200b//evil.\u200bexample/c, request req_8f.2a-1";

  test.each(["ntfy", "email"] as const)("%s", async (kind) => {
    const quoted = kind === "email" ? `"${shown}"` : shown;
    expect(await lineOf(kind, event)).toBe(`It says: ${quoted}`);
    const rendered = await render(CHANNELS[kind], [event]);
    expect(rendered.type === "mail" ? rendered.text : JSON.stringify(bodyOf(rendered))).toContain(code);
  });

  test("teams", async () => {
    expect(await factOf(event)).toBe(shown);
  });

  test("pagerduty", async () => {
    const body = bodyOf(await render(CHANNELS.pagerduty, [event]));
    expect(body).toMatchObject({ payload: { custom_details: { "It says": shown, Answer: code } } });
  });
});

test("ntfy: what it says stays one line", async () => {
  expect(await lineOf("ntfy", saying("x\r\nWhose turn: nobody's"))).toBe("It says: x Whose turn: nobody's");
});

test.each(["slack", "discord", "teams", "pagerduty", "alertmanager", "telegram", "ntfy", "webhook"] as const)(
  "%s: no text breaks out of its JSON",
  async (kind) => {
    const breakout = '"}],"@type":"x",\\"text":"\u2028</script>';
    const event = opened({
      gateway: { id: "acme", name: breakout, monitors: 1 },
      diagnosis: upstreamFails({ message: breakout }),
    });
    const whole = bodyOf(await render(CHANNELS[kind], [event]));
    const harmless = opened({
      gateway: { id: "acme", name: "x", monitors: 1 },
      diagnosis: upstreamFails({ message: "x" }),
    });
    expect(keysOf(whole)).toEqual(keysOf(bodyOf(await render(CHANNELS[kind], [harmless]))));
  },
);

/** The names of all members, at any depth. */
function keysOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key].concat(keysOf(inner)));
}
