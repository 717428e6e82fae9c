/** The shape of canaries, each kind an object of its own settings. Pure. Messages as in fields.ts. */
import * as z from "zod/mini";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import type { Pointers } from "../protocol/observation.ts";
import { USUAL, USUAL_EVERY_MS } from "./canary-config.ts";
import type { CanaryKind } from "./config.ts";
import {
  count,
  duration,
  everyField,
  flag,
  idField,
  incidentFields,
  judgedBy,
  later,
  modelId,
  pattern,
  secretName,
  type FieldFault,
} from "./fields.ts";
import { headerFaults, jsonProblem, pathFaults, type HeaderPatch } from "./request.ts";

/** RFC 6901. */
const POINTER = /^(?:\/(?:[^~/\p{Cc}]|~[01])*)*$/u;
const POINTER_FIX = "write a JSON pointer like /data/0/id";
const MAX_POINTER_LENGTH = 200;
const MOST_EXPECTED = 20;

function isPointer(text: string): boolean {
  return text.length <= MAX_POINTER_LENGTH && POINTER.test(text);
}

const NO_POINTER = { problem: "is no JSON pointer", fix: POINTER_FIX };

const pointer = later(() =>
  z
    .string(POINTER_FIX)
    .check(z.refine(isPointer, { error: POINTER_FIX, params: { problem: NO_POINTER.problem } })),
);

function pointersOf(kind: CanaryKind) {
  const shape = Object.fromEntries(USUAL[kind].pointerNames.map((name) => [name, z.optional(pointer())]));
  const example = USUAL[kind].pointerNames[0] ?? "";
  return z.strictObject(shape, `write an object like { ${example}: "/data/x" }`);
}

/** Left out, it is as usual. */
function pathOf(places: readonly string[]) {
  return judgedBy<string>((value) => pathFaults(value, places));
}

const PRICE_FIX = "write a number from 0 to 1000000, without quotes";
const price = later(() =>
  z.optional(z.number(PRICE_FIX).check(z.gte(0, PRICE_FIX), z.lte(1_000_000, PRICE_FIX))),
);
const PRICES_FIX = "name input, output or request";
export const prices = later(() =>
  z
    .strictObject(
      {
        currency: pattern(/^[A-Za-z]{3,8}$/, "write 3 to 8 letters, like USD"),
        input: price(),
        output: price(),
        request: price(),
      },
      'write an object like { currency: "USD", input: 0.15, output: 0.6 }',
    )
    .check(
      z.refine(({ input, output, request }) => (input ?? output ?? request) !== undefined, {
        error: PRICES_FIX,
        params: { problem: "has no price" },
        when: ({ issues }) => issues.length === 0,
      }),
    ),
);

const BODY_FIX = "write an object like { max_tokens: 64 }; it is laid over the usual body, null removes";
const bodyPatch = later(() =>
  judgedBy<Readonly<Record<string, unknown>>>((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return [{ path: [], problem: "is not an object", fix: BODY_FIX }];
    return bodyFaults(value, BODY_FIX);
  }),
);

const WHOLE_FIX = "write JSON: objects, lists, text, numbers";
const wholeBody = later(() => judgedBy<unknown>((value) => bodyFaults(value, WHOLE_FIX)));

function bodyFaults(value: unknown, fix: string): readonly FieldFault[] {
  const faults = jsonFaults(value, [], fix);
  if (faults.length > 0 || !JSON.stringify(value).includes("{key}")) return faults;
  return [{ path: [], problem: "names the key, which only headers do", fix: "remove {key}" }];
}

function jsonFaults(value: unknown, path: readonly PropertyKey[], fix: string): readonly FieldFault[] {
  const problem = jsonProblem(value);
  return problem === null ? [] : [{ path, problem, fix }];
}

const EXPECT_FIX = 'write an object of JSON pointers and values like { "/status": "ok" }';
const expected = later(() =>
  judgedBy<Readonly<Record<string, unknown>>>((value) => {
    if (value === undefined) return [{ path: [], problem: "is missing", fix: EXPECT_FIX }];
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return [{ path: [], problem: "is not an object", fix: EXPECT_FIX }];
    const entries = Object.entries(value as Record<string, unknown>);
    if (entries.length === 0) return [{ path: [], problem: "is empty", fix: EXPECT_FIX }];
    if (entries.length > MOST_EXPECTED)
      return [{ path: [], problem: "is too long", fix: `name at most ${MOST_EXPECTED}` }];
    const content = "write what the member must be equal to";
    return [
      ...entries.flatMap(([name]) => (isPointer(name) ? [] : [{ path: [name], ...NO_POINTER }])),
      ...entries.flatMap(([name, member]) => jsonFaults(member, [name], content)),
    ];
  }),
);

