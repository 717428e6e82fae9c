/** Bots of chats and pushes to phones. */
import { expect } from "vitest";
import { letterOf, opened, resolved } from "../telling.ts";
import {
  bytes,
  FORBIDS_FOR_NOW,
  GONE,
  isPlain,
  isWithin,
  LATER,
  NO_TOKEN,
  parsed,
  REFUSED,
  some,
  type Body,
  type ChannelEntry,
  type Kind,
  UNLINKED,
} from "./entry.ts";
import { DOWN, HTTPS, later, lineOf } from "./people.ts";

/** Both as openssl computes them. */
const FEISHU_SIGN = "J0Fj3J0fcdeOdfWwLHvXP9mjBa3azwmqAQDlnPTaI70=";
const DINGTALK_SIGN = "7g%2FxtJHeoX5Hdkk7aZ%2BowtrNvhGxqkwGC4nMchL4frU%3D";

export const BOTS = {
  feishu: {
    least: { kind: "feishu", url: "FEISHU_URL" },
    full: { kind: "feishu", url: "FEISHU_URL", secret: "FEISHU_SECRET", keyword: "Gateway" },
    config: { url: "FEISHU_URL", secret: "FEISHU_SECRET", keyword: "Gateway" },
    usual: { secret: undefined, keyword: undefined },
    examples: { url: "CHAT_URL", secret: "BOT_SECRET" },
    secrets: {
      FEISHU_URL: "https://open.feishu.example/open-apis/bot/v2/hook/x1y2z3",
      FEISHU_SECRET: "feishu-signing-secret",
    },
    badSecrets: [["FEISHU_SECRET", "hünter2", NO_TOKEN]],
    messages: [
      [
        "the health is the color, links are buttons, and the bot finds its keyword",
        [opened()],
        {
          body: some({
            // Of openssl: an empty message, and the key `<timestamp>\n<secret>`.
            timestamp: "1795176060",
            sign: FEISHU_SIGN,
            msg_type: "interactive",
            card: some({
              header: { title: { tag: "plain_text", content: DOWN }, template: "red" },
              elements: [
                some({ tag: "div" }),
                { tag: "action", actions: some({ length: 3 }) },
                { tag: "note", elements: [{ tag: "plain_text", content: "Gateway" }] },
              ],
            }),
          }),
        },
      ],
      [
        "what is over is green",
        [resolved()],
        { body: some({ card: some({ header: some({ template: "green" }) }) }) },
      ],
    ],
    said: {
      at: ({ card }: Body) => lineOf(card.elements[0].text.content),
      quoted: [
        ["<at id=all></at>", "**Answer:** HTTP 503: &#60;at id=all&#62;&#60;/at&#62;"],
        ["**bold** [x]", "**Answer:** HTTP 503: &#42;&#42;bold&#42;&#42; &#91;x&#93;"],
      ],
      unlinked: UNLINKED,
    },
    judge: (rendered) => {
      const { card, msg_type: type } = parsed(rendered);
      expect(type).toBe("interactive");
      isWithin(bytes(letterOf(rendered).body), 20_000);
      isPlain(card.header.title.content, 300, 1);
      for (const { text, actions = [] } of card.elements) {
        if (text) expect(text.content).not.toMatch(/<(?!\/?font)/);
        for (const { url } of actions) expect(url).toMatch(HTTPS);
      }
    },
    answers: [
      [
        [200],
        '{"code":19021,"msg":"sign match fail or timestamp is not within one hour from current time"}',
        REFUSED,
      ],
      [[200], '{"code":19024,"msg":"Key Words Not Found"}', REFUSED],
      [[200], '{"code":"19001","msg":"incoming webhook access token invalid"}', GONE],
      [[200], "<html>Log in</html>", LATER],
      [[200], '{"code":11232,"msg":"frequency limited psm"}', later(60_000)],
      ...FORBIDS_FOR_NOW,
    ],
  },
  dingtalk: {
    least: { kind: "dingtalk", url: "DINGTALK_URL" },
    full: { kind: "dingtalk", url: "DINGTALK_URL", secret: "DINGTALK_SECRET", keyword: "Gateway" },
    config: { url: "DINGTALK_URL", secret: "DINGTALK_SECRET", keyword: "Gateway" },
    usual: { secret: undefined, keyword: undefined },
    examples: { url: "CHAT_URL", secret: "BOT_SECRET" },
    secrets: {
      DINGTALK_URL: "https://oapi.dingtalk.example/robot/send?access_token=x1y2z3",
      DINGTALK_SECRET: "SECdingtalk-signing-secret",
    },
    badSecrets: [["DINGTALK_SECRET", "hünter2", NO_TOKEN]],
    messages: [
      [
        "the address is signed, and the robot finds its keyword",
        [opened()],
        {
          url: `https://oapi.dingtalk.example/robot/send?access_token=x1y2z3&timestamp=1795176060000&sign=${DINGTALK_SIGN}`,
          body: some({
            msgtype: "markdown",
            markdown: {
              title: DOWN,
              text: expect.stringMatching(/^### <font color="#d92d20">Down: [^]*\n\nGateway$/),
            },
          }),
        },
      ],
    ],
    said: {
      at: ({ markdown }: Body) => lineOf(markdown.text),
      quoted: [
        ["![x](a.png)", "**Answer:** HTTP 503: !［x］(a.png)"],
        ["@all **x**", "**Answer:** HTTP 503: @\u200ball ＊＊x＊＊"],
      ],
      unlinked: UNLINKED,
    },
    judge: (rendered) => {
      const { markdown } = parsed(rendered);
      isWithin(bytes(letterOf(rendered).body), 20_000);
      isPlain(markdown.title, 200, 1);
      isPlain(markdown.text);
    },
    answers: [
      [[200], '{"errcode":310000,"errmsg":"keywords not in content"}', REFUSED],
      [[200], '{"errcode":130101,"errmsg":"send too fast, exceed 20 times per minute"}', later(60_000)],
      [[200], '{"errcode":410100,"errmsg":"send too fast"}', later(60_000)],
      [[200], '{"errcode":-1,"errmsg":"system busy"}', later(60_000)],
      [[200], '{"errcode":400102,"errmsg":"robot is stopped"}', GONE],
      ...FORBIDS_FOR_NOW,
    ],
  },
  wecom: {
    least: { kind: "wecom", url: "WECOM_URL" },
    config: { url: "WECOM_URL" },
    examples: { url: "CHAT_URL" },
    secrets: { WECOM_URL: "https://qyapi.weixin.example/cgi-bin/webhook/send?key=x1y2z3" },
    messages: [
      [
        "one event",
        [opened()],
        {
          body: some({
            msgtype: "markdown",
            markdown: {
              content: expect.stringMatching(/^\*\*<font color="warning">Down: [^]*\[Incident\]\(https/),
            },
          }),
        },
      ],
    ],
    said: {
      at: ({ markdown }: Body) => lineOf(markdown.content),
      quoted: [["<@zhang> [x](y)", "**Answer:** HTTP 503: ＜@\u200bzhang＞ ［x］(y)"]],
      unlinked: UNLINKED,
    },
    judge: (rendered) => {
      const { markdown } = parsed(rendered);
      isWithin(bytes(markdown.content), 4096, 1);
      isPlain(markdown.content);
    },
    answers: [
      [[200], '{"errcode":45009,"errmsg":"api freq out of limit"}', later(60_000)],
      ...FORBIDS_FOR_NOW,
    ],
  },
  googlechat: {
    least: { kind: "googlechat", url: "GOOGLE_CHAT_URL" },
    config: { url: "GOOGLE_CHAT_URL" },
    examples: { url: "CHAT_URL" },
    secrets: { GOOGLE_CHAT_URL: "https://chat.googleapis.example/v1/spaces/A/messages?key=k1&token=t1" },
    said: {
      at: ({ text }: Body) => lineOf(text),
      quoted: [["<users/all> *x*", "*Answer:* HTTP 503: ＜users/all＞ ＊x＊"]],
      unlinked: UNLINKED,
    },
    judge: (rendered) => isPlain(parsed(rendered).text, 4096, 1),
    answers: [
      [[403, 404], '{"error":{"code":404,"status":"NOT_FOUND"}}', GONE],
      [[403, 404], "<html>", LATER],
    ],
  },
  mattermost: {
    least: { kind: "mattermost", url: "MATTERMOST_URL" },
    config: { url: "MATTERMOST_URL" },
    examples: { url: "CHAT_URL" },
    secrets: { MATTERMOST_URL: "https://chat.acme.example/hooks/x1y2z3" },
    said: {
      at: ({ attachments }: Body) => lineOf(attachments[0].text),
      quoted: [["@channel ![x](y)", "**Answer:** HTTP 503: @\u200bchannel !［x］(y)"]],
      unlinked: UNLINKED,
    },
    judge: (rendered) => {
      const [{ title, text, color }] = parsed(rendered).attachments;
      isPlain(title, 300, 1);
      isPlain(text, 4000);
      expect(color).toMatch(/^#[0-9a-f]{6}$/);
    },
  },
  matrix: {
    least: { kind: "matrix", url: "MATRIX_URL", token: "MATRIX_TOKEN", room: "!abc:acme.example" },
    config: { url: "MATRIX_URL", token: "MATRIX_TOKEN", room: "!abc:acme.example" },
    examples: { url: "ALERT_URL", token: "MATRIX_TOKEN" },
    secrets: { MATRIX_URL: "https://matrix.acme.example/", MATRIX_TOKEN: "syt_token-of-the-bot" },
    badSecrets: [["MATRIX_TOKEN", "hünter2", NO_TOKEN]],
    messages: [
      [
        "several events are one transaction",
        [opened({ id: "first" }), opened({ id: "last/1" })],
        {
          method: "PUT",
          url: "https://matrix.acme.example/_matrix/client/v3/rooms/!abc%3Aacme.example/send/m.room.message/2-last%2F1",
          headers: { "content-type": "application/json", authorization: "Bearer syt_token-of-the-bot" },
        },
      ],
    ],
    said: {
      at: ({ formatted_body: html }: Body) => lineOf(html.replaceAll("<br>", "\n")),
      quoted: [["<b>@room</b> & x", "<b>Answer:</b> HTTP 503: &lt;b&gt;@room&lt;/b&gt; &amp; x"]],
      unlinked: UNLINKED,
    },
    judge: (rendered) => {
      isWithin(bytes(letterOf(rendered).body), 60_000);
      isPlain(parsed(rendered).body);
      expect(parsed(rendered)["m.mentions"]).toEqual({});
    },
    answers: [
      [[401], '{"errcode":"M_UNKNOWN_TOKEN","error":"Unrecognised access token"}', LATER],
      [[429], '{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2000}', LATER],
    ],
  },
  bark: {
    least: { kind: "bark", url: "BARK_URL" },
    config: { url: "BARK_URL" },
    examples: { url: "CHAT_URL" },
    secrets: { BARK_URL: "https://api.day.example/x1y2z3" },
    said: {
      at: ({ body }: Body) => lineOf(body),
      quoted: [["*x*", "Answer: HTTP 503: *x*"]],
      unlinked: UNLINKED,
    },
    judge: (rendered) => {
      isWithin(bytes(letterOf(rendered).body), 4096);
      isPlain(parsed(rendered).body);
    },
    answers: FORBIDS_FOR_NOW,
  },
  serverchan: {
    least: { kind: "serverchan", url: "SERVERCHAN_URL" },
    config: { url: "SERVERCHAN_URL" },
    examples: { url: "CHAT_URL" },
    secrets: { SERVERCHAN_URL: "https://sctapi.ftqq.example/x1y2z3.send" },
    said: {
      at: ({ desp }: Body) => lineOf(desp),
      quoted: [["![x](y)", "**Answer:** HTTP 503: !［x］(y)"]],
      unlinked: UNLINKED,
    },
    judge: (rendered) => {
      const { title, desp } = parsed(rendered);
      isPlain(title, 32, 1);
      isPlain(desp);
      isWithin(bytes(letterOf(rendered).body), 32_768);
    },
  },
  gotify: {
    least: { kind: "gotify", url: "GOTIFY_URL", token: "GOTIFY_TOKEN" },
    config: { url: "GOTIFY_URL", token: "GOTIFY_TOKEN" },
    examples: { url: "ALERT_URL", token: "GOTIFY_TOKEN" },
    secrets: { GOTIFY_URL: "https://push.acme.example/gotify/", GOTIFY_TOKEN: "gotify-application-token" },
    badSecrets: [["GOTIFY_TOKEN", "hünter2", NO_TOKEN]],
    messages: [
      [
        "the token is a header, and a server below a path keeps it",
        [opened()],
        {
          url: "https://push.acme.example/gotify/message",
          headers: { "content-type": "application/json", "x-gotify-key": "gotify-application-token" },
          body: some({ title: DOWN, priority: 9 }),
        },
      ],
    ],
    said: {
      at: ({ message }: Body) => lineOf(message),
      quoted: [["*x*", "Answer: HTTP 503: *x*"]],
      unlinked: UNLINKED,
    },
    judge: (rendered) => isPlain(parsed(rendered).message, 8000, 1),
    answers: FORBIDS_FOR_NOW,
  },
  pushover: {
    least: { kind: "pushover", token: "PUSHOVER_TOKEN", user: "PUSHOVER_USER" },
    config: { token: "PUSHOVER_TOKEN", user: "PUSHOVER_USER" },
    examples: { token: "PUSHOVER_TOKEN", user: "PUSHOVER_USER" },
    secrets: { PUSHOVER_TOKEN: "pushover-application-token", PUSHOVER_USER: "pushover-key-of-the-user" },
    badSecrets: [["PUSHOVER_TOKEN", "hünter2", NO_TOKEN]],
    messages: [
      [
        "what is over is no emergency",
        [resolved()],
        { body: some({ user: "pushover-key-of-the-user", priority: 0, url_title: "Incident" }) },
      ],
    ],
    said: {
      at: ({ message }: Body) => lineOf(message),
      quoted: [["*x*", "Answer: HTTP 503: *x*"]],
      unlinked: UNLINKED,
    },
    judge: (rendered) => {
      const { title, message, url = "https://x", url_title: label = "" } = parsed(rendered);
      isPlain(title, 250, 1);
      isPlain(message, 1024, 1);
      isWithin(url.length, 512);
      isWithin(label.length, 100);
      expect(url).toMatch(HTTPS);
    },
  },
} as const satisfies { readonly [Of in Kind]?: ChannelEntry<Of> };
