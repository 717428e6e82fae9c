import { expect, test } from "vitest";
import { wants } from "../../src/alert/delivery-filter.ts";
import { draft, EVERYTHING } from "../fixtures/outbox.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import type { EventDraft } from "../../src/alert/delivery-id.ts";
import type { ChannelFilter } from "../../src/config/channels.ts";
import type { TimelineEntryDocument } from "../../src/history/documents.ts";
import type { Cause, Owner } from "../../src/protocol/diagnosis.ts";
import { incident } from "./telling.ts";

function entry(type: string, cause: Cause, owner: Owner | null): TimelineEntryDocument {
  const health = owner === null ? null : "down";
  return { at: "2026-11-20T12:00:00.000Z", type, cause, text: "", health, owner, sent: true };
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
const gone = { gateway: { id: "gone", name: "gone", monitors: 0 } };

test.each<[title: string, only: Partial<ChannelFilter>, event: EventDraft, wanted: boolean]>([
  ["who was told of an opening is told of the end", { owners: ["operator"] }, resolved, true],
  ["whoever owns it by then too", { owners: ["upstream"] }, resolved, true],
  ["who never owned it is not", { owners: ["caller"] }, resolved, false],
  ["that the last probe was good gives an incident no owner", { owners: ["nobody"] }, resolved, false],
  ["nor a cause", { causes: ["ok"] }, resolved, false],
  ["any cause that it ever had counts", { causes: ["timeout"] }, resolved, true],
  ["and its last", { causes: ["upstream_unavailable"] }, resolved, true],
  ["and no other", { causes: ["tls_failure"] }, resolved, false],
  [
    "a stalled monitoring has no owner, cause or gateway, which holds nothing back",
    { owners: ["caller"], causes: ["timeout"], gateways: OTHER },
    stalled,
    true,
  ],
  ["its type it has", { events: ["incident.opened"] }, stalled, false],
  ["which may be wanted", { events: ["monitoring.stalled"] }, stalled, true],
  [
    "a test passes every filter of types",
    { events: ["incident.opened"] },
    draft(1, { type: "test", gateway: null }),
    true,
  ],
  ["no filter holds nothing back", {}, opened, true],
  [
    "all that a filter names must fit",
    { gateways: ACME, events: ["incident.opened"], owners: ["operator"] },
    opened,
    true,
  ],
  ["another gateway is another", { gateways: OTHER, events: ["incident.opened"] }, opened, false],
  ["another type too", { gateways: ACME, events: ["incident.resolved"] }, opened, false],
  ["of no gateway nothing is told", { gateways: { named: [], others: ["acme", "other"] } }, opened, false],
  [
    "the end of an incident of a gateway that left passes",
    { gateways: ACME },
    { ...resolved, ...gone },
    true,
  ],
  ["and of its missing models", { gateways: ACME }, draft(1, { ...gone, ...models([]) }), true],
  ["nothing else of it", { gateways: ACME }, { ...event("incident.updated"), ...gone }, false],
  ["nor of its models", { gateways: ACME }, draft(1, { ...gone, ...models(["gpt-4o"]) }), false],
  ["its owners hold", { gateways: ACME, owners: ["caller"] }, { ...resolved, ...gone }, false],
  ["and its types", { gateways: ACME, events: ["incident.opened"] }, { ...resolved, ...gone }, false],
  ["of a gateway that is there, and not named, no end passes", { gateways: OTHER }, resolved, false],
  ["nor that of missing models", { gateways: OTHER }, draft(1, models([])), false],
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
});