const TIMEOUT_FIX = 'write a duration from "1s" to "4m", like "90s"';
const DEADLINE_FIX = 'write a duration from "1m" to "24h", like "20m"';
const BALANCE_FIX = "write a number from 0 to 1000000000, without quotes";

const first = later(() => ({ ...idField(), ...everyField(USUAL_EVERY_MS) }));
const last = later(() => ({
  headers: z.optional(judgedBy<HeaderPatch>(headerFaults)),
  timeout: z.optional(duration(1_000, 1, TIMEOUT_FIX, 4 * MINUTE_MS)),
  apiKey: z.optional(secretName("ACME_CANARY_KEY")),
  perDay: z.optional(count(1, 10_000)),
  ...incidentFields(),
}));
const generation = later(() => ({
  model: modelId(),
  body: z.optional(bodyPatch()),
  path: z.optional(pathOf(["model"])),
  prices: z.optional(prices()),
}));
const retry = later(() => ({ retry: z._default(flag(), false) }));
const stream = later(() => ({ stream: z._default(flag(), false) }));
const task = later(() => ({
  taskPath: z.optional(pathOf(["model", "id"])),
  deadline: z.optional(duration(MINUTE_MS, 1, DEADLINE_FIX, DAY_MS)),
}));

function pointers(kind: CanaryKind) {
  return { pointers: z.optional(pointersOf(kind)) };
}

export const CANARY_SCHEMAS = {
  chat: later(() =>
    z.strictObject({
      kind: z.literal("chat"),
      ...first(),
      ...generation(),
      ...stream(),
      ...retry(),
      ...pointers("chat"),
      ...last(),
    }),
  ),
  messages: later(() =>
    z.strictObject({
      kind: z.literal("messages"),
      ...first(),
      ...generation(),
      ...stream(),
      ...retry(),
      ...pointers("messages"),
      ...last(),
    }),
  ),
  embeddings: later(() =>
    z.strictObject({
      kind: z.literal("embeddings"),
      ...first(),
      ...generation(),
      ...retry(),
      ...pointers("embeddings"),
      ...last(),
    }),
  ),
  image: later(() =>
    z.strictObject({
      kind: z.literal("image"),
      ...first(),
      ...generation(),
      ...task(),
      ...pointers("image"),
      ...last(),
    }),
  ),
  video: later(() =>
    z.strictObject({
      kind: z.literal("video"),
      ...first(),
      ...generation(),
      ...task(),
      ...pointers("video"),
      ...last(),
    }),
  ),
  console: later(() =>
    z.strictObject({
      kind: z.literal("console"),
      ...first(),
      path: z.optional(pathOf([])),
      warnBelow: z.optional(z.number(BALANCE_FIX).check(z.gte(0, BALANCE_FIX), z.lte(1e9, BALANCE_FIX))),
      ...retry(),
      ...pointers("console"),
      ...last(),
    }),
  ),
  http: later(() =>
    z.strictObject({
      kind: z.literal("http"),
      ...first(),
      path: pathOf([]),
      method: z.optional(z.enum(["GET", "POST"], 'write "GET" or "POST"')),
      body: z.optional(wholeBody()),
      expect: expected(),
      ...retry(),
      prices: z.optional(prices()),
      ...pointers("http"),
      ...last(),
    }),
  ),
} satisfies Record<CanaryKind, unknown>;

/** Any of them, after its faults were refused; what its kind does not have is not there. */
export interface WrittenCanary {
  readonly kind: CanaryKind;
  readonly model?: string;
  readonly stream?: boolean;
  readonly retry?: boolean;
  readonly method?: "GET" | "POST" | undefined;
  readonly path?: string | undefined;
  readonly body?: unknown;
  readonly headers?: HeaderPatch | undefined;
  readonly pointers?: Pointers | undefined;
  readonly expect?: Readonly<Record<string, unknown>>;
  readonly taskPath?: string | undefined;
  readonly deadline?: number | undefined;
  readonly timeout?: number | undefined;
  readonly apiKey?: string | undefined;
  readonly perDay?: number | undefined;
  readonly prices?: z.output<ReturnType<typeof prices>> | undefined;
  readonly warnBelow?: number | undefined;
}

/** The pointers that a canary of this kind may have; none if there is no such kind. */
export function pointerKeys(kind: unknown): readonly string[] {
  return isCanaryKind(kind) ? USUAL[kind].pointerNames : [];
}

export function isCanaryKind(kind: unknown): kind is CanaryKind {
  return typeof kind === "string" && Object.hasOwn(CANARY_SCHEMAS, kind);
}
