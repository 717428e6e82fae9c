/** Answers that attack who reads them: markup, control characters, and the received key in every disguise. Pure data. */
import { chatError, CLOSE, anonymous, head, html, json, raw, write } from "../wire.ts";
import { modelList } from "../api.ts";
import { type Call, type Row, type Scenario, expects, scenario, scenarios } from "../scenario.ts";

const FORBIDDEN = expects("permission_denied", 403);
const GOOD_ONE = expects("ok", 200, { modelCount: 1 });
const GOOD_PAIR = expects("ok", 200, { modelCount: 2 });

const MARKUP = `<script>alert(1)</script><img src=x onerror=alert(1)>"'&lt;`;
const CONTROLS = "\u0000\u0007\u001b[31mred\u001b[0m\r\nX-Injected: 1\u2028\u202e\u0085";
/** With a combining mark and half a surrogate pair. */
const EMOJI = "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 e\u0301 \uD800";
const STRANGERS_TOKEN = `Bearer sk-${"0123456789abcdef".repeat(2)}`;

const TEXTS = Object.entries({
  html: MARKUP,
  controls: CONTROLS,
  emoji: EMOJI,
  token: STRANGERS_TOKEN,
  long: "x".repeat(100_000),
});

const notAllowed = (message: string, headers = {}) => chatError("model_not_allowed", { message, headers });

const HOSTILE_TEXTS: readonly Scenario[] = [
  ...scenarios(
    GOOD_PAIR,
    TEXTS.map(([name, words]): Row => [`models_${name}`, json(200, modelList([words, "sim-chat-small"]))]),
  ),
  ...scenarios(FORBIDDEN, [
    ...TEXTS.map(([name, words]): Row => [`message_${name}`, notAllowed(words)]),
    ["request_id_long", notAllowed("No.", { "x-request-id": "r".repeat(4000) })],
  ]),
];

const bodyOf = (body: string) => ({ ...json(200, null), body });

const HOSTILE_FIELDS: readonly Scenario[] = scenarios(GOOD_ONE, [
  [
    "prototype_keys",
    bodyOf('{"__proto__":{"code":5000},"constructor":{"error":"x"},"data":[{"id":"__proto__"}]}'),
  ],
]);

/** What a gateway could make of the key it received. */
const DISGUISES: Readonly<Record<string, (key: string) => string>> = {
  whole: (key) => key,
  first_half: (key) => `${key.slice(0, Math.ceil(key.length / 2))}...`,
  ends: (key) => `${key.slice(0, 6)}****${key.slice(-6)}`,
  url_encoded: (key) => encodeURIComponent(key),
  base64: (key) => Buffer.from(key).toString("base64"),
  basic: (key) => `Basic ${Buffer.from(`user:${key}`).toString("base64")}`,
};

const ECHOES: readonly Scenario[] = scenarios(
  expects("authentication", 401),
  Object.entries(DISGUISES).map(([name, disguise]): Row => [
    `echo_key_${name}`,
    (call) => echo(call, disguise(call.key)),
  ]),
);

function echo(call: Call, secret: string) {
  const error = {
    message: `The key ${secret} is not valid; got "authorization: ${secret}".`,
    type: secret,
    code: `bad_${secret}`,
    request_id: secret,
    param: { key: secret },
  };
  const headers = { "x-request-id": `${call.requestId}-${secret}`, "retry-after": secret, server: secret };
  return json(401, { error, request_id: secret, message: secret }, headers);
}

const ECHO_PLACES: readonly Scenario[] = [
  scenario(GOOD_PAIR, ["echo_key_in_models", (call) => json(200, modelList([call.key, `ft:${call.key}:1`]))]),
  scenario(GOOD_ONE, [
    "echo_key_in_request_id",
    (call) => json(200, modelList(["sim-chat-small"]), { "x-request-id": call.key }),
  ]),
  scenario(expects("business_error", 200), [
    "echo_key_in_envelope",
    ({ key }) => anonymous(json(200, { code: 5000, message: key, data: key, request_id: key })),
  ]),
  scenario(expects("wrong_url", 200), ["echo_key_in_page", (call) => html(200, `Hello ${call.key}`)]),
  scenario(expects("wrong_url", 302), [
    "echo_key_in_location",
    (call, world) =>
      html(302, "Moved", { location: `${world.elsewhere}/?key=${encodeURIComponent(call.key)}` }),
  ]),
  scenario(expects("service_misconfigured", 500), [
    "echo_key_in_status_line",
    (call) => raw(write(head(`500 ${call.key}`, { "content-length": "0", connection: "close" })), CLOSE),
  ]),
];

export const HOSTILE_ANSWERS: readonly Scenario[] = [
  ...HOSTILE_TEXTS,
  ...HOSTILE_FIELDS,
  ...ECHOES,
  ...ECHO_PLACES,
];
