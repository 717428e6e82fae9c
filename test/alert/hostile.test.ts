/** A gateway that writes what it likes into its answers: nobody is mentioned, and no link is forged. */
import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { CHANNELS, entryOf, KINDS, render, shown } from "./channel-configs.ts";
import { type Body, LINKED, UNLINKED } from "./kinds/entry.ts";
import { bodyOf, modelsChanged, opened, upstreamFails } from "./telling.ts";

function saying(message: string): AlertEvent {
  return opened({ diagnosis: upstreamFails({ message, errorCode: null, errorType: null, requestId: null }) });
}

const named = (name: string): AlertEvent => opened({ gateway: { id: "acme", name, monitors: 1 } });

/** The kinds that people read. */
const SAID = KINDS.flatMap((kind) => {
  const { said } = entryOf(kind);
  return said === undefined ? [] : [{ kind, ...said }];
});

describe.each(SAID)("$kind", ({ kind, at, quoted }) => {
  test.each(quoted)("a gateway that says %j marks up nothing", async (message, told) => {
    expect(await shown(kind, [saying(message)], at)).toBe(told);
  });
});

test("slack: a name is escaped in header, fallback and section", async () => {
  const event = named("<!channel> & *co*");
  const body = bodyOf(await render(CHANNELS.slack, [event, event]));
  expect(JSON.stringify(body)).not.toContain("<!");
  const text =
    "🔴 2 events: Down: &lt;!channel&gt; &amp; *co*: the provider behind the gateway is unavailable, for 1 min";
  const verbatim = { text: { verbatim: true } };
  expect(body).toMatchObject({ text, blocks: [{ text: { text } }, verbatim, verbatim] });
});

describe("discord", () => {
  test("a name in the title is escaped, and nobody is ever mentioned", async () => {
    const title =
      "Down: \\@everyone \\[x\\]\\(https://evil.example\\) \\\\\\`: the provider behind the gateway is unavailable, for 1 min";
    const event = named("@everyone [x](https://evil.example) \\`");
    const body = { embeds: [{ title }], allowed_mentions: { parse: [] } };
    expect(bodyOf(await render(CHANNELS.discord, [event]))).toMatchObject(body);
  });

  test("a name hides nothing, is struck through nowhere, and begins no heading", async () => {
    const event = named("# ||x|| ~~y~~ __z__ *w* <#1>");
    const escaped = String.raw`\# \|\|x\|\| \~\~y\~\~ \_\_z\_\_ \*w\* \<\#1\>`;
    const words = `Down: ${escaped}: the provider behind the gateway is unavailable, for 1 min`;
    const embedOf = (place: "title" | "description") =>
      shown("discord", [event, event], ({ embeds }) => embeds[0][place]);
    expect(await embedOf("title")).toBe(`2 events: ${words}`);
    expect(await embedOf("description")).toContain(`**🔴 ${words}**`);
  });
});

test("teams: a name is no heading, no list and no markup", async () => {
  const head = ({ attachments }: Body) => attachments[0].content.body[0].text;
  const words =
    "Down: \\# x \\| \\~y\\~ \\_z\\_ \\!: the provider behind the gateway is unavailable, for 1 min";
  expect(await shown("teams", [named("# x | ~y~ _z_ !")], head)).toBe(words);
});

test("mail: no name or model can begin a header", async () => {
  const events = [
    named("Acme\r\nBcc: all@evil.example\r\n\r\n<script>"),
    modelsChanged(["x\r\nBcc: all@evil.example"]),
  ];
  const subjects = events.map((event) => shown("email", [event], ({ subject }) => subject));
  expect(await Promise.all(subjects)).toEqual([
    "🔴 Down: Acme Bcc: all@evil.example <script>: the provider behind the gateway is unavailable, for 1 min",
    "🟡 Model missing: Acme: its list lacks x Bcc: all@evil.example",
  ]);
});

describe("where a service makes links of addresses, none is left in what a gateway says", () => {
  const event = opened({
    diagnosis: upstreamFails({
      message: LINKED,
      errorCode: "https://evil.example/c",
      requestId: "req_8f.2a-1",
    }),
  });
  const code = "HTTP 503, https:\u200b//evil.\u200bexample/c, request req_8f.2a-1";

  test.each(SAID.filter(({ unlinked }) => unlinked !== undefined))(
    "$kind",
    async ({ kind, at, unlinked }) => {
      expect(await shown(kind, [event], at)).toContain(unlinked);
    },
  );

  test("pagerduty", async () => {
    const body = bodyOf(await render(CHANNELS.pagerduty, [event]));
    expect(body).toMatchObject({ payload: { custom_details: { Answer: `${code}: ${UNLINKED}` } } });
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
