/** The parts of the schemas of stored records. A record is trusted only after its schema has accepted it. Pure. */
import * as z from "zod/mini";
import { CAUSES, HEALTHS, type KeptDiagnosis, LAYERS, OWNERS, TURNS } from "../protocol/diagnosis.ts";
import { objectOnce, once } from "./schema.ts";

export type Stored<Schema extends z.core.$ZodType | (() => z.core.$ZodType)> = DeepReadonly<
  z.output<Schema extends () => infer Made ? Made : Schema>
>;
type DeepReadonly<Value> = Value extends object
  ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
  : Value;

/** Years of four digits: readers cannot parse any other. */
const LAST_MS = Date.UTC(9999, 11, 31);

function isInstantMs(value: number): boolean {
  return value >= 0 && value <= LAST_MS;
}

/** Milliseconds since 1970. */
export const instantMs = once(() => z.number().check(z.refine(isInstantMs)));

/** A field that older records of the same version lack: null in them. */
export function addedLater<Schema extends z.core.$ZodType>(schema: Schema) {
  return z._default(z.nullable(schema), null);
}

export const text = once(() => z.nullable(z.string()));
export const wholeNumber = once(() => z.nullable(z.int()));
export const healthSchema = once(() => z.enum(HEALTHS));
export const causeSchema = once(() => z.enum(CAUSES));
export const ownerSchema = once(() => z.enum(OWNERS));
export const turnSchema = once(() => z.enum(TURNS));

const answerShape = () => ({
  httpStatus: wholeNumber(),
  errorType: text(),
  errorCode: text(),
  businessCode: wholeNumber(),
  requestId: text(),
  taskId: text(),
});

export function diagnosisShape() {
  return {
    ok: z.boolean(),
    cause: causeSchema(),
    layer: z.nullable(z.enum(LAYERS)),
    owner: ownerSchema(),
    health: healthSchema(),
    retry: z.object({ allowed: z.boolean(), afterSeconds: wholeNumber(), hint: z.nullable(z.boolean()) }),
    ...answerShape(),
    completionId: z.optional(z.string()),
    streamed: z.optional(z.string()),
    taskState: text(),
    message: text(),
    advice: z.string(),
    rule: text(),
    ambiguous: z.array(causeSchema()),
    relayed: addedLater(z.object({ provider: text() })),
  };
}
export const keptDiagnosisSchema: () => z.ZodMiniType<KeptDiagnosis> = once(() => z.object(diagnosisShape()));

/** The words of Statuspage, for a page and for each of its incidents. */
export const indicatorSchema = once(() => z.enum(["none", "minor", "major", "critical", "maintenance"]));

export const reportedSchema = objectOnce(() => ({
  readAt: z.string(),
  indicator: indicatorSchema(),
  description: z.string(),
  /** Those that are open, the worst first. */
  incidents: z.array(z.object({ name: z.string(), impact: indicatorSchema(), since: text() })),
}));
export type Reported = Stored<typeof reportedSchema>;

/** What the status page of a provider said, for readers. */
export const upstreamSchema = objectOnce(() => ({
  name: z.string(),
  /** In the status: those that name it. */
  gateways: z.optional(z.array(z.string())),
  /** Null: it is on a private network. */
  url: text(),
  /** `unread`: it could not be read, at least not recently. */
  state: z.enum(["incident", "no_incident", "unread"]),
  problem: text(),
  readAt: text(),
  indicator: z.nullable(indicatorSchema()),
  description: text(),
  incidents: reportedSchema().shape.incidents,
}));
export type UpstreamDocument = Stored<typeof upstreamSchema>;

export const reportSchema = once(() =>
  z.object({
    id: z.string(),
    schemaVersion: z.literal(1),
    /** The address of the request; null: not known. */
    endpoint: text(),
    modelId: text(),
    requestedAt: text(),
    timeZone: z.string(),
    ...answerShape(),
    streaming: z.boolean(),
    retried: z.boolean(),
    attempts: z.int(),
    /** Name and version of the client; `unknown` if a pasted text does not say. */
    client: z.string(),
    cause: causeSchema(),
    message: text(),
    /** Null: there is no request to repeat. */
    reproduce: text(),
    regions: z.optional(z.array(z.string())),
    completionId: z.optional(z.string()),
    streamed: z.optional(z.string()),
    /** Of an incident: its id, the address of its page, and its first failure in a row. */
    incident: z.optional(z.string()),
    incidentUrl: z.optional(z.string()),
    failingSince: z.optional(z.string()),
    upstreams: z.optional(z.array(upstreamSchema())),
  }),
);

export const outcomeSchema = objectOnce(() => ({
  startedAtMs: instantMs(),
  /** From the first byte sent to the verdict, waits included. */
  durationMs: z.number(),
  /** The last attempt's; null when nothing was sent. */
  latencyMs: z.nullable(z.number()),
  waitedMs: z.number(),
  attempts: z.array(
    z.object({
      /** Null when no headers came. */
      httpStatus: wholeNumber(),
      /** Null: a complete answer came, good or bad. */
      error: z.nullable(z.object({ code: z.string(), message: z.string() })),
      durationMs: z.number(),
      retryAfter: text(),
      waitedMs: z.number(),
    }),
  ),
  modelCount: wholeNumber(),
  /** Expected models that the list lacks. */
  missingModels: z.array(z.string()),
  diagnosis: keptDiagnosisSchema(),
  /** Regions that saw it fail. Empty: none did, or none was asked. */
  failingFrom: z._default(z.array(z.string()), []),
}));

export const figure = once(() => z.nullable(z.number()));

/** Of one generation; null: not measured, or not reported. */
export const figuresSchema = objectOnce(() => ({
  /** From the request to the first content of a stream. */
  firstTokenMs: figure(),
  /** From the creation of a task to the tick that saw its final state. */
  taskMs: figure(),
  /** Output tokens per second: of a stream from the first content to the last, else over the whole answer. */
  tokensPerSecond: figure(),
  inputTokens: figure(),
  outputTokens: figure(),
  /** In millionths of the configured currency; null where no price is configured. */
  costMicros: figure(),
}));

/** A browser, as its `PushSubscription` writes itself. The address is a secret: it names this browser alone. */
export const subscriptionSchema = objectOnce(() => ({
  endpoint: z.url(),
  keys: z.object({
    /** An uncompressed point of P-256, and 16 bytes, both in base64url. */
    p256dh: z.string().check(z.regex(/^B[\w-]{86}$/)),
    auth: z.string().check(z.regex(/^[\w-]{22}$/)),
  }),
}));
export type Subscription = Stored<typeof subscriptionSchema>;
