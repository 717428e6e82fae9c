import { describe, expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import { EMPTY_STATE, type LedgerState } from "../../src/ledger/state/state.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis, opened } from "../fixtures/outcome.ts";
import { begin, due as probed, MINUTE, record as recordIn } from "./ticks.ts";
import { endIncident } from "../../src/domain/incident.ts";
import {
  formerIds,
  gatewaysWithCauses,
  identify,
  presentName,
  publishOf,
} from "../../src/ledger/begin/apply-config.ts";
import { publishedIncident } from "../../src/ledger/publish/incident-document.ts";
import { canary, withCanaries } from "../fixtures/canary-play.ts";

interface World {
  readonly config: Config;
  readonly identities: Readonly<Record<string, string>>;
}

function record(state: LedgerState, tickMs: number, over: Partial<ProbeOutcome>, of: string, world: World) {
  const told = { [of]: { startedAtMs: tickMs, durationMs: 0, ...over } };
  return recordIn(state, tickMs, told, { config: world.config });
}

const BEFORE: World = { config: config([gateway("old")]), identities: { old: "addr:key" } };
const carriesOn = (id: string, formerly: readonly string[]) =>
  gateway(id, { baseUrl: "https://old.example", monitors: [monitor(id, { formerly })] });
const renamed = (identity: string): World => ({
  config: config([carriesOn("new", ["old/models"])]),
  identities: { new: identity },
});

const ASKS_FOR_REST = diagnosis("rate_limited", "degraded", {
  retry: { allowed: true, afterSeconds: 600, hint: null },
  message: "old.example is busy",
});
/** `old` was probed in the first minute, and asked for ten more. */
const BEGUN = begin(EMPTY_STATE, MINUTE, BEFORE).state;
const HELD = record(BEGUN, MINUTE, { diagnosis: ASKS_FOR_REST }, "old/models", BEFORE).state;

describe("a gateway that was renamed", () => {
  test("is left in peace for as long as it asked under its former name", () => {
    const after = renamed("addr:key");
    const first = begin(HELD, 2 * MINUTE, after);
    expect(probed(first)).toEqual([]);
    expect(probed(begin(first.state, 10 * MINUTE, after))).toEqual([]);
    expect(probed(begin(first.state, 11 * MINUTE, after))).toEqual(["new/models"]);
  });

  test("is left in peace also where its key changed with its name: another key is no other gateway", () => {
    const after = renamed("addr:other");
    const { state } = begin(HELD, 2 * MINUTE, after);
    expect(state.journal.gateways["new"]).toMatchObject({ identity: "addr:other", heldUntilMs: 11 * MINUTE });
    expect(state.monitors["new/models"]).toMatchObject({ nextDueMs: 0, lastUpMs: null });
  });

  test("is asked at once at another address, where nothing is told that was said at the former one", () => {
    const first = begin(HELD, 2 * MINUTE, renamed("elsewhere:key"));
    expect(probed(first)).toEqual(["new/models"]);
    expect(first.state.monitors["new/models"]?.diagnosis?.message).toBeNull();
    const same = begin(HELD, 2 * MINUTE, renamed("addr:key")).state;
    expect(same.monitors["new/models"]?.diagnosis?.message).toBe("old.example is busy");
  });

  test("still goes last where it was slow, and alone where it killed an invocation", () => {
    const slow = record(BEGUN, MINUTE, { latencyMs: 12_000 }, "old/models", BEFORE).state;
    const killed = begin(slow, 2 * MINUTE, BEFORE).state;
    const [assignment] = begin(killed, 8 * MINUTE, renamed("addr:key")).answer.assignments;
    expect(assignment).toMatchObject({ gatewayId: "new", hangs: true, suspect: true });
  });

  test("is not probed twice at once, and the result under its former id counts", () => {
    const after = renamed("addr:key");
    const second = begin(BEGUN, 2 * MINUTE, after);
    expect(probed(second)).toEqual([]);
    const late = record(second.state, MINUTE, { diagnosis: ASKS_FOR_REST }, "old/models", after);
    expect(late.samples).toMatchObject([{ monitorId: "new/models", sample: { cause: "rate_limited" } }]);
    expect(late.state.journal.gateways["new"]).toMatchObject({ lease: null, heldUntilMs: 11 * MINUTE });
    expect(late.state.monitors["new/models"]?.failedInARow).toBe(1);
  });
});

test("a monitor that goes to a gateway of the same address takes the rest along that was asked for", () => {
  const rest = gateway("old", { monitors: [monitor("old", { id: "old/second" })] });
  const split: World = {
    config: config([rest, carriesOn("new", ["old/models"])]),
    identities: { old: "addr:key", new: "addr:key2" },
  };
  const state = begin(HELD, 2 * MINUTE, split).state;
  expect(state.journal.gateways["new"]?.heldUntilMs).toBe(11 * MINUTE);
  // From then on each has its own.
  const rested = { ...state.journal.gateways, new: { ...state.journal.gateways["new"], heldUntilMs: 0 } };
  const later = { ...state, journal: { ...state.journal, gateways: rested } } as LedgerState;
  expect(begin(later, 3 * MINUTE, split).state.journal.gateways["new"]?.heldUntilMs).toBe(0);
});

test("of several gateways that become one, that of its key is carried on, else one of its address", () => {
  const ids = ["far", "kin", "old"];
  const apart: World = {
    config: config(ids.map((id) => gateway(id))),
    identities: { far: "addr2:key", kin: "addr:key2", old: "addr:key" },
  };
  const begun = begin(EMPTY_STATE, MINUTE, apart).state;
  const { state } = record(begun, MINUTE, { diagnosis: ASKS_FOR_REST }, "kin/models", apart);
  const monitors = ids.map((id) => monitor("new", { id: `new/${id}`, formerly: [`${id}/models`] }));
  const stateAs = (identity: string) => {
    const one = { config: config([gateway("new", { monitors })]), identities: { new: identity } };
    return begin(state, 2 * MINUTE, one).state.journal.gateways["new"];
  };
  expect(stateAs("addr:key")?.lease).toMatchObject({ tickMs: MINUTE, owed: ["new/old"] });
  expect(stateAs("addr:key3")?.heldUntilMs).toBe(11 * MINUTE);
});

/** Both, and later one with the monitors of both. */
const beside = (identity: string): World => ({
  config: config([gateway("old"), gateway("new")]),
  identities: { old: "addr:key", new: identity },
});
const merged = (identity: string): World => {
  const monitors = [monitor("new"), monitor("new", { id: "new/b", formerly: ["old/models"] })];
  return { config: config([gateway("new", { monitors })]), identities: { new: identity } };
};

test("what a monitor was told at one gateway is forgotten when it goes to one of another address", () => {
  const world = beside("addr2:key2");
  let { state } = begin(EMPTY_STATE, MINUTE, world);
  state = record(state, MINUTE, {}, "old/models", world).state;
  state = record(state, MINUTE, {}, "new/models", world).state;
  state = begin(state, 2 * MINUTE, world).state;
  const down = diagnosis("service_misconfigured", "down", { message: "old.example is out" });
  state = record(state, 2 * MINUTE, { diagnosis: down }, "old/models", world).state;
  const { monitors } = begin(state, 3 * MINUTE, merged("addr2:key2")).state;
  expect(monitors["new/b"]).toMatchObject({ lastUpMs: null, diagnosis: { message: null } });
  expect(monitors["new/models"]?.lastUpMs).toBe(MINUTE);
});

test("the words of an incident stay with the address at which they were said", () => {
  const down = diagnosis("service_misconfigured", "down", { message: "old.example is out" });
  let state = EMPTY_STATE;
  for (const minute of [1, 2]) {
    state = begin(state, minute * MINUTE, BEFORE).state;
    state = record(state, minute * MINUTE, { diagnosis: down }, "old/models", BEFORE).state;
  }
  const messagesAfter = (identity: string) =>
    Object.values(begin(state, 3 * MINUTE, renamed(identity)).state.incidents).map(
      ({ gatewayId, latestFailure }) => [gatewayId, latestFailure?.diagnosis.message],
    );
  expect(messagesAfter("addr:key")).toEqual([["new", "old.example is out"]]);
  expect(messagesAfter("elsewhere:key")).toEqual([["new", null]]);
});

test("a monitor that is renamed while it is probed is not probed a second time, and its result counts", () => {
  const named = monitor("old", { id: "old/list", formerly: ["old/models"] });
  const after = { ...BEFORE, config: config([gateway("old", { monitors: [named] })]) };
  const next = begin(BEGUN, 2 * MINUTE, after);
  expect(probed(next)).toEqual([]);
  const { state } = record(next.state, MINUTE, {}, "old/models", after);
  expect(state.monitors["old/list"]?.health).toBe("up");
  expect(state.journal.gateways["old"]?.lease).toBeNull();
});

const publishing = (id: string, formerly: readonly string[], publish: "causes" | "health" = "causes") =>
  gateway(id, { publish, monitors: [monitor(id, { formerly })] });

test("a monitor is known by all its former ids, and one that had none by its own alone", () => {
  const two = config([publishing("new", ["old/models", "older/list"]), gateway("other")]);
  expect(formerIds(two)).toEqual({ "new/models": ["old/models", "older/list"] });
  const names = ["old/models", "older/list", "new/models", "other/models", "gone/models"];
  const now = ["new/models", "new/models", "new/models", "other/models", "gone/models"];
  expect(names.map(presentName(two))).toEqual(now);
});

test("a gateway that is gone shows what all that carry it on show, and its health alone where none does", () => {
  const shown = config([
    publishing("a", ["one/models", "both/models"]),
    publishing("b", ["both/list", "hidden/models"], "health"),
  ]);
  const of = ["a", "b", "one", "both", "hidden", "gone"].map((id) => publishOf(shown, id));
  expect(of).toEqual(["causes", "health", "causes", "health", "health", "health"]);
  expect(gatewaysWithCauses(shown)).toEqual(["a", "one"]);
});

test("what a gateway publishes is its own to say, though one of its monitors went elsewhere", () => {
  const moved = config([gateway("a"), publishing("b", ["a/chat"], "health")]);
  expect(publishOf(moved, "a")).toBe("causes");
  expect(gatewaysWithCauses(moved)).toEqual(["a"]);
});

test("an incident of a gateway that was renamed keeps its causes; its reports, whose address is not known, go", () => {
  const down = diagnosis("timeout", "down");
  const incident = endIncident(opened(down, 60_000, ["old/models"]), "resolved", 180_000);
  const documentOf = (gateways: Parameters<typeof config>[0]) =>
    publishedIncident(incident, { config: config(gateways), client: "gatepulse/0" });
  const carriedOn = documentOf([publishing("new", ["old/models"])]);
  expect(carriedOn).toMatchObject({
    incident: { gateway: "old", monitors: ["old/models"], cause: "timeout", report: null },
    reports: [],
    fullReports: [],
  });
  expect(documentOf([publishing("new", ["old/models"], "health")]).incident.cause).toBeNull();
  expect(documentOf([gateway("new")]).incident.cause).toBeNull();
});

test("the series of a region goes with the monitor that was renamed", () => {
  const one = config([publishing("new", ["old/models"])]);
  const series = ["old/models@weur", "new/models@weur", "gone/models@apac-se"];
  expect(series.map(presentName(one))).toEqual(["new/models@weur", "new/models@weur", "gone/models@apac-se"]);
});

const own = canary({ hasOwnKey: true, apiKey: "OWN_KEY" }, { id: "a/own" });
const settings = withCanaries([monitor("a"), canary(), own]);
const identitiesOf = (keys: Readonly<Record<string, string>>, of = settings) =>
  identify(of, "salt", (name) => keys[name] ?? null);

test("a gateway has an identity, and each canary with a key of its own; no key is in any", async () => {
  const before = await identitiesOf({ KEY: "k-1", OWN_KEY: "o-1" });
  expect(Object.keys(before)).toEqual(["a", "a/own"]);
  expect(JSON.stringify(before)).not.toMatch(/k-1|o-1/);
  const otherOwn = await identitiesOf({ KEY: "k-1", OWN_KEY: "o-2" });
  expect(otherOwn["a"]).toBe(before["a"]);
  expect(otherOwn["a/own"]).not.toBe(before["a/own"]);
  const otherKey = await identitiesOf({ KEY: "k-2", OWN_KEY: "o-1" });
  expect(otherKey["a"]).not.toBe(before["a"]);
  expect(otherKey["a/own"]).toBe(before["a/own"]);
});

test("another address changes the part before the colon, and nothing else", async () => {
  const keys = { KEY: "k-1", OWN_KEY: "o-1" };
  const moved = { ...settings, gateways: [{ ...settings.gateways[0]!, baseUrl: "https://moved.example" }] };
  const [before, after] = [await identitiesOf(keys), await identitiesOf(keys, moved)];
  const [address, key] = before["a"]!.split(":");
  expect(after["a"]).toMatch(new RegExp(`^(?!${address})[^:]+:${key}$`, "u"));
  expect(after["a/own"]).toBe(before["a/own"]);
});
