/** `/explain`: the form, and the verdict below it, whole without scripts. */
import { expect, test } from "vitest";
import { config } from "../fixtures/config.ts";
import { ask, BROWSER, LIMIT, post, postForm } from "./explain-asking.ts";
import { expectWords, readHtml, textOf } from "./html.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const CURL = `HTTP/1.1 402 Payment Required
content-type: application/json
x-request-id: req_77

{"error":{"message":"balance is not enough","type":"insufficient_quota","code":"insufficient_balance"}}`;
const SAVED = JSON.stringify({
  status: 402,
  headers: { "x-request-id": "req_77" },
  body: '{"error":{"message":"balance is not enough","type":"insufficient_quota","code":"insufficient_balance"}}',
});

async function shown(fields: Readonly<Record<string, string>>, query = ""): Promise<string> {
  const answer = await postForm(fields, query);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  return answer.text();
}

function areaOf(html: string): string {
  const [, area = ""] = /<textarea[^>]*>([\s\S]*?)<\/textarea>/u.exec(html) ?? [];
  return readHtml(area).texts.join("");
}

test("the form has a name for each of its parts, sends UTF-8 to its own address, and leads to the verdict", async () => {
  const html = await (await ask("/explain", { headers: BROWSER })).text();
  expect(html).toContain('action="/explain#result" method="post" accept-charset="utf-8"');
  for (const name of ["text", "kind"]) {
    expectWords(html, [`<label for="${name}">`, ` id="${name}" name="${name}"`]);
  }
  expectWords(html, [], ['id="result"', "<script"]);
});

test("it has the configured name and language, also where nothing is published", async () => {
  const site = config([], { title: "Harbor models", language: "zh" });
  const body = new URLSearchParams({ text: SAVED });
  const html = await (
    await world.ask("/explain", { method: "POST", headers: BROWSER, body }, { config: site })
  ).text();
  expectWords(html, ["Harbor models", '<html lang="zh-Hans">', "余额已用尽"]);
});

test("the verdict tells what was taken, what it means, whose turn it is, whether to repeat, and what to send", async () => {
  const html = await shown({ text: SAVED, kind: "chat" });
  expectWords(textOf(html), [
    "What it means Blocked The balance is used up This is no outage of the gateway.",
    "Whose turn: yours, or the key owner’s.",
    "Do not retry automatically: it does not help, or may do harm.",
    "Taken for: an answer with its status, as JSON. What was asked: a chat completion.",
    "# Problem report - HTTP status: `402` - Error type: `insufficient_quota` - Error code: `insufficient_balance` - Request id: `req_77` - Cause: `The balance is used up (insufficient_balance)` - Message: `balance is not enough`",
  ]);
  // Nobody told that.
  expect(html).not.toMatch(/Time zone|Attempts|Streaming|Client|Report id/u);
  // The page and the API say the same.
  const api = (await (await post("application/json", SAVED, "?kind=chat")).json()) as {
    diagnosis: { advice: string; cause: string };
  };
  expect(textOf(html)).toContain(api.diagnosis.advice);
  expect(html).toContain(`<code>${api.diagnosis.cause}</code>`);
});

test("who runs the gateway is asked, decides whose turn it is, and stays as it was answered", async () => {
  const text = '{"status":500,"body":"{}"}';
  const [theirs, ours] = [await shown({ text }), await shown({ text, operator: "us" })];
  expect(textOf(theirs)).toContain("Whose turn: the gateway’s operator.");
  expect(textOf(ours)).toContain("Whose turn: yours, because you run this gateway.");
  const box = '<input type="checkbox" name="operator" value="us"';
  expectWords(theirs, [`<label>${box}> I run this gateway</label>`]);
  expectWords(ours, [`<label>${box} checked> I run this gateway</label>`]);
});

test("where the paste tells of the request, the report has its time and address, without its key", async () => {
  const authorization = { name: "authorization", value: "Bearer sk-proj-Zk3vT9qLw8XbN2mR7cYd5HfJ1gPs6AeU" };
  const entry = {
    startedDateTime: "2026-11-20T12:00:00.000Z",
    request: {
      method: "GET",
      url: "https://gateway.example/v1/models",
      headers: [authorization],
    },
    response: { status: 503, headers: [], content: { mimeType: "text/plain", text: "busy" } },
  };
  const html = await shown({ text: JSON.stringify(entry) });
  expectWords(textOf(html.slice(html.lastIndexOf("<pre"))), [
    "- Requested at: `2026-11-20T12:00:00.000+00:00`",
    "- Endpoint: `https://gateway.example/v1/models`",
  ]);
  expect(html).not.toContain("Zk3vT9");
});

const AGAIN = "You can retry if the request is safe to repeat.";

interface Verdict {
  readonly kind?: string;
  /** In words. */
  readonly told?: readonly string[];
  /** In words or markup. */
  readonly absent?: readonly string[];
  readonly markup?: readonly string[];
}

