/** Events as they are made of what happened, and what is sent again to receivers that forget. */
import { expect, test } from "vitest";
import { ALL_THERE } from "../../src/domain/model-watch.ts";
import { newMonitor } from "../../src/domain/monitor-state.ts";
import { NO_TICK_YET } from "../../src/domain/monitoring.ts";
import { wants } from "../../src/alert/delivery.ts";
import { identified } from "../../src/alert/alert-event.ts";
import { headline, severityOf } from "../../src/alert/wording.ts";
import type { CanaryConfig, MonitorConfig } from "../../src/config/config.ts";
import { draftOf, standingEvents, standingSinceMs } from "../../src/ledger/deliver/announce.ts";
import { play } from "../domain/alarm-play.ts";
import { canary } from "../fixtures/canary-play.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis, opened } from "../fixtures/outcome.ts";

const MINUTE = 60_000;
const ONE = config([gateway("a")]);
const down = diagnosis("http_error", "down");
const incident = opened(down, 2 * MINUTE);

test("what is open is told again to receivers that forget, though its last check was good", () => {
  const recovering = { ...newMonitor(0), incidentId: incident.id, goodInARow: 1, health: "up" as const };
  const standing = { incidents: [incident], monitors: { "a/models": recovering }, watch: NO_TICK_YET };
  expect(standingEvents(standing, 9 * MINUTE, { config: ONE, tickMs: null })).toMatchObject([
    { type: "incident.updated", reason: null, incident: { id: incident.id, resolvedAt: null } },
  ]);
  const [first] = standingEvents(standing, 9 * MINUTE, { config: ONE, tickMs: null });
  expect(headline(first!, ONE)).toMatch(/, for 7 min$/);
  expect(standingSinceMs(standing)).toBe(2 * MINUTE);
});

test.each([
  [false, "lookup $GATEWAY_HOST for org-7a7a7a7a"],
  [true, "lookup a.example for org-7a7a7a7a"],
])("with showEndpoint %j an alert quotes: %s", (showEndpoint, message) => {
  const said = diagnosis("http_error", "down", { message: "lookup a.example for org-7a7a7a7a" });
  const standing = { incidents: [opened(said, 2 * MINUTE)], monitors: {}, watch: NO_TICK_YET };
  const settings = config([gateway("a", { showEndpoint })]);
  expect(standingEvents(standing, 9 * MINUTE, { config: settings, tickMs: null })).toMatchObject([
    { diagnosis: { message } },
  ]);
});

test("what a gateway said that joins an incident of others is without its own private host", () => {
  const said = diagnosis("http_error", "down", { message: "lookup b.example" });
  const joined = { ...incident, monitorIds: ["a/models", "b/models"], memberIds: ["a/models", "b/models"] };
  const happening = {
    type: "incident.updated",
    reason: null,
    atMs: 3 * MINUTE,
    monitorId: "b/models",
    incident: joined,
    diagnosis: said,
  } as const;
  const both = config([gateway("a"), gateway("b")]);
  expect(draftOf(happening, { config: both, tickMs: null }).diagnosis?.message).toBe("lookup $GATEWAY_HOST");
});

test("models that are missing are told again with the time since when they are, whatever their monitor's health is", () => {
  const models = { ...ALL_THERE, told: ["gpt-4o"], toldSinceMs: 3 * MINUTE };
  const monitors = { "a/models": { ...newMonitor(0), sinceMs: 8 * MINUTE, models } };
  const standing = { incidents: [], monitors, watch: NO_TICK_YET };
  expect(standingEvents(standing, 9 * MINUTE, { config: ONE, tickMs: null })).toMatchObject([
    { type: "models.changed", atMs: 3 * MINUTE, gateway: { id: "a" }, monitor: "a/models" },
  ]);
  expect(standingSinceMs(standing)).toBe(3 * MINUTE);
});

test("those whose turn it is hear of an outage that began while the monitor's own key made it flap, once it is steady", () => {
  const { final } = play({ models: `UUAAUUAAUUAA${"D".repeat(60)}UU` }, { flapping: 4 });
  const events = final.happenings.map((happening) => draftOf(happening, { config: ONE, tickMs: null }));
  const onCall = { turns: null, owners: ["operator"], causes: null, gateways: null, events: null } as const;
  const heard = events.filter((event) => wants(onCall, event)).map((event) => identified(event, 1));
  expect(heard.map((event) => [event.type, severityOf(event), headline(event, ONE)])).toEqual([
    ["incident.updated", "critical", "Down, no longer flapping: A: unexpected HTTP status, for 57 min"],
    ["incident.resolved", "good", "Recovered: A, after 1 h 3 min"],
  ]);
});

test("of a canary with a key of its own, an alert says whose calls that key is for", () => {
  const usedBy = (monitorId: string) => {
    const refused = {
      type: "incident.opened",
      reason: null,
      gatewayId: "a",
      monitorId,
      diagnosis: null,
    } as const;
    const monitors = [monitor("a"), canary({ usedBy: "production" }, { id: "a/chat" })];
    const settings = { config: config([gateway("a", { monitors })]), tickMs: null };
    return draftOf({ ...refused, atMs: 0, incident }, settings).gateway?.usedBy;
  };
  expect([usedBy("a/models"), usedBy("a/chat")]).toEqual(["monitor", "production"]);
});

/** A canary beside the list of the gateway `a`. */
function chat(id: string, model: string, isStreamed = false): MonitorConfig {
  const asked = { isStreamed, isGeneration: true } as CanaryConfig;
  return { ...ONE.gateways[0]!.monitors[0]!, id, kind: "chat", model, canary: asked };
}

/** The canary that is named where these fail together. */
function namedCanary(chats: readonly MonitorConfig[], failing: readonly [string, ...string[]]) {
  const settings = config([{ ...gateway("a"), monitors: [...ONE.gateways[0]!.monitors, ...chats] }]);
  const incidents = [opened(down, 0, failing)];
  const standing = { incidents, monitors: {}, watch: NO_TICK_YET };
  const [event] = standingEvents(standing, MINUTE, { config: settings, tickMs: null });
  return event?.canary;
}

test("the one canary that is meant is named by what it asks, and beside others it is not", () => {
  const one = [chat("a/chat", "gpt-4o-mini", true)];
  const name = "chat · gpt-4o-mini · stream";
  expect(namedCanary(one, ["a/chat"])).toEqual({ name, generates: true });
  expect(namedCanary(one, ["a/models"])).toBeNull();
  expect(namedCanary(one, ["a/chat", "a/models"])).toBeNull();
});
