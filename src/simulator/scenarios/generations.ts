/**
 * Text in each protocol, embeddings and images that are answered at once, well or badly, while the model list is good. Consoles
 * that fail. All that a scenario leaves alone works, with any key.
 */
import { answerOf, ONLY_THOUGHTS, type Saying, USUAL } from "../protocols.ts";
import { isTextRoute, TEXT_ROUTES, SMALL_CHAT_MODEL } from "../api.ts";
import { answerAs, answerConsole } from "../service.ts";
import { envelope, HANG, RESET, html, json, raw, refusal, type ErrorCode } from "../wire.ts";
import {
  type Call,
  type Expectation,
  type Row,
  type Scenario,
  expects,
  scenario,
  scenarios,
} from "../scenario.ts";

const TEXT = { kind: "chat", takes: TEXT_ROUTES } as const;
const CONSOLE = { kind: "console", takes: ["console"] } as const;
const GOOD = expects("ok", 200);

const saying = (name: string, other: Partial<Saying>): Row => [
  name,
  (call, world) =>
    isTextRoute(call.route)
      ? answerOf(call.route, { ...call, model: SMALL_CHAT_MODEL }, { ...USUAL, ...other })
      : world.serve(call),
  TEXT,
];
const refused =
  (code: ErrorCode) =>
  ({ route }: Call) =>
    refusal(code, route);

const WORDLESS: readonly Scenario[] = [
  scenario(GOOD, saying("chat_thoughts_only", ONLY_THOUGHTS)),
  // Whatever is asked: an audit finds out.
  scenario(GOOD, saying("chat_other_task", {})),
  ...scenarios(expects("unexpected_response", 200), [
    saying("chat_empty", { words: [], outputTokens: null }),
    [
      "embeddings_empty",
      json(200, { object: "list", data: [{ object: "embedding", index: 0, embedding: [] }] }),
      { kind: "embeddings", takes: ["embeddings"] },
    ],
    ["image_empty", json(200, { created: 1, data: [] }), { kind: "image", takes: ["image_create"] }],
  ]),
];

const chats = (expect: Expectation, ...rows: readonly Row[]) => scenarios(expect, rows, TEXT);

const REFUSED: readonly Scenario[] = [
  ...chats(expects("wrong_url", 200), ["chat_html", html(200, "Welcome")]),
  ...chats(
    expects("upstream_unavailable", 503),
    ["chat_no_channel", refused("no_channel")],
    [
      "chat_no_channel_then_good",
      (call, world) => (call.count % 2 === 1 ? refusal("no_channel", call.route) : world.serve(call)),
    ],
  ),
  ...chats(expects("not_found", 404), ["chat_model_gone", refused("model_not_found")]),
  ...chats(expects("rate_limited", 429), ["chat_limited", refused("rate_limit_exceeded")]),
  ...chats(expects("insufficient_balance", 402), ["chat_402", refused("insufficient_balance")]),
  ...chats(expects("timeout", null, { hangs: true }), ["chat_no_answer", raw(HANG)]),
  ...chats(expects("connection_failed", null), ["chat_lost", raw(RESET)]),
];

const SUBSTITUTE = "gpt-4o-mini";
/** An hour, at one a minute. */
const ANSWERS_BEFORE = 60;

/** Good answers, one by one. What several in a row mean is the monitor's to say. */
const NAMES: readonly Scenario[] = chats(
  GOOD,
  ["model_aliased", (call) => answerAs(call, (asked) => `${asked}-2024-08-06`)],
  ["usage_false", (call) => answerAs(call, (asked) => asked, { inputTokens: 4 })],
  ["model_substituted", (call) => answerAs(call, () => SUBSTITUTE)],
  [
    "model_downgraded",
    (call) => answerAs(call, (asked) => (call.count <= ANSWERS_BEFORE ? asked : SUBSTITUTE)),
  ],
);

/** Consoles that fail, or whose balance is low, while the model API works (spec 2.3, 7.2). */
const CONSOLES: readonly Scenario[] = [
  scenario(expects("balance_low", 200), [
    "console_balance_low",
    (call) => answerConsole(call, 0.75),
    CONSOLE,
  ]),
  scenario(expects("business_error", 200), ["console_5000", envelope(5000, "Internal failure."), CONSOLE]),
  scenario(expects("wrong_url", 200), ["console_html", html(200, "Console"), CONSOLE]),
];

export const GENERATIONS: readonly Scenario[] = [...WORDLESS, ...REFUSED, ...NAMES, ...CONSOLES];
