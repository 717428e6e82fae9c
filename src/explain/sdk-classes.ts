/** The exceptions of the clients, and what each says by its name alone. Pure data, from the clients' documents. */

/**
 * A number: the status of the class. `other`: a status without a class, or an error event of a stream. `status`: an answer with
 * a status that the name does not show. `stream`: the client throws it for an answer, and for an error event inside a good one.
 * `network`, `timeout`: there was no complete answer. `server`: 5xx. `unread`: a good status, and a body that the client could
 * not read.
 */
export type ClassMeaning =
  | number
  | "status"
  | "server"
  | "other"
  | "stream"
  | "network"
  | "timeout"
  | "unread";

/** Error classes of the official clients, LiteLLM, and the HTTP clients beneath them. */
const CLASSES: readonly (readonly [ClassMeaning, string])[] = [
  [400, "BadRequestError ContextWindowExceededError ContentPolicyViolationError UnsupportedParamsError"],
  [401, "AuthenticationError"],
  [402, "PaymentRequiredError"],
  [403, "PermissionDeniedError"],
  [404, "NotFoundError"],
  [408, "RequestTimeoutError"],
  [409, "ConflictError"],
  [412, "PreconditionFailedError"],
  [413, "RequestTooLargeError ContentTooLargeError"],
  [422, "UnprocessableEntityError"],
  [429, "RateLimitError"],
  [431, "RequestHeaderFieldsTooLargeError"],
  [499, "ClientClosedRequestError"],
  [501, "NotImplementedError"],
  [502, "BadGatewayError"],
  [503, "ServiceUnavailableError"],
  [504, "DeadlineExceededError GatewayTimeoutError"],
  [529, "OverloadedError"],
  ["server", "InternalServerError"],
  ["other", "APIStatusError"],
  ["stream", "APIError"],
  ["status", "HTTPStatusError HTTPError AxiosError"],
  ["network", "APIConnectionError APIUserAbortError ConnectError ReadError WriteError RemoteProtocolError"],
  ["network", "LocalProtocolError ProxyError ConnectionError SSLError FetchError"],
  [
    "timeout",
    "APIConnectionTimeoutError APITimeoutError ConnectTimeout ReadTimeout WriteTimeout PoolTimeout",
  ],
  ["unread", "APIResponseValidationError JSONDecodeError"],
];

const MEANINGS: ReadonlyMap<string, ClassMeaning> = new Map(
  CLASSES.flatMap(([meaning, names]) => names.split(" ").map((name) => [name, meaning] as const)),
);

export function meaningOfClass(name: string): ClassMeaning | null {
  return MEANINGS.get(name) ?? null;
}

/** A class with its words behind it: `openai.RateLimitError: …`, `RateLimitError('…')`, or alone at the end of a line. */
export const CLASS_NAME = new RegExp(
  `(?<![\\w'"$])((?:[a-z_]\\w{0,40}\\.){0,5})(${[...MEANINGS.keys()].join("|")})(?: \\[\\w{1,60}\\])?(?:: ?|(?=\\()|(?=\\s*$))`,
  "gm",
);

/** The client that printed a text, as people call it; null: not known. */
export function clientOf(text: string): string | null {
  const house = HOUSES.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
  if (house === null || !OFFICIAL.has(house)) return house;
  return `${house} for ${isOfNode(text) ? "Node" : "Python"}`;
}

/** By the stack, or by what only one of the two languages prints. */
export function isOfNode(text: string): boolean {
  if (/Traceback \(most recent call last\)|\bError code: \d{3}\b/.test(text)) return false;
  return /^ {2,40}at .{1,400}:\d+:\d+\)?|^ {2,40}at (?:async |process\.)|^\s{0,40}(?:status: \d{3}|requestID: )|\d{3} status code \(no body\)/m.test(
    text,
  );
}

const OFFICIAL: ReadonlySet<string> = new Set(["openai", "anthropic"]);

const HOUSES: readonly (readonly [string, RegExp])[] = [
  [
    "LiteLLM",
    new RegExp(
      `(?<![\\w./@-])litellm\\.(?:exceptions\\.)?(?:${[...MEANINGS.keys(), "Timeout"].join("|")})\\b|/litellm/\\w+\\.py`,
    ),
  ],
  [
    "anthropic",
    /\banthropic\.\w|@anthropic-ai\/sdk|\bapiMessage\b|\banthropic\/_|\bAnthropic\.makeRequest\b/,
  ],
  [
    "openai",
    /\bopenai\.\w|\bnode_modules\/openai\/|\bopenai\/_|\bOpenAI\.makeRequest\b|\brequestID\b|platform\.openai\.com/,
  ],
  ["axios", /\bAxiosError\b|Request failed with status code \d{3}/],
  ["requests", /\brequests\.exceptions\.|\d{3} (?:Client|Server) Error: /],
  ["httpx", /\bhttpx\.\w|(?:Client|Server) error '\d{3} /],
  ["fetch of Node", /\bfetch failed\b|\bundici\b/],
];