test.each<[title: string, text: object | string, Verdict]>([
  [
    "what a wait is asked for is told with the leave to repeat",
    { status: 429, headers: { "retry-after": "90" }, body: '{"error":{"code":"rate_limit"}}' },
    { told: [`${AGAIN} The gateway asks to wait 1 min 30 s.`] },
  ],
  [
    "where none is asked for it is told to wait longer each time",
    { status: 503, body: "" },
    { told: [`${AGAIN} Wait longer each time`] },
  ],
  [
    "without a status nothing is said of repeating, and what was not known is told",
    '{"code":5000,"message":"x"}',
    {
      told: [
        "The text has no HTTP status, so 200 was assumed.",
        "What was asked is a guess.",
        "Without its HTTP status, it is not known whether you can retry.",
      ],
    },
  ],
  [
    "a good answer is green, and has neither a report nor a word of repeating",
    { status: 200, body: '{"data":[]}' },
    {
      kind: "models",
      told: ["Taken for: an answer with its status, as JSON. What was asked: the list of models."],
      absent: ["Markdown", "sent again"],
      markup: ['<div class="banner up" role="status">'],
    },
  ],
  [
    "what cannot be excluded is told, and the entry of the cause is linked",
    { status: 200, body: '{"code":4004,"message":"no"}' },
    { told: ["It may also be: The key lacks permission."], markup: ['<a href="/causes#not_found">'] },
  ],
])("%s", async (_, text, { kind = "", told = [], absent, markup = [] }) => {
  const html = await shown({ text: typeof text === "string" ? text : JSON.stringify(text), kind });
  expectWords(textOf(html), told);
  expectWords(html, markup, absent);
});

test.each([
  ["Error inside HTTP 200", "api_error"],
  ["Balance used up", "insufficient_balance"],
  ["Web page instead of JSON", "wrong_url"],
  ["Rate limit", "rate_limited"],
  ["Upstream outage", "upstream_unavailable"],
  ["Wrong model name", "not_found"],
])("the example “%s” is a button that explains %s", async (name, cause) => {
  const page = await (await ask("/explain", { headers: BROWSER })).text();
  const [, form = ""] = page.split(`>${name}</button>`, 1)[0]?.split(/<form (?!.*<form )/su) ?? [];
  const [text = "", kind = ""] = [...form.matchAll(/ value="([^"]*)"/gu)].map(
    ([, value = ""]) => readHtml(value).texts[0],
  );
  expect(page.split(`name="kind" value="`)).toHaveLength(7);
  const html = await shown({ text, kind });
  expectWords(html, [`<a href="/causes#${cause}">`, `<option value="${kind}" selected>`], ["guessed"]);
});

test.each(["hello world", "{}"])(
  "of %s the page says that it is no answer, and gives no verdict",
  async (text) => {
    const html = await shown({ text });
    expect(textOf(html)).toContain("This does not look like a gateway’s answer. Paste it with its status");
    expect(textOf(html)).not.toMatch(/wrong_url|Working|support desk/u);
    expect(areaOf(html)).toContain(text);
  },
);

test("lines that end as browsers end them are read as they were", async () => {
  const plain = await shown({ text: CURL, kind: "chat" });
  expect(await shown({ text: CURL.replaceAll("\n", "\r\n"), kind: "chat" })).toBe(plain);
  expect(areaOf(plain)).toBe(`\n${CURL}`);
});

test("the form shows again what was sent, without its secrets, and says so", async () => {
  const key = "sk-proj-Zk3vT9qLw8XbN2mR7cYd5HfJ1gPs6AeU";
  const text = `{"error":{"message":"Incorrect API key provided: ${key}"}}`;
  const html = await shown({ text, kind: "chat" });
  expect(html).not.toContain("Zk3vT9");
  expect(areaOf(html)).toBe('\n{"error":{"message":"Incorrect API key provided: [redacted]"}}');
  expect(html).toContain('<option value="chat" selected>');
  expect(textOf(html)).toContain("Secrets were removed from the text below.");
  const none = await shown({ text: '{"error":{"message":"no"}}', kind: "chat" });
  expect(textOf(none)).not.toContain("Secrets were removed");
});

test("a long text is explained, and not shown again", async () => {
  const padded = (size: number) => JSON.stringify({ status: 503, body: "x ".repeat(size / 2) });
  expect(areaOf(await shown({ text: padded(10_000) }))).toContain("x x x");
  const html = await shown({ text: padded(20_000) });
  expect(areaOf(html)).toBe("\n");
  expect(textOf(html)).toContain("The text is too long to show again.");
});

const TOO_LONG = "é".repeat(LIMIT / 2 + 1);

test.each([
  ["a blank text", 400, { text: " \r\n " }, "The text is blank."],
  ["no text", 400, {}, "The text is blank."],
  ["a text too long", 413, { text: TOO_LONG }, "At most 262,144 bytes can be explained at once."],
])("of %s the page says what is wrong, below the form", async (_, status, fields, told) => {
  const answer = await postForm(fields);
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([status, "no-store"]);
  const html = await answer.text();
  expectWords(html, ['<h2 id="result" tabindex="-1">', "<textarea"]);
  expect(textOf(html)).toContain(told);
  expect(textOf(await (await postForm(fields, "?lang=zh")).text())).not.toContain(told);
});

test.each([
  ["text/plain", "x"],
  ["application/json", SAVED],
])("a body of the type %s is no form", async (type, body) => {
  const headers = { "content-type": type };
  const page = await ask("/explain", { method: "POST", headers: { ...headers, ...BROWSER }, body });
  expect([page.status, page.headers.get("content-type")]).toEqual([415, "text/html; charset=utf-8"]);
  const problem = await ask("/explain", { method: "POST", headers, body });
  expect([problem.status, problem.headers.get("content-type")]).toEqual([415, "application/problem+json"]);
});
