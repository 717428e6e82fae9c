/** A gateway that writes what it likes into its answers: nobody is mentioned, and no link is forged. */
import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { type Body, CHANNELS, KINDS, render, shown } from "./channel-configs.ts";
import { bodyOf, modelsChanged, opened, upstreamFails } from "./telling.ts";

function saying(message: string): AlertEvent {
  return opened({ diagnosis: upstreamFails({ message, errorCode: null, errorType: null, requestId: null }) });
}

const named = (name: string): AlertEvent => opened({ gateway: { id: "acme", name, monitors: 1 } });

const lineOf = (text: string) => text.split("\n").find((line) => line.includes("It says")) ?? "";
type Named = Readonly<Record<string, string>>;

/** Where the gateway's own words are. */
const SAID = {
  slack: ({ blocks }: Body) => lineOf(blocks[1].text.text),
  discord: ({ embeds }: Body) => embeds[0].fields.find(({ name }: Named) => name === "It says").value,
  teams: ({ attachments }: Body) =>
    attachments[0].content.body
      .flatMap(({ facts = [] }: { readonly facts?: Named[] }) => facts)
      .find(({ title }: Named) => title === "It says").value,
  telegram: ({ text }: Body) => lineOf(text),
  ntfy: ({ message }: Body) => lineOf(message),
  email: ({ text }: Body) => lineOf(text),
} as const;

const LINK = "[Acme status](https://evil.example)";

test.each<[kind: keyof typeof SAID, message: string, told: string]>([
  [
    "slack",
    "<!channel> <!everyone> <@U024BE7LH>",
    "*It says:* `&lt;!channel&gt; &lt;!everyone&gt; &lt;@U024BE7LH&gt;`",
  ],
  ["slack", "`<!here>` *bold*", "*It says:* `'&lt;!here&gt;' *bold*`"],
  ["discord", "@everyone @here <@&1234>", "`@everyone @here <@&1234>`"],
  ["discord", LINK, `\`${LINK}\``],
  ["discord", "``` \\` @everyone", "`''' \\' @everyone`"],
  ["teams", LINK, "\\[Acme status\\]\\(https:\u200b//evil.\u200bexample\\)"],
  ["teams", "<at>Everyone</at>", "\\<at\\>Everyone\\</at\\>"],
  ["teams", "https://evil.example/a_b_c", "https:\u200b//evil.\u200bexample/a\\_b\\_c"],
  ["teams", "**bold** \\[", "\\*\\*bold\\*\\* \\\\\\["],
  [
    "teams",
    "![x](https://evil.example/pixel.png)",
    "\\!\\[x\\]\\(https:\u200b//evil.\u200bexample/pixel.png\\)",
  ],
  ["telegram", "<b>x</b> & </code>", "<b>It says:</b> <code>&lt;b&gt;x&lt;/b&gt; &amp; &lt;/code&gt;</code>"],
  [
    "telegram",
    '<a href="https://evil.example">x</a>',
    "<b>It says:</b> <code>&lt;a href=&quot;https://evil.example&quot;&gt;x&lt;/a&gt;</code>",
  ],
  [
    "telegram",
    "@channel /stop https://evil.example",
    "<b>It says:</b> <code>@channel /stop https://evil.example</code>",
  ],
  ["ntfy", "x\r\nWhose turn: nobody's", "It says: x Whose turn: nobody's"],
  [
    "email",
    "x\nWhose turn: nobody's\u2028Incident: https://evil.example",
    `It says: "x Whose turn: nobody's Incident: https:\u200b//evil.\u200bexample"`,
  ],
])("%s: a gateway that says %j marks up nothing", async (kind, message, told) => {
  expect(await shown(kind, [saying(message)], SAID[kind])).toBe(told);
});

