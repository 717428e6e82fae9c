/** The exceptions of the clients, and what each says by its name alone. Pure data, from the clients' documents. */

/**
 * A number: the status it stands for. `other`: a status that no class stands for, or an error event of a stream. `status`: there was an answer, with a status that the name does not tell. `stream`: the
 * client throws it for an answer, and for an error event inside a good one. `network`, `timeout`: there was no whole answer.
 * `server`: 5xx. `unread`: a good status, and a body that the client could not read.
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

const MEANINGS: Readonly<Record<string, ClassMeaning>> = {
  BadRequestError: 400,
  AuthenticationError: 401,
  PaymentRequiredError: 402,
  PermissionDeniedError: 403,
  NotFoundError: 404,
  RequestTimeoutError: 408,
  ConflictError: 409,
  PreconditionFailedError: 412,
  RequestTooLargeError: 413,
  ContentTooLargeError: 413,
  UnprocessableEntityError: 422,
  RateLimitError: 429,
  RequestHeaderFieldsTooLargeError: 431,
  ClientClosedRequestError: 499,
  NotImplementedError: 501,
  ServiceUnavailableError: 503,
  DeadlineExceededError: 504,
  GatewayTimeoutError: 504,
  OverloadedError: 529,
  InternalServerError: "server",
  APIStatusError: "other",
  APIError: "stream",
  APIConnectionError: "network",
  APIConnectionTimeoutError: "timeout",
  APITimeoutError: "timeout",
  APIUserAbortError: "network",
  APIResponseValidationError: "unread",
  JSONDecodeError: "unread",
  // LiteLLM
  ContextWindowExceededError: 400,
  ContentPolicyViolationError: 400,
  UnsupportedParamsError: 400,
  BadGatewayError: 502,
  // The first client for Python, Google's, and the AI SDK
  InvalidRequestError: 400,
  ClientError: "status",
  ServerError: "status",
  APICallError: "status",
  // The HTTP clients beneath them
  HTTPStatusError: "status",
  HTTPError: "status",
  AxiosError: "status",
  ConnectError: "network",
  ReadError: "network",
  WriteError: "network",
  RemoteProtocolError: "network",
  LocalProtocolError: "network",
  ProxyError: "network",
  ConnectTimeout: "timeout",
  ReadTimeout: "timeout",
  WriteTimeout: "timeout",
  PoolTimeout: "timeout",
  ConnectionError: "network",
  SSLError: "network",
  FetchError: "network",
};

export function meaningOfClass(name: string): ClassMeaning | null {
  return Object.hasOwn(MEANINGS, name) ? (MEANINGS[name] ?? null) : null;
}

/** A class with its words behind it: `openai.RateLimitError: …`, `RateLimitError('…')`, or alone at the end of a line. */
export const CLASS_NAME = new RegExp(
  `(?<![\\w'"$])((?:[a-z_]\\w{0,40}\\.){0,5})(${Object.keys(MEANINGS).join("|")})(?: \\[\\w{1,60}\\])?(?:: ?|(?=\\()|(?=\\s*$))`,
  "gm",
);

/** Who printed a text, as people call it; null: nobody can tell. */
export function clientOf(text: string): string | null {
  const house = HOUSES.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
  if (house === null || !OFFICIAL.has(house)) return house;
  return `${house} for ${isOfNode(text) ? "Node" : "Python"}`;
}

/** By the stack, or by what only one of the two languages prints. */
export function isOfNode(text: string): boolean {
  if (/Traceback \(most recent call last\)|\bError code: \d{3}\b/.test(text)) return false;
  return /^ {2,40}at .{1,400}:\d+:\d+\)?|^ {2,40}at (?:async |process\.)|^\s{0,40}(?:status: \d{3}|requestID: )|"(?:requestID|apiMessage)":|\d{3} status code \(no body\)/m.test(
    text,
  );
}

const OFFICIAL: ReadonlySet<string> = new Set(["openai", "anthropic"]);

const HOUSES: readonly (readonly [string, RegExp])[] = [
  ["LiteLLM", /\blitellm\./i],
  [
    "anthropic",
    /\banthropic\.\w|@anthropic-ai\/sdk|\bapiMessage\b|\banthropic\/_|\bAnthropic\.makeRequest\b/,
  ],
  [
    "openai",
    /\bopenai\.\w|\bnode_modules\/openai\/|\bopenai\/_|\bOpenAI\.makeRequest\b|\brequestID\b|platform\.openai\.com/,
  ],
  ["AI SDK", /\bAI_APICallError\b/],
  ["google-genai", /\bgoogle\.genai\.errors\./],
  ["axios", /\bAxiosError\b|Request failed with status code \d{3}/],
  ["requests", /\brequests\.exceptions\.|\d{3} (?:Client|Server) Error: /],
  ["httpx", /\bhttpx\.\w|(?:Client|Server) error '\d{3} /],
  ["fetch of Node", /\bfetch failed\b|\bundici\b/],
];
