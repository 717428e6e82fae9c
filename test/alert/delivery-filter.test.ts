import { describe, expect, test } from "vitest";
import { wants } from "../../src/alert/delivery-filter.ts";
import { draft, EVERYTHING } from "../fixtures/outbox.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import type { EventDraft } from "../../src/alert/delivery-id.ts";
import type { ChannelFilter } from "../../src/config/channels.ts";
import type { IncidentDocument, TimelineEntryDocument } from "../../src/history/documents.ts";
import type { Cause, Owner } from "../../src/protocol/diagnosis.ts";

function only(over: Partial<ChannelFilter>): ChannelFilter {
  return { ...EVERYTHING, ...over };
}

function entry(type: string, cause: Cause, owner: Owner | null): TimelineEntryDocument {
  const health = owner === null ? null : "down";
  return { at: "2026-11-20T12:00:00.000Z", type, cause, text: "", health, owner, sent: true };
}

const ACME = { named: ["acme"], others: ["other"] };
const OTHER = { named: ["other"], others: ["acme"] };

/** Opened as the operator's, passed to the upstream, and then whatever is given. */
function event(type: EventDraft["type"], over: Partial<IncidentDocument> = {}): EventDraft {
  return draft(1, {
    type,
    diagnosis: diagnosis("ok", "up"),
    incident: {
      id: "acme.models-20261120t120000z",
      gateway: "acme",
      monitors: ["acme/models"],
      cause: "upstream_unavailable",
      owner: "upstream",
      health: "down",
      firstFailureAt: null,
      openedAt: "2026-11-20T12:00:00.000Z",
      resolvedAt: null,
      acknowledgedAt: null,
      flapping: false,
      timeline: [
        entry("opened", "timeout", "operator"),
        entry("updated", "upstream_unavailable", "upstream"),
      ],
      notes: [],
      report: null,
      url: "/incidents/acme.models-20261120t120000z",
      ...over,
    },
  });
}

describe("owners and causes", () => {
  const resolved = event("incident.resolved");

  test("who was told of an opening is told of the end, whoever owns it by then", () => {
    expect(wants(only({ owners: ["operator"] }), resolved)).toBe(true);
    expect(wants(only({ owners: ["upstream"] }), resolved)).toBe(true);
    expect(wants(only({ owners: ["caller"] }), resolved)).toBe(false);
  });

  test("that the last probe was good gives an incident no owner", () => {
    expect(wants(only({ owners: ["nobody"] }), resolved)).toBe(false);
    expect(wants(only({ causes: ["ok"] }), resolved)).toBe(false);
  });

  test("any cause that it ever had counts", () => {
    expect(wants(only({ causes: ["timeout"] }), resolved)).toBe(true);
    expect(wants(only({ causes: ["upstream_unavailable"] }), resolved)).toBe(true);
    expect(wants(only({ causes: ["tls_failure"] }), resolved)).toBe(false);
  });

  test.each([
    ["vanished", diagnosis("model_missing", "degraded", { owner: "operator" })],
    ["returned", diagnosis("ok", "up", { owner: "nobody" })],
    ["changed in a list that came with another failure", diagnosis("slow", "degraded", { owner: "nobody" })],
  ])("a model that %s is the operator's", (_how, of) => {
    const changed = draft(1, { type: "models.changed", diagnosis: of });
    expect(wants(only({ owners: ["operator"], causes: ["model_missing"] }), changed)).toBe(true);
    expect(wants(only({ owners: ["caller"] }), changed)).toBe(false);
    expect(wants(only({ owners: ["nobody"] }), changed)).toBe(false);
  });
});

describe("what an event does not have holds nothing back", () => {
  const stalled = draft(1, { type: "monitoring.stalled", gateway: null, monitor: null });

  test("a stalled monitoring has no owner, cause or gateway", () => {
    expect(wants(only({ owners: ["caller"], causes: ["timeout"], gateways: OTHER }), stalled)).toBe(true);
  });

  test("its type it has", () => {
    expect(wants(only({ events: ["incident.opened"] }), stalled)).toBe(false);
    expect(wants(only({ events: ["monitoring.stalled"] }), stalled)).toBe(true);
  });

  test("a test passes every filter of types", () => {
    expect(wants(only({ events: ["incident.opened"] }), draft(1, { type: "test", gateway: null }))).toBe(
      true,
    );
  });
});

test("all that a filter names must fit", () => {
  const opened = event("incident.opened");
  expect(wants(EVERYTHING, opened)).toBe(true);
  expect(wants(only({ gateways: ACME, events: ["incident.opened"], owners: ["operator"] }), opened)).toBe(
    true,
  );
  expect(wants(only({ gateways: OTHER, events: ["incident.opened"] }), opened)).toBe(false);
  expect(wants(only({ gateways: ACME, events: ["incident.resolved"] }), opened)).toBe(false);
  expect(wants(only({ gateways: { named: [], others: ["acme", "other"] } }), opened)).toBe(false);
});

describe("gateways that have left the configuration, and every filter with it", () => {
  const gone = { gateway: { id: "gone", name: "gone", monitors: 0 } };
  const missing = { vanished: [], returned: [], missing: ["gpt-4o"] };
  const none = { vanished: [], returned: [], missing: [] };

  test.each([
    ["the end of an incident", { ...event("incident.resolved"), ...gone }, true],
    ["the end of missing models", draft(1, { ...gone, models: none }), true],
    ["nothing else of an incident", { ...event("incident.updated"), ...gone }, false],
    ["nothing else of models", draft(1, { ...gone, models: missing }), false],
  ] as const)("%s passes", (_, told, passes) => {
    expect(wants(only({ gateways: ACME }), told)).toBe(passes);
  });

  test("the other filters hold for them too", () => {
    const end = { ...event("incident.resolved"), ...gone };
    expect(wants(only({ gateways: ACME, owners: ["caller"] }), end)).toBe(false);
    expect(wants(only({ gateways: ACME, events: ["incident.opened"] }), end)).toBe(false);
  });

  test("of a gateway that is there, and that the filter does not name, ends pass as little as beginnings", () => {
    expect(wants(only({ gateways: OTHER }), event("incident.resolved"))).toBe(false);
    expect(wants(only({ gateways: OTHER }), draft(1, { models: none }))).toBe(false);
  });
});
