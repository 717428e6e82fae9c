/**
 * Chat, messages, embeddings and images that are answered at once, well and not, while the model list is good; and lists
 * that do not agree with what is served (spec 4.1). Everything that a scenario does not take over works, with any key.
 */
import { chatError, messagesError, HANG, RESET, type Reply, html, json, raw } from "../wire.ts";
import { chatUsage } from "../event-stream.ts";
import { MODEL_IDS, SMALL_CHAT_MODEL, modelList } from "../models.ts";
import { type Scenario, expects, scenario } from "../scenario.ts";

const CHAT = { kind: "chat", takes: ["chat"] } as const;
const MESSAGES = { kind: "messages", takes: ["messages"] } as const;
const LIST_ALONE = { kind: "chat", takes: ["models"] } as const;
const GOOD = expects("ok", 200);
const NO_EVIDENCE = expects("unexpected_response", 200);
const SENT_ONCE = "A generation is sent once unless configured otherwise.";

function chatOf(message: object, finishReason: string, usage: object): Reply {
  return json(200, {
    id: "chatcmpl-0",
    object: "chat.completion",
    created: 1_700_000_000,
    model: SMALL_CHAT_MODEL,
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finishReason }],
    ...usage,
  });
}

const spent = (tokens: number) => ({ usage: chatUsage(tokens) });
const noChannel = chatError(503, "upstream_error", "no_channel", "No channel serves this model.");
const tooMany = (headers = {}) =>
  chatError(429, "rate_limit_error", "rate_limit_exceeded", "Too many requests.", headers);

const WORDLESS: readonly Scenario[] = [
  scenario(
    "chat_thoughts_only",
    "A chat answer whose limit of tokens is spent on thoughts.",
    chatOf({ content: "", reasoning_content: "The user sends a ping" }, "length", spent(16)),
    GOOD,
    CHAT,
  ),
  scenario(
    "chat_limit_without_tokens",
    "A chat answer without a word that says length, and tells no tokens.",
    chatOf({ content: "" }, "length", {}),
    NO_EVIDENCE,
    CHAT,
  ),
  scenario(
    "chat_blank",
    "A chat answer that stopped by itself, without a word.",
    chatOf({ content: "" }, "stop", spent(0)),
    NO_EVIDENCE,
    CHAT,
  ),
  scenario(
    "chat_empty",
    "A chat answer without a choice.",
    json(200, { id: "chatcmpl-0", object: "chat.completion", choices: [] }),
    NO_EVIDENCE,
    CHAT,
  ),
  scenario(
    "messages_thoughts_only",
    "A message whose limit of tokens is spent on thoughts.",
    json(200, {
      id: "msg_0",
      type: "message",
      role: "assistant",
      model: SMALL_CHAT_MODEL,
      content: [{ type: "thinking", thinking: "The user sends a ping", signature: "" }],
      stop_reason: "max_tokens",
      usage: { input_tokens: 4, output_tokens: 16 },
    }),
    GOOD,
    MESSAGES,
  ),
  scenario(
    "embeddings_empty",
    "Embeddings with a vector of no numbers.",
    json(200, { object: "list", data: [{ object: "embedding", index: 0, embedding: [] }] }),
    NO_EVIDENCE,
    { kind: "embeddings", takes: ["embeddings"] },
  ),
  scenario(
    "image_empty",
    "An image answer without an image.",
    json(200, { created: 1, data: [] }),
    NO_EVIDENCE,
    { kind: "image", takes: ["image_create"] },
  ),
];

const REFUSED: readonly Scenario[] = [
  scenario("chat_html", "A page for every chat.", html(200, "Welcome"), expects("wrong_url", 200), CHAT),
  scenario(
    "chat_no_channel",
    "A good list, and 503 for every chat.",
    noChannel,
    expects("upstream_unavailable", 503),
    {
      ...CHAT,
      note: SENT_ONCE,
    },
  ),
  scenario(
    "chat_no_channel_then_good",
    "503 for one chat, and the next one is good, again and again.",
    (call, world) => (call.countOfRoute % 2 === 1 ? noChannel : world.serve(call)),
    expects("upstream_unavailable", 503),
    { ...CHAT, note: `The expectation is of the first probe. ${SENT_ONCE}` },
  ),
  scenario(
    "chat_model_gone",
    "A model that is listed, and 404 for every chat with it.",
    chatError(
      404,
      "invalid_request_error",
      "model_not_found",
      `The model ${SMALL_CHAT_MODEL} does not exist.`,
    ),
    expects("not_found", 404),
    CHAT,
  ),
  scenario(
    "chat_limited",
    "429 without Retry-After for every chat.",
    tooMany(),
    expects("rate_limited", 429),
    {
      ...CHAT,
      note: SENT_ONCE,
    },
  ),
  scenario(
    "chat_limited_3600",
    "429 with Retry-After: 3600 for every chat.",
    tooMany({ "retry-after": "3600" }),
    expects("rate_limited", 429, { afterSeconds: 3600 }),
    CHAT,
  ),
  scenario(
    "chat_402",
    "402 insufficient_balance for every chat.",
    chatError(402, "insufficient_quota", "insufficient_balance", "The balance is used up."),
    expects("insufficient_balance", 402),
    CHAT,
  ),
  scenario(
    "chat_no_answer",
    "Takes a chat and never answers.",
    raw(HANG),
    expects("timeout", null, { hangs: true }),
    CHAT,
  ),
  scenario(
    "chat_lost",
    "Takes a chat and resets the connection.",
    raw(RESET),
    expects("connection_failed", null),
    CHAT,
  ),
  scenario(
    "messages_overloaded",
    "529 for every message.",
    messagesError(529, "overloaded_error", "Overloaded."),
    expects("upstream_unavailable", 529),
    MESSAGES,
  ),
];

const LISTS: readonly Scenario[] = [
  scenario(
    "list_without_chat_model",
    "A list without the small chat model, which works all the same.",
    json(200, modelList(MODEL_IDS.filter((id) => id !== SMALL_CHAT_MODEL))),
    GOOD,
    { ...LIST_ALONE, note: "Beside a monitor of the list a chat is asked for once a day." },
  ),
  scenario(
    "list_503",
    "503 for the list, while all else works.",
    chatError(503, "upstream_error", "upstream_unavailable", "The upstream is not available."),
    GOOD,
    { ...LIST_ALONE, note: "Beside a monitor of the list a chat is not asked for." },
  ),
  scenario(
    "list_slow",
    "A list that takes 300 ms, while all else works at once.",
    (call, world) => world.serve(call),
    GOOD,
    { ...LIST_ALONE, delayMs: 300 },
  ),
];

export const GENERATIONS: readonly Scenario[] = [...WORDLESS, ...REFUSED, ...LISTS];