test("slack: a name is escaped in header, fallback and section", async () => {
  const event = named("<!channel> & *co*");
  const body = bodyOf(await render(CHANNELS.slack, [event, event]));
  expect(JSON.stringify(body)).not.toContain("<!");
  const text = "2 events: &lt;!channel&gt; &amp; *co* is down: its upstream is unavailable";
  const verbatim = { text: { verbatim: true } };
  expect(body).toMatchObject({ text, blocks: [{ text: { text } }, verbatim, verbatim] });
});

describe("discord", () => {
  test("a name in the title is escaped, and nobody is ever mentioned", async () => {
    const title =
      "\\@everyone \\[x\\]\\(https://evil.example\\) \\\\\\` is down: its upstream is unavailable";
    const event = named("@everyone [x](https://evil.example) \\`");
    const body = { embeds: [{ title }], allowed_mentions: { parse: [] } };
    expect(bodyOf(await render(CHANNELS.discord, [event]))).toMatchObject(body);
  });

  test("a name hides nothing, is struck through nowhere, and begins no heading", async () => {
    const event = named("# ||x|| ~~y~~ __z__ *w* <#1>");
    const escaped = String.raw`\# \|\|x\|\| \~\~y\~\~ \_\_z\_\_ \*w\* \<\#1\>`;
    const words = `${escaped} is down: its upstream is unavailable`;
    const embedOf = (place: "title" | "description") =>
      shown("discord", [event, event], ({ embeds }) => embeds[0][place]);
    expect(await embedOf("title")).toBe(`2 events: ${words}`);
    expect(await embedOf("description")).toContain(`**${words}**`);
  });
});

test("teams: a name is no heading, no list and no markup", async () => {
  const head = ({ attachments }: Body) => attachments[0].content.body[0].text;
  const words = "\\# x \\| \\~y\\~ \\_z\\_ \\! is down: its upstream is unavailable";
  expect(await shown("teams", [named("# x | ~y~ _z_ !")], head)).toBe(words);
});

test("mail: no name or model can begin a header", async () => {
  const events = [
    named("Acme\r\nBcc: all@evil.example\r\n\r\n<script>"),
    modelsChanged(["x\r\nBcc: all@evil.example"]),
  ];
  const subjects = events.map((event) => shown("email", [event], ({ subject }) => subject));
  expect(await Promise.all(subjects)).toEqual([
    "Acme Bcc: all@evil.example <script> is down: its upstream is unavailable",
    "Acme: its list lacks x Bcc: all@evil.example",
  ]);
});

describe("where a service makes links of addresses, none is left in what a gateway says", () => {
  const message = "Sign in at https://evil.example/login or www.evil.example, or ask help@evil.example";
  const unlinked =
    "Sign in at https:\u200b//evil.\u200bexample/login or www.\u200bevil.\u200bexample, or ask help\u200b@\u200bevil.example";
  const event = opened({
    diagnosis: upstreamFails({ message, errorCode: "https://evil.example/c", requestId: "req_8f.2a-1" }),
  });
  const code = "HTTP 503, https:\u200b//evil.\u200bexample/c, request req_8f.2a-1";

  test.each([
    ["ntfy", `It says: ${unlinked}`],
    ["email", `It says: "${unlinked}"`],
    ["teams", unlinked],
  ] as const)("%s", async (kind, told) => {
    expect(await shown(kind, [event], SAID[kind])).toBe(told);
  });

  test("pagerduty", async () => {
    const body = bodyOf(await render(CHANNELS.pagerduty, [event]));
    expect(body).toMatchObject({ payload: { custom_details: { "It says": unlinked, Answer: code } } });
  });
});

test.each(KINDS.filter((kind) => kind !== "email"))("%s: no text breaks out of its JSON", async (kind) => {
  const keysFor = async (text: string) => {
    const event = { ...named(text), diagnosis: upstreamFails({ message: text }) };
    return keysOf(bodyOf(await render(CHANNELS[kind], [event])));
  };
  expect(await keysFor('"}],"@type":"x",\\"text":"\u2028</script>')).toEqual(await keysFor("x"));
});

/** The names of all members, at any depth. */
function keysOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key].concat(keysOf(inner)));
}
