import { expect, test } from "vitest";
import type { GatewayDocument, MonitorDocument, StatusDocument } from "../../src/history/documents.ts";
import { type Badge, badgeOf, noBadge, shieldsEndpoint } from "../../src/formats/badge.ts";
import { HEALTHS } from "../../src/protocol/diagnosis.ts";
import { skippedCanary } from "../http/canary-documents.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  monitorDocument,
  NOW_MS,
  statusDocument,
} from "../http/published-status.ts";
import { PAUSED } from "./any-status.ts";

const GREEN = "#1a7f37";
const RED = "#cf222e";

function badgeFor(
  monitors: MonitorDocument[],
  more: Partial<StatusDocument> = {},
  gateway: Partial<GatewayDocument> = {},
): Badge {
  const subject = { gateway: gatewayDocument({ monitors, ...gateway }), monitor: null };
  return badgeOf(subject, statusDocument(more), NOW_MS, null);
}

const up = monitorDocument();
const down = monitorDocument({ status: "down" });
const paused = monitorDocument(PAUSED);
const keyless = monitorDocument({ status: "blocked", diagnosis: BALANCE_GONE });
const lost = monitorDocument({ status: "blocked", diagnosis: { ...BALANCE_GONE, cause: "wrong_url" } });
const hidden = monitorDocument({ status: "blocked", diagnosis: null });
const capped = skippedCanary({ reason: "cap", cause: null });
const held = skippedCanary(
  { reason: "gateway", cause: "insufficient_balance" },
  { lastStatus: "blocked", incident: "i-1" },
);
const unseen = skippedCanary(
  { reason: "gateway", cause: "timeout" },
  { lastStatus: "blocked", diagnosis: lost.diagnosis, incident: "acme-chat-20261120t080000z" },
);
const HOUR_AROUND = {
  gateways: ["acme"],
  from: "2026-11-20T11:30:00.000Z",
  to: "2026-11-20T12:30:00.000Z",
  title: "Move",
};

test.each([
  ["an up monitor", [up], "up", GREEN],
  ["a degraded one", [monitorDocument({ status: "degraded" })], "degraded", "#9a6700"],
  ["one that is down", [down], "down", RED],
  ["a key without a balance", [keyless], "key blocked", "#59636e"],
  ["a wrong address", [lost], "no access", "#59636e"],
  ["a blocked view whose cause is not published", [hidden], "no access", "#59636e"],
  ["a key and an address", [keyless, lost], "no access", "#59636e"],
  ["a key, and a monitor that sees", [keyless, up], "key blocked", "#59636e"],
  ["a monitor without evidence", [monitorDocument({ status: "unknown" })], "unknown", "#59636e"],
  [
    "one without evidence among others that are up",
    [up, monitorDocument({ status: "unknown" })],
    "unknown",
    "#59636e",
  ],
  ["a canary that waits", [capped], "unknown", "#59636e"],
  ["a canary that waits beside one that is up", [capped, up], "up", GREEN],
  [
    "a canary that is not asked with the key that the list is refused",
    [held, keyless],
    "key blocked",
    "#59636e",
  ],
  ["a canary that is not asked while its address is wrong", [unseen, keyless], "no access", "#59636e"],
  ["a gateway without monitors", [], "unknown", "#59636e"],
  ["a paused monitor", [paused], "paused", "#59636e"],
  ["a paused monitor beside one that is up", [paused, up], "up", GREEN],
  ["a paused monitor beside one that is down", [paused, down], "down", RED],
  ["a paused monitor beside a key without a balance", [paused, keyless], "key blocked", "#59636e"],
] as const)("%s", (_, monitors, message, color) => {
  expect(badgeFor([...monitors])).toEqual({ label: "Acme", message, color });
});

test.each(HEALTHS)(
  "while the checks have stopped a badge that was %s says so, in maintenance too",
  (status) => {
    const badge = badgeFor([monitorDocument({ status })], { stale: true, maintenance: [HOUR_AROUND] });
    expect(badge).toEqual({ label: "Acme", message: "checks stopped", color: "#59636e" });
  },
);

test("a gateway whose every monitor is paused is paused in maintenance, and not told of while the checks have stopped", () => {
  expect(badgeFor([paused], { maintenance: [HOUR_AROUND] }).message).toBe("paused");
  expect(badgeFor([paused], { stale: true }).message).toBe("checks stopped");
});

test.each([
  ["from its first instant", { from: "2026-11-20T12:00:00.000Z" }, "maintenance"],
  ["not before it", { from: "2026-11-20T12:00:00.001Z" }, "down"],
  ["not from its end on", { to: "2026-11-20T12:00:00.000Z" }, "down"],
  ["where it concerns every gateway", { gateways: [] }, "maintenance"],
  ["not where it concerns another", { gateways: ["beta"] }, "down"],
])("planned maintenance is shown %s", (_, window, message) => {
  expect(badgeFor([down], { maintenance: [{ ...HOUR_AROUND, ...window }] }).message).toBe(message);
});

test("a monitor's badge tells of that monitor alone", () => {
  const chat = monitorDocument({ id: "acme/chat", kind: "chat", model: "gpt-4o-mini", status: "down" });
  const gateway = gatewayDocument({ monitors: [up, chat], status: "down" });
  const of = (monitor: MonitorDocument) => badgeOf({ gateway, monitor }, statusDocument(), NOW_MS, null);
  expect(of(up)).toEqual({ label: "Acme · models", message: "up", color: GREEN });
  expect(of(chat)).toEqual({ label: "Acme · chat · gpt-4o-mini", message: "down", color: RED });
});

test("a label that was asked for takes the name's place, unless nothing can be seen of it", () => {
  const subject = { gateway: gatewayDocument(), monitor: null };
  const labelled = (label: string) => badgeOf(subject, statusDocument(), NOW_MS, label).label;
  expect(labelled("Our  API\n")).toBe("Our API");
  expect(labelled("\u200b\u202e ")).toBe("gatepulse");
});

test("a label of more than 40 characters is cut at a whole character", () => {
  const label = (name: string) => badgeFor([up], {}, { name }).label;
  expect(label("a".repeat(40))).toBe("a".repeat(40));
  expect(label("a".repeat(41))).toBe(`${"a".repeat(39)}…`);
  expect(label(`${"a".repeat(38)}😀😀`)).toBe(`${"a".repeat(38)}…`);
});

test("what shields.io is told has no other members, and only green may be overridden there", () => {
  expect(JSON.parse(shieldsEndpoint(badgeFor([up])))).toEqual({
    schemaVersion: 1,
    label: "Acme",
    message: "up",
    color: GREEN,
  });
  for (const badge of [badgeFor([down]), badgeFor([keyless]), badgeFor([up], { stale: true })])
    expect(JSON.parse(shieldsEndpoint(badge))).toEqual({ schemaVersion: 1, ...badge, isError: true });
});

test("what is not to be had is grey", () => {
  expect(noBadge("missing")).toEqual({ label: "gatepulse", message: "not found", color: "#59636e" });
  expect(noBadge("unavailable")).toEqual({ label: "gatepulse", message: "no data", color: "#59636e" });
});
