/** The settings of canaries, each kind with its own. Pure. */
import { t } from "./spoken.ts";
import * as z from "zod/mini";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import { USERS } from "../protocol/diagnosis.ts";
import { isJsonPointer } from "../protocol/json.ts";
import { AUDIT_EVERY_MS, USUAL_EVERY_MS } from "./canary-config.ts";
import type { CanaryKind } from "./config.ts";
import {
  count,
  duration,
  flag,
  id,
  judged,
  modelId,
  monitorFields,
  must,
  number,
  oneOf,
  pattern,
  type Report,
  secretName,
  settings,
} from "./fields.ts";
import { HEADERS_FIX, judgeHeaders, judgeJson, judgePath, pathFix } from "./request.ts";

const CANARY_FIX = t`write an object with kind`;

/** What all kinds have. */
function canary<Kind extends CanaryKind, Shape extends z.core.$ZodShape>(kind: Kind, own: Shape) {
  return settings(
    {
      kind: z.literal(kind),
      ...monitorFields(USUAL_EVERY_MS),
      /**
       * Laid over the usual headers; null takes one away. `{key}` stands for the key.
       * Example: `{ authorization: null, "x-api-key": "{key}" }`.
       */
      headers: z.optional(
        judged(z.record(z.string(), z.nullable(z.string(HEADERS_FIX)), HEADERS_FIX), judgeHeaders),
      ),
      /** How long one request may take, `"1s"` to `"4m"`. Default `"2m"` of what generates, `"30s"` of the others. */
      timeout: z.optional(
        duration(1_000, 1, t`write a duration from "1s" to "4m", like "90s"`, 4 * MINUTE_MS),
      ),
      /** The name of the secret that holds the key that is sent. Default: the gateway's. Example: `"ACME_LOGIN_TOKEN"`. */
      apiKey: z.optional(secretName("ACME_CANARY_KEY")),
      /** As of the gateway, of a key of its own. Default: the gateway's. */
      usedBy: z.optional(oneOf(USERS, t`a value of usedBy`)),
      /** Requests that may leave on a day of `timeZone`, 1 to 10,000. Default 48 of what generates, else no limit. */
      perDay: z.optional(count(1, 10_000)),
      ...own,
    },
    CANARY_FIX,
  );
}

const NO_POINTER = [t`is not a JSON pointer`, t`write a JSON pointer like /data/0/id`] as const;

const pointer = z.optional(z.string(NO_POINTER[1]).check(must(isJsonPointer, ...NO_POINTER)));

/** Where the tokens that were used stand. */
const tokens = { inputTokens: pointer, outputTokens: pointer };

/** JSON pointers (RFC 6901) to where things stand in the answer, if not where they usually do. */
function pointers<Shape extends z.core.$ZodShape>(shape: Shape) {
  return z.optional(settings(shape, t`write an object like { ${Object.keys(shape)[0] ?? ""}: "/data/x" }`));
}

function path(ofTask = false) {
  return judged(z.string(pathFix(ofTask)), (value, report) => judgePath(value, ofTask, report));
}

const price = z.optional(number(0, 1_000_000));
const CURRENCY = /^[A-Za-z]{3,8}$/;
const CURRENCY_FIX = t`write 3 to 8 letters, like USD`;

/** At least one price besides the currency. */
function prices() {
  return z.optional(
    settings(
      {
        /** 3 to 8 letters. Example: `"USD"`. */
        currency: pattern(CURRENCY, CURRENCY_FIX),
        /** Of a million input tokens. */
        input: price,
        /** Of a million output tokens. */
        output: price,
        /** Of one request. */
        request: price,
      },
      t`write an object like { currency: "USD", input: 0.15, output: 0.6 }`,
    ).check(
      must(
        ({ input, output, request }) => (input ?? output ?? request) !== undefined,
        t`has no price`,
        t`set input, output or request`,
      ),
    ),
  );
}

const MAX_COST_FIX = t`write an object like { currency: "USD", day: 0.5 }`;

