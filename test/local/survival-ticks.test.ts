/**
 * Ticks that come twice, at once, too early, too late or at a wrong time, and what happens between them: waits that a
 * gateway asks for, keys that are refused, gateways that change. Real Worker, real sockets.
 */
import { describe, expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import { freshSimulator, hangingIn, type Playing, requestsDuring, startPlaying } from "./support/playing.ts";
import { incidentsOf, monitorOf, samplesOf, statusOf } from "./support/readings.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";
import {
  type Hanging,
  MINUTE_MS,
  type Order,
  type Step,
  type World,
  type WorldOptions,
} from "./support/world.ts";

const simulator = await freshSimulator();
const watching = (playing: Playing, over: Partial<WorldOptions> = {}) =>
  startPlaying(simulator, playing, over);

/** As in the scenarios, but for as long as it is on nobody's time runs out. */
function heldBy(holding: { readonly isOn: boolean }): Hanging {
  const hangs = hangingIn(simulator);
  return (path, sinceMs) => !holding.isOn && hangs(path, sinceMs);
}

/** The minutes, counted from the first tick, in which each gateway was asked anything. */
async function askedInMinutes(of: World, minutes: number): Promise<ReadonlyMap<string, readonly number[]>> {
  const asked = new Map<string, number[]>();
  for (let minute = 0; minute < minutes; minute += 1) {
    const before = simulator.requests.length;
    await of.tick(of.startMs + minute * MINUTE_MS);
    const gateways = new Set(
      simulator.requests.slice(before).map(({ gateway }) => gateway.slice("g/".length)),
    );
    for (const gateway of gateways) asked.set(gateway, [...(asked.get(gateway) ?? []), minute]);
  }
  return asked;
}

describe("a tick that fires more than once", () => {
  test("the same tick twice, at once after itself or minutes later, probes once", async () => {
    const { tick, startMs, fire } = await watching({ good: ["healthy"] });
    const asked = (act: () => Promise<void>) => requestsDuring(simulator, "good", act);
    expect(await asked(() => tick(startMs))).toBe(1);
    expect(await asked(() => fire(startMs))).toBe(0);
    for (const minute of [1, 2, 3]) expect(await asked(() => tick(startMs + minute * MINUTE_MS))).toBe(1);
    expect(await asked(() => fire(startMs + MINUTE_MS))).toBe(0);
  });

  test("the same tick twice at the same time probes once", async () => {
    const { setClock, startMs, fire } = await watching({ good: ["delay_50"], other: ["delay_20"] });
    await setClock(startMs);
    const both = () => Promise.all([fire(startMs), fire(startMs), fire(startMs)]);
    expect(await requestsDuring(simulator, "good", both)).toBe(1);
    expect(simulator.requests).toHaveLength(2);
  });
});

describe("ticks that overlap", () => {
  test("while a tick takes longer than a minute, the next leaves its gateway alone and probes the others", async () => {
    const holding = { isOn: true };
    let recorded = 0;
    const onStep = ({ name }: Step): Order => {
      if (name === "record:after") recorded += 1;
      return "go";
    };
    const hangs = heldBy(holding);
    const of = await watching({ slow: ["no_answer"], good: ["any_key"] }, { hangs, onStep });
    await of.setClock(of.startMs);
    const long = of.fire(of.startMs);
    await expect.poll(() => recorded).toBe(1);
    await of.setClock(of.startMs + MINUTE_MS);
    expect(await requestsDuring(simulator, "good", () => of.fire(of.startMs + MINUTE_MS))).toBe(1);
    expect(simulator.requests).toHaveLength(3);
    holding.isOn = false;
    await long;
    await of.publish();
    expect(await monitorOf(of, "slow/models")).toMatchObject({
      diagnosis: { cause: "timeout" },
      lastProbe: { attempts: 1, latencyMs: 30_000 },
    });
    expect(await samplesOf(of, "good/models")).toHaveLength(2);
  });
});

describe("gateways that hang, now and then", () => {
  test("keep a good one waiting once, before they are known", async () => {
    const holding = { isOn: false };
    const names = ["a1", "a2", "a3", "a4", "a5", "a6"];
    // As many as are asked at once.
    const moody = Object.fromEntries(
      names.map((id) => [id, ["no_answer", "healthy", "no_answer", "healthy"]]),
    );
    const of = await watching({ ...moody, good: ["healthy"] }, { hangs: heldBy(holding), speed: 500 });
    const asked = (id: string) => simulator.requests.filter(({ gateway }) => gateway === `g/${id}`).length;
    for (let minute = 0; minute < 4; minute += 1) {
      const tickMs = of.startMs + minute * MINUTE_MS;
      holding.isOn = true;
      await of.setClock(tickMs);
      const tick = of.fire(tickMs);
      if (minute === 0) {
        await expect.poll(() => names.map(asked)).toEqual(names.map(() => 1));
        expect(asked("good")).toBe(0);
      } else {
        // Nobody who hangs is done with before.
        await expect.poll(() => asked("good")).toBe(minute + 1);
      }
      await of.setClock(tickMs + 30_000);
      holding.isOn = false;
      await tick;
      expect([minute, ...names.map(asked)]).toEqual([minute, ...names.map(() => minute + 1)]);
      expect([minute, asked("good")]).toEqual([minute, minute + 1]);
    }
  });
});

describe("waits between ticks", () => {
  const REFUSED = {
    authentication: "unauthorized_invalid",
    insufficient_balance: "balance_402",
    quota_exceeded: "quota_429",
    permission_denied: "forbidden_json",
  };
  const playing = Object.fromEntries(
    Object.entries(REFUSED).map(([cause, scenario]) => [cause.replaceAll("_", "-"), [scenario]]),
  );

  test("an hour of Retry-After: 3600, and refusals of every kind, at every minute", async () => {
    const of = await watching({ busy: ["rate_limited_3600"], ...playing });
    const asked = await askedInMinutes(of, 64);

    const busy = asked.get("busy") ?? [];
    expect(busy).toHaveLength(2);
    expect(busy[0]).toBe(0);
    // An hour after the answer, which came a little after the tick.
    expect([60, 61]).toContain(busy[1]);

    const intervalsOf = (gateway: string): readonly number[] => {
      const minutes = asked.get(gateway) ?? [];
      return minutes.slice(1).map((minute, index) => minute - (minutes[index] ?? 0));
    };
    for (const gateway of Object.keys(playing)) {
      expect([gateway, ...intervalsOf(gateway)]).toEqual([gateway, 2, 4, 8, 15, 15, 15]);
    }
    await of.publish();
    expect(await monitorOf(of, "busy/models")).toMatchObject({ status: "degraded" });
  });

  test("a changed key is tried at once, on the same storage", async () => {
    const persistDir = await temporaryDirectory();
    const from = async (startMs: number | null, key: string) => {
      const over = { persistDir, secrets: { KEY: key }, ...(startMs !== null && { startMs }) };
      return watching({ acme: ["healthy"] }, over);
    };
    const askedOf = async (of: World, minutes: number) =>
      (await askedInMinutes(of, minutes)).get("acme") ?? [];
    const refused = await from(null, "sk-old");
    expect(await askedOf(refused, 12)).toEqual([0, 2, 6]);
    await refused.stop();
    const same = await from(refused.startMs + 12 * MINUTE_MS, "sk-old");
    expect(await askedOf(same, 1)).toEqual([]);
    await same.stop();
    const fixed = await from(same.startMs + MINUTE_MS, SIMULATOR_KEYS.good);
    expect(await askedOf(fixed, 3)).toEqual([0, 1, 2]);
    await fixed.publish();
    expect(await monitorOf(fixed, "acme/models")).toMatchObject({ status: "up" });
  });
});

describe("a gateway that worked until it changed", () => {
  const CHANGES = [
    ["html", "html_200", "wrong_url"],
    ["redirect", "redirect_302", "wrong_url"],
    ["page-404", "not_found_html", "wrong_url"],
    ["json-404", "not_found_json", "not_found"],
    ["refuses-400", "bad_request", "malformed_request"],
  ] as const;

  test("to HTML, a redirect, 404 or 400: an outage, not the caller's fault", async () => {
    const of = await watching(
      Object.fromEntries(CHANGES.map(([id, scenario]) => [id, ["healthy", scenario]])),
    );
    for (const minute of [0, 1, 2]) await of.tick(of.startMs + minute * MINUTE_MS);
    await of.publish();
    for (const [id, , cause] of CHANGES) {
      const { status, diagnosis } = await monitorOf(of, `${id}/models`);
      const seen = [status, diagnosis?.cause, diagnosis?.owner, diagnosis?.health];
      expect([id, ...seen]).toEqual([id, "down", cause, "operator", "down"]);
    }
    const told = (await incidentsOf(of)).map(({ incident }) => [incident.gateway, incident]);
    expect(Object.fromEntries(told)).toMatchObject(
      Object.fromEntries(CHANGES.map(([id]) => [id, { owner: "operator", health: "down" }])),
    );
    expect(told).toHaveLength(CHANGES.length);
  });
});

describe("news between two publishes", () => {
  test("are published by the Ledger's alarm, without another tick", async () => {
    const of = await watching({ fast: ["healthy"], slow: ["delay_300"] }, { stands: false });
    await of.tick(of.startMs);
    await expect.poll(async () => (await statusOf(of)).summary).toMatchObject({ up: 2 });
  });
});
