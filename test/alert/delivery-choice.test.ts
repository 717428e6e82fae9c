import { expect, test } from "vitest";
import { wants } from "../../src/alert/delivery.ts";
import { draft, EVERYTHING } from "../fixtures/outbox.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { type EventDraft, identified } from "../../src/alert/alert-event.ts";
import type { ChannelFilter } from "../../src/config/config.ts";
import { turnIn, type TimelineEntryDocument } from "../../src/history/documents.ts";
import type { Cause, Owner } from "../../src/protocol/diagnosis.ts";
import { incident } from "./telling.ts";

function entry(type: string, cause: Cause, owner: Owner | null): TimelineEntryDocument {
  const health = owner === null ? null : "down";
  const at = "2026-11-20T12:00:00.000Z";
  return { at, type, cause, text: "", health, owner, turn: turnIn({ owner }), sent: true };
}

const ACME = { named: ["acme"], others: ["other"] };
const OTHER = { named: ["other"], others: ["acme"] };

/** Opened as the operator's, passed to the upstream, and then whatever is given. */
function event(type: EventDraft["type"]): EventDraft {
  const timeline = [
    entry("opened", "timeout", "operator"),
    entry("updated", "upstream_unavailable", "upstream"),
  ];
  return draft(1, { type, diagnosis: diagnosis("ok", "up"), incident: incident({ timeline, report: null }) });
}

const opened = event("incident.opened");
const resolved = event("incident.resolved");
const stalled = draft(1, { type: "monitoring.stalled", gateway: null, monitor: null });
const models = (missing: string[]) => ({ models: { vanished: [], returned: [], missing } });
const left = { gateway: { id: "gone", name: "gone", monitors: 0 } };
const ofLeft = { ...left, incident: incident({ gateway: "gone", monitors: ["gone/models"] }) };
const endOfLeft = { ...resolved, ...ofLeft };
const updateOfLeft = { ...event("incident.updated"), ...ofLeft };
const joined = {
  ...event("incident.updated"),
  monitor: "other/models",
  incident: incident({
    monitors: ["acme/models", "other/models"],
    timeline: [{ ...entry("joined", "timeout", "operator"), text: "other/models fails in the same way." }],
  }),
};
const backOfLeft = draft(1, { ...left, ...models([]) });
const lackingOfLeft = draft(1, { ...left, ...models(["gpt-4o"]) });
const OPENINGS: Partial<ChannelFilter> = { events: ["incident.opened"] };

test.each<[title: string, only: Partial<ChannelFilter>, event: EventDraft, wanted: boolean]>([
  ["who was told of an opening is told of the end", { owners: ["operator"] }, resolved, true],
  ["who never owned it is not told of its end", { owners: ["caller"] }, resolved, false],
  ["that the last probe was good gives an incident no owner", { owners: ["nobody"] }, resolved, false],
  ["a turn that it had lets its end through", { turns: ["upstream"] }, resolved, true],
  ["what the operator of others' gateways must do is not our turn", { turns: ["us"] }, opened, false],
  ["a cause that it never had does not count", { causes: ["tls_failure"] }, resolved, false],
  [
    "a stalled monitoring has no owner, cause or gateway: it passes",
    { owners: ["caller"], causes: ["timeout"], gateways: OTHER },
    stalled,
    true,
  ],
  ["a stalled monitoring has a type, which may be unwanted", OPENINGS, stalled, false],
  ["a test passes every filter of types", OPENINGS, draft(1, { type: "test", gateway: null }), true],
  ["all that a filter names must fit", { ...OPENINGS, gateways: ACME, owners: ["operator"] }, opened, true],
  ["a type that is not named is held back", { gateways: ACME, events: ["incident.resolved"] }, opened, false],
  [
    "a filter that names no gateway passes none",
    { gateways: { named: [], others: ["acme", "other"] } },
    opened,
    false,
  ],
  ["that another gateway fails too is its opening", { ...OPENINGS, gateways: OTHER }, joined, true],
  [
    "the end of an incident passes that the gateway was in, whosever it is now",
    { gateways: OTHER },
    { ...joined, type: "incident.resolved" },
    true,
  ],
  ["the end of an incident of a gateway that left passes", { gateways: ACME }, endOfLeft, true],
  ["the end of missing models of a gateway that left passes", { gateways: ACME }, backOfLeft, true],
  ["an update on a gateway that left is held back", { gateways: ACME }, updateOfLeft, false],
  ["missing models of a gateway that left are held back", { gateways: ACME }, lackingOfLeft, false],
])("%s", (_, only, told, wanted) => {
  expect(wants({ ...EVERYTHING, ...only }, told)).toBe(wanted);
});

test.each([
  ["vanished", diagnosis("model_missing", "degraded", { owner: "operator" })],
  ["returned", diagnosis("ok", "up", { owner: "nobody" })],
  ["changed in a list that came with another failure", diagnosis("slow", "degraded", { owner: "nobody" })],
])("a model that %s is the operator's", (_how, of) => {
  const changed = draft(1, { type: "models.changed", diagnosis: of });
  const wanted = (only: Partial<ChannelFilter>) => wants({ ...EVERYTHING, ...only }, changed);
  expect(wanted({ owners: ["operator"], causes: ["model_missing"] })).toBe(true);
  expect(wanted({ owners: ["caller"] })).toBe(false);
  expect(wanted({ owners: ["nobody"] })).toBe(false);
  expect(wanted({ turns: ["us"] })).toBe(false);
});

test("an id tells subject, type and number, and has no dot", () => {
  expect(identified(draft(1), 7).id).toBe("2026-11-20-models-changed-7");
  const beginning = draft(1, { type: "incident.opened", incident: incident() });
  // Ledgers of several shards count each for itself.
  expect(identified(draft(1), 7, 2).id).toBe("2026-11-20-models-changed-2-7");
  expect(identified(beginning, 8).id).toBe("acme-models-20261120t120000z-incident-opened-8");
});
