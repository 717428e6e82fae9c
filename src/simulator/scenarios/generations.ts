/**
 * Chat, messages, embeddings and images that are answered at once, well or badly, while the model list is good. Lists that do
 * not match what is served (spec 4.1). Consoles that fail. All that a scenario leaves alone works, with any key.
 */
import { answerConsole, chatAnswer, messagesAnswer } from "../service.ts";
import { chatError, envelope, HANG, OVERLOADED, RESET, html, json, raw, tooMany } from "../wire.ts";
import { MODEL_IDS, SMALL_CHAT_MODEL, modelList } from "../models.ts";
import { type Expectation, type Row, type Scenario, expects, scenario, scenarios } from "../scenario.ts";

const CHAT = { kind: "chat", takes: ["chat"] } as const;
const MESSAGES = { kind: "messages", takes: ["messages"] } as const;
const CONSOLE = { kind: "console", takes: ["console"] } as const;
const LIST_ALONE = { kind: "chat", takes: ["models"] } as const;
const GOOD = expects("ok", 200);

const noChannel = chatError("no_channel");

const WORDLESS: readonly Scenario[] = [
  ...scenarios(GOOD, [
    [
      "chat_thoughts_only",
      chatAnswer({ content: "", reasoning_content: "The user sends a ping" }, "length", 16),
      CHAT,
    ],
    [
      "messages_thoughts_only",
      messagesAnswer(
        { type: "thinking", thinking: "The user sends a ping", signature: "" },
        "max_tokens",
        16,
      ),
      MESSAGES,
    ],
  ]),
  ...scenarios(expects("unexpected_response", 200), [
    ["chat_limit_without_tokens", chatAnswer({ content: "" }, "length", null), CHAT],
    ["chat_blank", chatAnswer({ content: "" }, "stop", 0), CHAT],
    ["chat_empty", json(200, { id: "chatcmpl-0", object: "chat.completion", choices: [] }), CHAT],
    [
      "embeddings_empty",
      json(200, { object: "list", data: [{ object: "embedding", index: 0, embedding: [] }] }),
      { kind: "embeddings", takes: ["embeddings"] },
    ],
    ["image_empty", json(200, { created: 1, data: [] }), { kind: "image", takes: ["image_create"] }],
  ]),
];

const chats = (expect: Expectation, ...rows: readonly Row[]) => scenarios(expect, rows, CHAT);

const REFUSED: readonly Scenario[] = [
  ...chats(expects("wrong_url", 200), ["chat_html", html(200, "Welcome")]),
  ...chats(
    expects("upstream_unavailable", 503),
    ["chat_no_channel", noChannel],
    [
      "chat_no_channel_then_good",
      (call, world) => (call.countOfRoute % 2 === 1 ? noChannel : world.serve(call)),
    ],
  ),
  ...chats(expects("not_found", 404), [
    "chat_model_gone",
    chatError("model_not_found", { message: `The model ${SMALL_CHAT_MODEL} does not exist.` }),
  ]),
  ...chats(expects("rate_limited", 429), ["chat_limited", tooMany()]),
  ...chats(expects("rate_limited", 429, { afterSeconds: 3600 }), ["chat_limited_3600", tooMany("3600")]),
  ...chats(expects("insufficient_balance", 402), ["chat_402", chatError("insufficient_balance")]),
  ...chats(expects("timeout", null, { hangs: true }), ["chat_no_answer", raw(HANG)]),
  ...chats(expects("connection_failed", null), ["chat_lost", raw(RESET)]),
  scenario(expects("upstream_unavailable", 529), ["messages_overloaded", OVERLOADED, MESSAGES]),
];

const LISTS: readonly Scenario[] = scenarios(
  GOOD,
  [
    ["list_without_chat_model", json(200, modelList(MODEL_IDS.filter((id) => id !== SMALL_CHAT_MODEL)))],
    ["list_503", chatError("upstream_unavailable")],
    ["list_slow", (call, world) => world.serve(call), { delayMs: 300 }],
  ],
  LIST_ALONE,
);

export const GENERATIONS: readonly Scenario[] = [...WORDLESS, ...REFUSED, ...LISTS];

/** Consoles that fail, or whose balance is low, while the model API works (spec 2.3, 7.2). */
export const CONSOLES: readonly Scenario[] = [
  scenario(expects("balance_low", 200), [
    "console_balance_low",
    (call) => answerConsole(call, 0.75),
    CONSOLE,
  ]),
  scenario(expects("business_error", 200), ["console_5000", envelope(5000, "Internal failure."), CONSOLE]),
  scenario(expects("wrong_url", 200), ["console_html", html(200, "Console"), CONSOLE]),
];
