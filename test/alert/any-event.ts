/** Events with texts of any length and content in every place that a stranger or a configuration fills. */
import * as fc from "fast-check";
import { MAX_NAME_LENGTH } from "../../src/protocol/error-facts.ts";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { EVENT_TYPES } from "../../src/domain/incident.ts";
import { CAUSES, HEALTHS, OWNERS } from "../../src/protocol/diagnosis.ts";
import { end, failure, incident, opened, upstreamFails } from "./telling.ts";

const MARKUP = [
  "<!channel>",
  "@everyone",
  "<@1234>",
  "[click](https://evil.example)",
  "<https://evil.example|log in>",
  "</code></b><a href='https://evil.example'>",
  "&amp;&lt;",
  "`*_~|\\",
  '"}],"x":[{"',
  "\r\nBcc: all@evil.example\r\n\r\n",
  "\u2028\u202e\u0000",
  "\ud800",
  "e\u0301".repeat(50),
  "👨‍👩‍👧‍👦",
  "界",
] as const;

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc
    .tuple(fc.constantFrom(...MARKUP), fc.nat({ max: 1500 }))
    .map(([part, times]) => part.repeat(Math.ceil(times / part.length))),
  fc.array(fc.constantFrom(...MARKUP), { maxLength: 40 }).map((parts) => parts.join(" ")),
);
const maybe = fc.option(text);
const url = fc.oneof(
  fc.constantFrom(
    "/incidents/1",
    "https://status.acme.example/incidents/1",
    `https://a.example/${"&".repeat(480)}`,
    `https://a.example/${"(".repeat(400)}`,
  ),
  fc.webUrl({ validSchemes: ["https"], withQueryParameters: true }).map((any) => any.slice(0, 500)),
);

const anyDiagnosis = fc
  .record({
    cause: fc.constantFrom(...CAUSES),
    owner: fc.constantFrom(...OWNERS),
    health: fc.constantFrom(...HEALTHS),
    message: maybe,
    errorCode: maybe,
    errorType: maybe,
    requestId: maybe,
    advice: text,
    businessCode: fc.option(fc.integer()),
  })
  .map((over) => upstreamFails(over));

const anyIncident = fc
  .record({
    cause: fc.option(fc.constantFrom(...CAUSES)),
    owner: fc.option(fc.constantFrom(...OWNERS)),
    health: fc.constantFrom(...HEALTHS),
    monitors: fc.array(text, { maxLength: 60 }),
    gateway: fc.option(fc.constant("acme")),
    advice: text,
  })
  .map(({ advice, ...over }) => {
    const later = failure("updated", "2026-11-20T12:10:00.000Z", "timeout", "operator", "down", advice);
    const timeline = [...incident().timeline, later, end("resolved", "2026-11-20T12:30:00.000Z", "timeout")];
    return incident({ ...over, timeline });
  });

const modelIds = fc.array(text, { maxLength: 100 });

/** As the configuration takes it: not empty, no control character, at most 120. */
export const anyTitle = text
  .map((any) => any.replaceAll(/\p{Cc}/gu, "").slice(0, 120))
  .filter((any) => /\S/.test(any));

export const anyEvent: fc.Arbitrary<AlertEvent> = fc
  .record({
    type: fc.constantFrom(...EVENT_TYPES),
    reason: fc.constantFrom(null, "cause", "reminder", "flapping", "steady", "removed", "paused"),
    gateway: fc.option(text.map((name) => ({ id: "acme", name }))),
    canary: fc.option(fc.record({ name: text, generates: fc.boolean() })),
    incident: fc.option(anyIncident),
    diagnosis: fc.option(anyDiagnosis),
    models: fc.option(fc.record({ vanished: modelIds, returned: modelIds, missing: modelIds })),
    lastTickAtMs: fc.option(fc.nat()),
    shard: fc.option(fc.nat(99)),
    report: fc.option(url),
    url,
  })
  .map((over) => opened(over as Partial<AlertEvent>));

/** One event, some, or 200 of the same. */
export const anyEvents: fc.Arbitrary<readonly AlertEvent[]> = fc.oneof(
  anyEvent.map((event) => [event]),
  fc.array(anyEvent, { minLength: 1, maxLength: 8 }),
  anyEvent.map((event) => Array.from({ length: 200 }, () => event)),
);

/** All that an event can have, each text as long as it gets, of what each service counts or escapes most. */
const FILLS = ["&", "<", '"', "*", "`", "\\", "界", "🚀", "://"] as const;

export const fullest: readonly AlertEvent[] = FILLS.flatMap((fill) => [
  fullOf(fill, "/incidents/1"),
  fullOf(fill, `https://status.acme.example/${"&".repeat(470)}`),
  fullOf(fill, `https://status.acme.example/${"(".repeat(470)}`),
]);

function fullOf(fill: string, path: string): AlertEvent {
  const long = fill.repeat(2000);
  // The advice is our own; a stranger's is only the id of a request.
  const advice = `Find request ${fill.repeat(MAX_NAME_LENGTH)} in its log.`;
  const advised = failure("opened", "2026-11-20T12:00:00.000Z", "timeout", "operator", "blocked", advice);
  const later = failure("updated", "2026-11-20T12:10:00.000Z", "timeout", "operator", "blocked", advice);
  return opened({
    type: "incident.updated",
    gateway: { id: "acme", name: long, monitors: 1 },
    incident: incident({ health: "blocked", monitors: [long, long], timeline: [advised, later] }),
    diagnosis: upstreamFails({
      message: long,
      requestId: long,
      errorCode: long,
      retry: { allowed: true, afterSeconds: 90, hint: null },
    }),
    url: path,
    report: path,
  });
}
