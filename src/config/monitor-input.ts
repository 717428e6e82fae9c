/** Types of what a user writes for a monitor, and how monitors are named. */

export type MonitorInput =
  | ModelsInput
  | ChatCanaryInput
  | EmbeddingsCanaryInput
  | MediaCanaryInput
  | ConsoleCanaryInput
  | HttpCanaryInput;

interface AnyMonitorInput {
  /** 1 to 40 of `a-z`, `0-9` and `-`, unique within the gateway. Default: the kind, and the model where there is one. */
  id?: string | undefined;
  /** Whole minutes from `"1m"` to `"24h"`. Default `"1m"` of `models`, `"30m"` of canaries. */
  every?: string | undefined;
  /** A good answer that took longer is `slow`. From `"1ms"` to `"24h"`; default: no limit. Example: `"5s"`. */
  slowerThan?: string | undefined;
  /** Overrides the configuration's `open` for this monitor. */
  open?: number | undefined;
  /** Overrides the configuration's `close` for this monitor. */
  close?: number | undefined;
  /** Overrides the configuration's `remindEvery` for this monitor. */
  remindEvery?: string | false | undefined;
  /** Overrides the configuration's `flapping` for this monitor. */
  flapping?: number | false | undefined;
  /**
   * All ids that this monitor had before; it carries their history on for as long as they stand here. No monitor may have
   * them any more. Of the same gateway, or full. Examples: `"models"`, `["oldgateway/models"]`.
   */
  formerly?: string | readonly string[] | undefined;
}

/** The reference diagnostic, `GET /v1/models`. */
interface ModelsInput extends AnyMonitorInput {
  kind: "models";
  /** Model ids that the list must hold; without one of them the gateway is degraded. */
  expect?: readonly string[] | undefined;
}

interface AnyCanaryInput extends AnyMonitorInput {
  /**
   * Below `baseUrl`, `/v1` included; `{model}` stands for the model. Default: the usual one of the kind.
   * Example: `"/v1/chat/completions"`.
   */
  path?: string | undefined;
  /**
   * Laid over the usual headers; null takes one away. `{key}` stands for the key.
   * Example: `{ authorization: null, "x-api-key": "{key}" }`.
   */
  headers?: Readonly<Record<string, string | null>> | undefined;
  /** How long one request may take, `"1s"` to `"4m"`. Default `"2m"` of what generates, `"30s"` of the others. */
  timeout?: string | undefined;
  /** Requests that may leave on a day of `timeZone`, 1 to 10,000. Default 48 of what generates, else no limit. */
  perDay?: number | undefined;
  /** The name of the secret that holds the key that is sent. Default: the gateway's. Example: `"ACME_LOGIN_TOKEN"`. */
  apiKey?: string | undefined;
}

interface GenerationInput extends AnyCanaryInput {
  /** The model's id, as the gateway lists it. Example: `"gpt-4o-mini"`. */
  model: string;
  /**
   * Laid over the usual body as a JSON merge patch (RFC 7396): null takes a member away.
   * Example: `{ max_tokens: null, max_completion_tokens: 256 }`.
   */
  body?: Readonly<Record<string, unknown>> | undefined;
  /** Tells what is spent in money. Default: tokens alone are told. */
  prices?: PricesInput | undefined;
}

/** At least one price besides the currency. */
interface PricesInput {
  /** 3 to 8 letters. Example: `"USD"`. */
  currency: string;
  /** Of a million input tokens. */
  input?: number | undefined;
  /** Of a million output tokens. */
  output?: number | undefined;
  /** Of one request. */
  request?: number | undefined;
}

interface RetryInput {
  /** Send it again, up to 3 times, where an answer of 429, 502, 503 or 504 allows it. Default false. */
  retry?: boolean | undefined;
}

/** Where the tokens that were used stand, if not where they usually do. JSON pointers (RFC 6901). */
interface TokenPointers {
  inputTokens?: string | undefined;
  outputTokens?: string | undefined;
}

/** `POST /v1/chat/completions`, or `POST /v1/messages`: success is a text that is not empty. */
interface ChatCanaryInput extends GenerationInput, RetryInput {
  kind: "chat" | "messages";
  /** Ask for a stream of events: it must come to its end mark. Default false. */
  stream?: boolean | undefined;
  /** JSON pointers (RFC 6901). `text`: the evidence. `end`: a member that only the last event of a stream has. */
  pointers?: (TokenPointers & { text?: string | undefined; end?: string | undefined }) | undefined;
}

/** `POST /v1/embeddings`: success is a list of numbers. */
interface EmbeddingsCanaryInput extends GenerationInput, RetryInput {
  kind: "embeddings";
  /** JSON pointers (RFC 6901). `vector`: the evidence. */
  pointers?: (TokenPointers & { vector?: string | undefined }) | undefined;
}

/**
 * `POST /v1/images/generations`, or `POST /v1/videos`: success is an image or its address, or a task that ended well. A task
 * is created once and from then on only asked about.
 */
interface MediaCanaryInput extends GenerationInput {
  kind: "image" | "video";
  /** How a task is asked about; `{id}` stands for its id. Example: `"/v1/videos/{id}"`, the default of `video`. */
  taskPath?: string | undefined;
  /** A task that is not over by then has stalled, `"1m"` to `"24h"`. Default `"10m"` of `image`, `"30m"` of `video`. */
  deadline?: string | undefined;
  /** JSON pointers (RFC 6901). `result`: the evidence. `id`, `status`: of the task. */
  pointers?:
    | (TokenPointers & { result?: string | undefined; id?: string | undefined; status?: string | undefined })
    | undefined;
}

/** A read-only GET that a console answers with the business envelope: `/api/user/self`. */
interface ConsoleCanaryInput extends AnyCanaryInput, RetryInput {
  kind: "console";
  /** A balance below it is `balance_low`: tell before requests are refused. In the unit of the answer. */
  warnBelow?: number | undefined;
  /** `balance`: where the balance stands, a JSON pointer (RFC 6901). Default `"/data/quota"`. */
  pointers?: { balance?: string | undefined } | undefined;
}

/** Any other GET or POST, and what its JSON answer must hold. */
interface HttpCanaryInput extends AnyCanaryInput, RetryInput {
  kind: "http";
  path: string;
  /** Default `"POST"` where there is a body, else `"GET"`. What is posted counts as something that costs money. */
  method?: "GET" | "POST" | undefined;
  /** Any JSON. */
  body?: unknown;
  /** JSON pointers (RFC 6901) and what stands there, at least one. Example: `{ "/status": "ok" }`. */
  expect: Readonly<Record<string, unknown>>;
  /** Tells what is spent in money. Default: tokens alone are told. */
  prices?: PricesInput | undefined;
  pointers?: TokenPointers | undefined;
}

/** Kinds whose request names a model. */
const MODEL_KINDS = ["chat", "messages", "embeddings", "image", "video"] as const;

const MAX_ID_LENGTH = 40;

/** The kind, and of what asks a model the model too, as far as an id can hold it: `chat-gpt-4o-mini`. */
export function usualMonitorId(kind: string, model: unknown): string {
  if (!hasModel(kind) || typeof model !== "string") return kind;
  const fit = `${kind}-${model.toLowerCase()}`.replaceAll(/[^a-z0-9]+/g, "-");
  return fit.slice(0, MAX_ID_LENGTH).replace(/-+$/, "");
}

export function hasModel(kind: string): boolean {
  return MODEL_KINDS.some((name) => name === kind);
}