/** How it fits with the prices is judged elsewhere. */
function maxCost() {
  return z.optional(
    settings(
      {
        /** That of `prices`. Example: `"USD"`. */
        currency: pattern(CURRENCY, CURRENCY_FIX),
        /** The most that a day of `timeZone` may cost. */
        day: z
          .number(t`write a number above 0, like 0.5`)
          .check(z.gt(0, t`write a number above 0, like 0.5`), z.lte(1_000_000, t`write at most 1000000`)),
      },
      MAX_COST_FIX,
    ),
  );
}

const priced = {
  /** With prices, spending is shown in money too. Default: tokens alone. */
  prices: prices(),
  /** A limit in money, computed from `prices`. Default: none. Example: `{ currency: "USD", day: 0.5 }`. */
  maxCost: maxCost(),
};

function judgeBody(body: unknown, fix: string, report: Report): void {
  const text = judgeJson(body, fix, report);
  if (text.includes("{key}")) report(t`contains {key}, which only headers may`, t`remove {key}`);
}

const ACCEPT_FIX = t`write a list of 1 to 20 names, like ["gpt-4o-2024-*"]`;

const BODY_FIX = t`write an object like { max_tokens: 64 }; it is merged into the default body; null removes a member`;

const generation = {
  /** The model's id, as the gateway lists it. Example: `"gpt-4o-mini"`. */
  model: modelId(),
  /**
   * Laid over the usual body as a JSON merge patch (RFC 7396): null takes a member away.
   * Example: `{ max_tokens: null, max_completion_tokens: 256 }`.
   */
  body: z.optional(
    judged(z.record(z.string(), z.unknown(), BODY_FIX), (body, report) => {
      judgeBody(body, BODY_FIX, report);
    }),
  ),
  /**
   * Below `baseUrl`, `/v1` included; `{model}` stands for the model. Default: the usual one of the kind.
   * Example: `"/v1/chat/completions"`.
   */
  path: z.optional(path()),
  ...priced,
};

const named = {
  /**
   * Names for the model that are as good as the requested one; `*` stands for any text, and `["*"]` accepts every name. An alias
   * and its dated snapshot are the same anyway. Default: none. Example: `["gpt-4o-2024-*"]`.
   */
  accept: z.optional(
    z.array(modelId(), ACCEPT_FIX).check(z.minLength(1, ACCEPT_FIX), z.maxLength(20, ACCEPT_FIX)),
  ),
};

const repeated = {
  /** Send it again, up to 3 times, where an answer of 429, 502, 503 or 504 allows it. Default false. */
  retry: z._default(flag(), false),
};

const streamed = {
  ...generation,
  ...named,
  ...repeated,
  /** Ask for a stream of events: it must come to its end mark. Default false. `path` of `gemini` must then ask for one, too. */
  stream: z._default(flag(), false),
  /** A stream whose first content comes later is `slow`. Default: no limit. Only with `stream`. Example: `"3s"`. */
  firstTokenSlowerThan: z.optional(duration(1, 1, t`write a duration from "1ms" to "24h", like "3s"`)),
  /** A good answer with fewer output tokens per second is `slow`, if it says how many it has. Default: no limit. Example: `20`. */
  tokensPerSecondBelow: z.optional(number(0.1, 100_000)),
  /** `text`: the evidence. `end`: a member that only the last event of a stream has. */
  pointers: pointers({ text: pointer, end: pointer, ...tokens }),
};

const media = {
  ...generation,
  /** How a task is asked about; `{id}` stands for its id. Example: `"/v1/videos/{id}"`, the default of `video`. */
  taskPath: z.optional(path(true)),
  /** A task that is not over by then has stalled, `"1m"` to `"24h"`. Default `"10m"` of `image`, `"30m"` of `video`. */
  deadline: z.optional(duration(MINUTE_MS, 1, t`write a duration from "1m" to "24h", like "20m"`, DAY_MS)),
  /** `result`: the evidence. `id`, `status`: of the task. */
  pointers: pointers({ result: pointer, id: pointer, status: pointer, ...tokens }),
};

