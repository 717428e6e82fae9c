/** The messages of each kind. Those of one event are in test/vectors/alerts/, word for word. */
import { expect, test, describe } from "vitest";
import * as fc from "fast-check";
import { channelKind } from "../../src/alert/channels.ts";
import { CHANNELS, entryOf, KINDS, render, SECRETS, read, shown } from "./channel-configs.ts";
import { BOTS } from "./kinds/bots.ts";
import { PEOPLE } from "./kinds/people.ts";
import {
  letterOf,
  opened,
  resolved,
  failure,
  incident,
  occasion,
  upstreamFails,
  bodyOf,
  modelsChanged,
} from "./telling.ts";
import { GONE, LATER, type Body, LINKED, UNLINKED } from "./kinds/entry.ts";
import { rounds, spread } from "../extent.ts";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { EVENT_TYPES } from "../../src/domain/incident.ts";
import { MAX_NAME_LENGTH } from "../../src/protocol/error-facts.ts";

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

// What answers mean, service by service.

const DELIVERED = { type: "delivered" } as const;

describe.each(KINDS)("%s", (kind) => {
  const channel = CHANNELS[kind];

  test.each([200, 201, 202, 204, 299])("%i is delivered", (status) => {
    expect(read(channel, { status, body: "{}" })).toEqual(DELIVERED);
  });

  test.each([0, 301, 302, 307, 308, 408, 425, 429, 500, 502, 503, 504, 530])("%i may pass", (status) => {
    expect(read(channel, { status })).toEqual(LATER);
  });

  test("410 is gone, with words or without", () => {
    for (const body of ["", "moved away", "<html>", '{"code":10015}', '{"error_code":410}', "[]"]) {
      expect(read(channel, { status: 410, body, headers: { "retry-after": "5" } })).toEqual(GONE);
    }
  });

  test.each(entryOf(kind).answers ?? [])("%j %s", (statuses, body, meaning) => {
    for (const status of statuses) expect(read(channel, { status, body })).toEqual(meaning);
  });
});

test.each([
  ["120", 120_000],
  ["0", 0],
  ["Fri, 20 Nov 2026 12:03:00 GMT", 120_000],
  ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
  ["99999999999999999999", 2_147_483_647_000],
  ["soon", null],
  ["-5", null],
  ["1e3", null],
])("webhook: Retry-After: %s", (value, afterMs) => {
  for (const status of [429, 503]) {
    const answer = { status, headers: { "retry-after": value } };
    expect(read(CHANNELS.webhook, answer)).toEqual({ type: "later", afterMs });
  }
});

test("discord: of two waits the longer one", () => {
  const answer = { status: 429, headers: { "retry-after": "2" }, body: '{"retry_after":1.5}' };
  expect(read(CHANNELS.discord, answer)).toEqual({ type: "later", afterMs: 2000 });
});

test.each([
  ["0", "1795176150", 90_000],
  ["0", "1795176000", 0],
  ["0", "soon", null],
  ["12", "1795176150", null],
])("github: %s requests are left until %s", (remaining, reset, afterMs) => {
  const headers = { "x-ratelimit-remaining": remaining, "x-ratelimit-reset": reset };
  for (const status of [403, 429])
    expect(read(CHANNELS.github, { status, headers })).toEqual({ type: "later", afterMs });
});

test("no answer makes reading throw, and a wait is a number of milliseconds", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json(),
    fc.constantFrom(
      "null",
      "[]",
      "[".repeat(4000),
      '{"parameters":null,"error_code":429}',
      '{"parameters":[],"error_code":429,"description":[]}',
      '{"__proto__":{"retry_after":5},"error_code":1e999}',
      '{"retry_after":{"valueOf":1}}',
    ),
  );
  const statuses = fc.oneof(fc.integer(), fc.constantFrom(200, 301, 400, 404, 410, 429, 503, Number.NaN));
  const values = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("1e9", "0x10", "Infinity", "9".repeat(400)),
  );
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), statuses, values, hostile, (kind, status, value, body) => {
      const headers = { "retry-after": value, date: value };
      const received = read(CHANNELS[kind], { status, headers, body });
      if (received.type !== "later" || received.afterMs === null) return;
      expect(received.afterMs).toBeGreaterThanOrEqual(0);
      expect(received.afterMs).toBeLessThanOrEqual(2_147_483_647_000);
      expect(Number.isInteger(received.afterMs)).toBe(true);
    }),
    { numRuns: rounds(200, 2000) },
  );
});

// Whatever the event, each message is within the limits of its service, and is what the service can read.

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
  const judged = async (events: readonly AlertEvent[], title: string): Promise<void> => {
    judge(await channelKind(channel).render(events, channel, occasion(SECRETS, { title })));
  };
  for (const event of [...FULLEST, ...WITH_MODELS, ...EMPTIEST]) await judged([event], "&".repeat(120));
  if (!(kind in PEOPLE)) return;
  for (const event of spread(FULLEST, 5)) await judged(Array<AlertEvent>(200).fill(event), "x");
  await judged([...EMPTIEST, ...FULLEST], "x");
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

// A gateway that writes what it likes into its answers: nobody is mentioned, and no link is forged.

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
