import { expect, test } from "vitest";
import { wants } from "../../src/alert/delivery.ts";
import { draft, EVERYTHING } from "../fixtures/outbox.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import type { EventDraft } from "../../src/alert/alert-event.ts";
import type { ChannelFilter } from "../../src/config/config.ts";
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
const left = { gateway: { id: "gone", name: "gone", monitors: 0 } };
const endOfLeft = { ...resolved, ...left };
const OPENINGS: Partial<ChannelFilter> = { events: ["incident.opened"] };

test.each<[title: string, only: Partial<ChannelFilter>, event: EventDraft, wanted: boolean]>([
  ["who was told of an opening is told of the end", { owners: ["operator"] }, resolved, true],
  ["who owns it at its end is told of that end", { owners: ["upstream"] }, resolved, true],
  ["who never owned it is not told of its end", { owners: ["caller"] }, resolved, false],
  ["that the last probe was good gives an incident no owner", { owners: ["nobody"] }, resolved, false],
  ["that the last probe was good gives an incident no cause", { causes: ["ok"] }, resolved, false],
  ["a cause that it had at first counts", { causes: ["timeout"] }, resolved, true],
  ["a cause that it had at last counts", { causes: ["upstream_unavailable"] }, resolved, true],
  ["a cause that it never had does not count", { causes: ["tls_failure"] }, resolved, false],
  [
    "a stalled monitoring has no owner, cause or gateway, which holds nothing back",
    { owners: ["caller"], causes: ["timeout"], gateways: OTHER },
    stalled,
    true,
  ],
  ["a stalled monitoring has a type, which may be unwanted", OPENINGS, stalled, false],
  ["a stalled monitoring has a type, which may be wanted", { events: ["monitoring.stalled"] }, stalled, true],
  ["a test passes every filter of types", OPENINGS, draft(1, { type: "test", gateway: null }), true],
  ["no filter holds nothing back", {}, opened, true],
  ["all that a filter names must fit", { ...OPENINGS, gateways: ACME, owners: ["operator"] }, opened, true],
  ["a gateway that is not named is held back", { ...OPENINGS, gateways: OTHER }, opened, false],
  ["a type that is not named is held back", { gateways: ACME, events: ["incident.resolved"] }, opened, false],
  [
    "a filter that names no gateway passes none",
    { gateways: { named: [], others: ["acme", "other"] } },
    opened,
    false,
  ],
  ["the end of an incident of a gateway that left passes", { gateways: ACME }, endOfLeft, true],
  [
    "the end of missing models of a gateway that left passes",
    { gateways: ACME },
    draft(1, { ...left, ...models([]) }),
    true,
  ],
  [
    "an update on a gateway that left is held back",
    { gateways: ACME },
    { ...event("incident.updated"), ...left },
    false,
  ],
  [
    "missing models of a gateway that left are held back",
    { gateways: ACME },
    draft(1, { ...left, ...models(["gpt-4o"]) }),
    false,
  ],
  ["owners hold for a gateway that left", { gateways: ACME, owners: ["caller"] }, endOfLeft, false],
  ["types hold for a gateway that left", { ...OPENINGS, gateways: ACME }, endOfLeft, false],
  ["no end passes of a gateway that is there and not named", { gateways: OTHER }, resolved, false],
  [
    "missing models that end at a gateway not named are held back",
    { gateways: OTHER },
    draft(1, models([])),
    false,
  ],
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