const EXPECT_FIX = t`write an object of JSON pointers and values like { "/status": "ok" }`;
const WHOLE_FIX = t`write JSON: objects, lists, text, numbers`;
const MOST_EXPECTED = 20;

function judgeExpected(expected: Readonly<Record<string, unknown>>, report: Report): void {
  const entries = Object.entries(expected);
  if (entries.length === 0) report(t`is empty`, EXPECT_FIX);
  if (entries.length > MOST_EXPECTED) report(t`is too long`, t`use at most ${MOST_EXPECTED}`);
  for (const [place, value] of entries) {
    if (!isJsonPointer(place)) report(...NO_POINTER, place);
    judgeJson(value, t`write the value that the member must equal`, report, place);
  }
}

export const CANARY_SCHEMAS = [
  /** `POST /v1/chat/completions`: success is a text that is not empty. */
  canary("chat", streamed),
  /** `POST /v1/messages`: success is a text that is not empty. */
  canary("messages", streamed),
  /** `POST /v1/responses`: success is a text that is not empty. */
  canary("responses", streamed),
  /** `POST /v1beta/models/{model}:generateContent`: success is a text that is not empty. */
  canary("gemini", streamed),
  /** `POST /v1/embeddings`: success is a list of numbers. */
  canary("embeddings", {
    ...generation,
    ...named,
    ...repeated,
    /** `vector`: the evidence. */
    pointers: pointers({ vector: pointer, ...tokens }),
  }),
  /** `POST /v1/images/generations`: success is an image or its address, or a task that ended well. */
  canary("image", media),
  /** `POST /v1/videos`: a task is created once and from then on only asked about. */
  canary("video", media),
  /** A read-only GET that a console answers with the business envelope: `/api/user/self`. */
  canary("console", {
    ...repeated,
    /** Below `baseUrl`. Default `"/api/user/self"`. */
    path: z.optional(path()),
    /** A balance below it is `balance_low`: an early warning, before requests are refused. In the unit of the answer. */
    warnBelow: z.optional(number(0, 1_000_000_000)),
    /** `balance`: where the balance stands. Default `"/data/quota"`. */
    pointers: pointers({ balance: pointer }),
  }),
  /** Any other GET or POST, and what its JSON answer must hold. */
  canary("http", {
    ...repeated,
    /** Below `baseUrl`, `/v1` included. */
    path: path(),
    /** Default `"POST"` where there is a body, else `"GET"`. What is posted counts as something that costs money. */
    method: z.optional(oneOf(["GET", "POST"], t`a method of canaries`)),
    /** Any JSON. */
    body: z.optional(
      judged(z.unknown(), (body, report) => {
        judgeBody(body, WHOLE_FIX, report);
      }),
    ),
    /** JSON pointers (RFC 6901) and what stands there, at least one. Example: `{ "/status": "ok" }`. */
    expect: judged(z.record(z.string(), z.unknown(), EXPECT_FIX), judgeExpected),
    ...priced,
    pointers: pointers(tokens),
  }),
  /**
   * `POST /v1/chat/completions`, a question of a fixed set each time, and the whole set once a day. How many answers are right is
   * compared with this gateway's past, and with a reference.
   */
  canary("audit", {
    ...generation,
    ...repeated,
    /** Whole minutes from `"2h"` to `"24h"`. Default `"2h"`. */
    every: z._default(
      duration(AUDIT_EVERY_MS, MINUTE_MS, t`write whole minutes from "2h" to "24h", like "2h"`),
      AUDIT_EVERY_MS,
    ),
    /** Id of another gateway that has an audit, preferably of the same model. Default: none. Example: `"openai-direct"`. */
    reference: z.optional(id()),
    pointers: pointers(tokens),
  }),
] as const;

export type CanaryOutput = z.output<(typeof CANARY_SCHEMAS)[number]>;
