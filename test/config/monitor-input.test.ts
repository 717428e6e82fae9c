/** The types for editors against the schema: what a person can write, the other takes. */
import { expect, test } from "vitest";
import { CANARY_KINDS } from "../../src/config/config.ts";
import type { ConfigInput } from "../../src/config/define-config.ts";
import { parseConfig } from "../../src/config/load.ts";
import { ACME, knownKeys } from "./parsed.ts";

type Gateway = ConfigInput["gateways"][number];
type Monitor = NonNullable<Gateway["monitors"]>[number];
/** With every setting that its kind has. */
type Whole<Input> = Input extends unknown ? Required<Input> : never;

const RULES = { slowerThan: "5s", open: 1, close: 1, remindEvery: "4h", flapping: 3 } as const;
const SHARED = { id: "x", every: "30m", formerly: ["y"], ...RULES } as const;
const CANARY = {
  ...SHARED,
  path: "/v1/x",
  headers: { "x-tenant": "acme", accept: null },
  timeout: "90s",
  perDay: 24,
  apiKey: "ACME_CANARY_KEY",
} as const;
const PRICES = { currency: "USD", input: 0.15, output: 0.6, request: 0.01 };
const GENERATION = { ...CANARY, model: "m", body: { user: "gatepulse" }, prices: PRICES } as const;
const TASK = { taskPath: "/v1/x/{id}", deadline: "20m" } as const;
const TOKENS = { inputTokens: "/in", outputTokens: "/out" } as const;
const MEDIA = { ...TOKENS, result: "/r", id: "/id", status: "/s" } as const;
const SPOKEN = { ...TOKENS, text: "/t", end: "/e" } as const;

const LOOK = { ...CANARY, method: "POST", retry: true } as const;

const WHOLE = {
  models: { ...SHARED, kind: "models", expect: ["gpt-4o"] },
  chat: { ...GENERATION, kind: "chat", stream: true, retry: true, pointers: SPOKEN },
  messages: { ...GENERATION, kind: "messages", stream: true, retry: true, pointers: SPOKEN },
  embeddings: { ...GENERATION, kind: "embeddings", retry: true, pointers: { ...TOKENS, vector: "/v" } },
  image: { ...GENERATION, ...TASK, kind: "image", pointers: MEDIA },
  video: { ...GENERATION, ...TASK, kind: "video", pointers: MEDIA },
  console: { ...CANARY, kind: "console", retry: true, pointers: { balance: "/b" }, warnBelow: 5 },
  http: { ...LOOK, kind: "http", body: [1], expect: { "/ok": true }, prices: PRICES, pointers: TOKENS },
} as const satisfies Readonly<Record<string, Whole<Monitor>>>;

test.each(["models", ...CANARY_KINDS] as const)(
  "%s takes each setting that it has, and has no other",
  (kind) => {
    const input = { title: "t", gateways: [{ ...ACME, monitors: [WHOLE[kind]] }] } satisfies ConfigInput;
    expect(parseConfig(input)).toMatchObject({ ok: true });
    expect(Object.keys(WHOLE[kind]).toSorted()).toEqual([...knownKeys("monitor", kind)].toSorted());
    const { pointers = {} }: { readonly kind: string; readonly pointers?: object } = WHOLE[kind];
    expect(Object.keys(pointers).toSorted()).toEqual([...knownKeys("pointers", kind)].toSorted());
  },
);
