import { describe, expect, test } from "vitest";
import type { IncidentDocument } from "../../src/history/documents.ts";
import { segmentKey } from "../../src/history/keys.ts";
import { rounds } from "../extent.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { inLedger, minutes, published, START, TICK_MS, type Harness } from "./ledger-harness.ts";
import { read } from "./reading.ts";
import type { AdminRequest } from "../../src/domain/tick.ts";
import { instant } from "../../src/domain/calendar.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { combineOutcomes } from "../../src/domain/monitor-state.ts";
import { GOOD, ONE_DOWN, webhook, withAdmin } from "./admin-world.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";

/** In 8 of them, a publish a minute would be too many. */
const NEWS_HOURS = rounds(8, 24);

const DOWN = { diagnosis: diagnosis("upstream_unavailable", "down") };

describe("publishing", () => {
  test("the first results are published at once, then every other minute without news; with news at once", () =>
    inLedger({}, async (harness) => {
      await harness.tick(START, () => ({}));
      const { status } = await published();
      expect(status).toMatchObject({ status: "up", summary: { up: 2, down: 0 }, stale: false });
      expect(status.lastTickAt).toBe("2026-11-20T09:00:00.000Z");
      for (const at of minutes(START + TICK_MS, 10)) await harness.tick(at, () => ({}));
      expect(harness.kvWrites).toBe(6);
      await harness.tick(START + 11 * TICK_MS, () => DOWN);
      expect((await published()).status.status).toBe("down");
    }));

  test.each([
    ["too close on a publish", false],
    ["while a publish is under way", true],
  ])("news that come %s wait five seconds, and the alarm is asked for", (_, isUnderWay) =>
    inLedger({}, async (harness) => {
      const request = { tickMs: START, invocation: "i" };
      harness.service.order(request, { g0: "g0:key", g1: "g1:key" });
      const tell = (monitorId: string): void => {
        const results = [{ monitorId, outcome: outcome({ startedAtMs: START + 7 }) }];
        harness.service.store({ ...request, results, ownNetworkFailed: false, returned: [] });
      };
      if (isUnderWay) harness.duringPut = () => tell("g1/models");
      tell("g0/models");
      await harness.service.maintain();
      if (!isUnderWay) tell("g1/models");
      await harness.service.maintain();
      expect(harness.kvWrites).toBe(1);
      expect((await published()).status.summary).toMatchObject({ up: 1, unknown: 1 });
      expect(harness.service.nextWakeMs()).toBe(START + 5000);
      harness.nowMs = START + 5000;
      await harness.service.maintain();
      expect((await published()).status.summary).toMatchObject({ up: 2, unknown: 0 });
      // Nothing but to see whether ticks still come.
      expect(harness.service.nextWakeMs()).toBe(START + 3 * 60_000);
    }),
  );

  test("news that KV refuses stay urgent", () =>
    inLedger({}, async (harness) => {
      await harness.tick(START, () => ({}));
      harness.kvFails = true;
      await harness.tick(START + TICK_MS, () => DOWN);
      harness.kvFails = false;
      expect(harness.service.nextWakeMs()).toBe(START + TICK_MS + 1000 + 30_000);
      harness.restart();
      harness.nowMs += 30_000;
      await harness.service.maintain();
      expect((await published()).status).toMatchObject({ status: "down", summary: { down: 2 } });
    }));

  test("segments reach KV even if it refuses the snapshot", () =>
    inLedger({}, async (harness) => {
      for (const at of minutes(START, 80)) await harness.tick(at, () => ({}));
      harness.duringPut = () => {
        throw new Error("KV PUT failed: 413 Value length exceeds limit");
      };
      await harness.tick(START + 80 * TICK_MS, () => ({}));
      expect(harness.warnings).toHaveLength(1);
      expect([...harness.expirations.keys()]).toContain(segmentKey(0, "hour", "2026-11-20T09"));
    }));

  test("news of a Ledger that dies while it publishes come with the next usual snapshot", () =>
    inLedger({}, async (harness) => {
      await harness.tick(START, () => ({}));
      harness.duringPut = () => {
        harness.storageFails = true;
        throw new Error("the object was reset");
      };
      await harness.tick(START + TICK_MS, () => DOWN);
      harness.storageFails = false;
      harness.restart();
      expect((await published()).status.status).toBe("up");
      harness.nowMs = START + 4 * TICK_MS;
      await harness.service.maintain();
      expect((await published()).status).toMatchObject({ status: "down", summary: { down: 2 } });
    }));

  test("the overview is published as it is sent; if it cannot be rendered, everything else is published", () =>
    inLedger({}, async (harness) => {
      await harness.tick(START, () => ({}));
      const { page } = await published();
      expect(page).toContain("Both monitors are up");
      expect(await read("/", harness.nowMs)).toBe(page);
      harness.pageFails = true;
      await harness.tick(START + TICK_MS, () => DOWN);
      expect(await published()).toMatchObject({ status: { status: "down" }, page: "" });
      expect(await read("/", harness.nowMs)).toContain("Both monitors are down");
      expect(harness.warnings).toEqual(["ledger: the page was not rendered: Error: no page"]);
    }));

  test("the status tells how an open incident began and what was last", () =>
    inLedger({ gateways: 1 }, async (harness) => {
      const causes = ["timeout", "upstream_unavailable", "http_error", "api_error"] as const;
      const ticks = [...minutes(START, 1), ...minutes(START + TICK_MS, causes.length)];
      for (const [index, at] of ticks.entries()) {
        await harness.tick(at, () => ({
          diagnosis: diagnosis(causes[Math.max(0, index - 1)] ?? "timeout", "down"),
        }));
      }
      await harness.publish();
      const { status, tail } = await published();
      const told = (incident: IncidentDocument | undefined): unknown =>
        incident?.timeline.map(({ type, cause }) => `${type} ${cause}`);
      expect(told(status.incidents[0])).toEqual(["opened timeout", "updated api_error"]);
      expect(told(tail.incidents[0]?.incident)).toEqual([
        "opened timeout",
        "updated upstream_unavailable",
        "updated http_error",
        "updated api_error",
      ]);
    }));

  test(`${NEWS_HOURS} hours full of news stay within the 200 immediate publishes of a day`, () =>
    inLedger({ gateways: 1 }, async (harness) => {
      const flap = (_: string, at: number) =>
        (at / TICK_MS) % 2 === 0 ? {} : { diagnosis: diagnosis("timeout", "down") };
      const midnight = Date.parse("2026-11-21T00:00:00Z");
      for (const at of minutes(midnight, NEWS_HOURS * 60)) await harness.tick(at, flap);
      // Every other minute, the immediate ones, and the hours and the day.
      expect(harness.kvWrites).toBeLessThanOrEqual(NEWS_HOURS * 30 + 200 + NEWS_HOURS + 1);
    }));
});

async function ask(harness: Harness, request: AdminRequest): Promise<void> {
  expect(await harness.service.administer(request)).toMatchObject({ ok: true });
}

const HOUR_MS = 60 * TICK_MS;

function plan(title: string, fromMs: number, toMs: number): AdminRequest {
  return { type: "plan_maintenance", gateways: ["g0"], fromMs, toMs, title };
}

test("planned windows are told beside configured ones as they begin, until they are over", async () => {
  const times = { fromMs: START + HOUR_MS, toMs: START + 2 * HOUR_MS };
  await inLedger({ maintenance: [{ gateways: [], ...times, title: "Configured" }] }, async (harness) => {
    await harness.tick(START, () => ({}));
    await ask(harness, plan("Later", START + 3 * HOUR_MS, START + 4 * HOUR_MS));
    await ask(harness, plan("Now", START, START + 10 * TICK_MS));
    await harness.publish();
    const { maintenance } = (await published()).status;
    expect(maintenance.map(({ title }) => title)).toEqual(["Now", "Configured", "Later"]);
    expect(maintenance[0]).toEqual({
      id: expect.stringMatching(/^m[0-9a-z]+$/u),
      gateways: ["g0"],
      from: instant(START),
      to: instant(START + 10 * TICK_MS),
      title: "Now",
    });
    expect(maintenance[1]).not.toHaveProperty("id");
    harness.nowMs = START + 10 * TICK_MS;
    await harness.publish();
    expect((await published()).status.maintenance.map(({ title }) => title)).toEqual(["Configured", "Later"]);
  });
});

test("a monitor says how many more failures open an incident, and how many of the good checks that end it there were", () => {
  const gateways = [gateway("g0", { group: "Production", monitors: [monitor("g0", { open: 3, close: 2 })] })];
  return inLedger({ config: config([...gateways, gateway("g1")]) }, async (harness) => {
    const told: unknown[] = [];
    const fails = [false, true, true, true, false, false];
    for (const [index, at] of minutes(START, 6).entries()) {
      await harness.tick(at, (id) => (id === "g0/models" && fails[index] === true ? DOWN : {}));
      await harness.publish();
      const [{ monitors } = { monitors: [] }] = (await published()).status.gateways;
      told.push([monitors[0]?.opensAfter, monitors[0]?.incident !== null, monitors[0]?.recovery]);
    }
    expect(told).toEqual([
      [undefined, false, undefined],
      [2, false, undefined],
      [1, false, undefined],
      [undefined, true, undefined],
      [undefined, true, { good: 1, of: 2 }],
      [undefined, false, undefined],
    ]);
    const [first, second] = (await published()).status.gateways;
    expect([first?.group, second?.group]).toEqual(["Production", undefined]);
  });
});

test("when ticks have stopped, the next check stays the one that was missed", () =>
  inLedger({}, async (harness) => {
    await harness.tick(START, () => ({}));
    const planned = async () => {
      await harness.publish();
      return (await published()).status.gateways[0]?.monitors[0]?.nextProbeAt;
    };
    expect(await planned()).toBe(instant(START + TICK_MS));
    harness.nowMs = START + HOUR_MS;
    expect(await planned()).toBe(instant(START + TICK_MS));
  }));

const LIMITED = diagnosis("rate_limited", "degraded", {
  httpStatus: 429,
  retry: { allowed: true, afterSeconds: 86_400, hint: null },
});

test("a day's rest that a gateway asks of one monitor leaves the other one without evidence", async () => {
  const monitors = ["models", "chat"].map((id) => monitor("a", { id: `a/${id}` }));
  await inLedger({ config: config([gateway("a", { monitors })]) }, async (harness) => {
    await harness.tick(START, (id) => (id === "a/models" ? { diagnosis: LIMITED } : {}));
    const shown = async (): Promise<unknown> => {
      const { monitors: told = [] } = (await published()).status.gateways[0] ?? {};
      return told.map(({ id, status, lastStatus, nextProbeAt }) => [id, status, lastStatus, nextProbeAt]);
    };
    const next = instant(START + 24 * HOUR_MS + TICK_MS);
    expect(await shown()).toEqual([
      ["a/models", "degraded", "degraded", next],
      ["a/chat", "up", "up", next],
    ]);
    expect(await harness.tick(START + 23 * HOUR_MS, () => ({}))).toEqual([]);
    expect(await shown()).toEqual([
      ["a/models", "degraded", "degraded", next],
      ["a/chat", "unknown", "up", next],
    ]);
  });
});

const UNREACHED = {
  diagnosis: diagnosis("connection_failed", "down", { layer: "network", httpStatus: null }),
};

test("of a shared incident the lead alone has the report, and who has left is told", async () => {
  const monitors = ["models", "chat", "embeddings"].map((id) => monitor("a", { id: `a/${id}` }));
  await inLedger({ config: config([gateway("a", { monitors })]) }, async (harness) => {
    for (const at of minutes(START, 2)) await harness.tick(at, () => UNREACHED);
    for (const at of minutes(START + 2 * TICK_MS, 2)) {
      await harness.tick(at, (id) => (id === "a/chat" ? {} : UNREACHED));
    }
    const { status } = await published();
    const [incident] = status.incidents;
    const lead = incident?.members?.[0];
    expect(incident?.monitors.toSorted()).toEqual(["a/chat", "a/embeddings", "a/models"]);
    expect(incident?.members?.toSorted()).toEqual(["a/embeddings", "a/models"]);
    const shown = status.gateways[0]?.monitors.map(({ id, ...of }) => [id, of.incident, of.report]);
    expect(shown).toEqual(
      ["a/models", "a/chat", "a/embeddings"].map((id) => [
        id,
        id === "a/chat" ? null : incident?.id,
        id === lead ? `${incident?.id}-2` : null,
      ]),
    );
  });
});

test("of an incident of several gateways the new lead has a report once it has failed as such", async () => {
  const upstream = [{ name: "OpenAI", status: "https://status.openai.com" }];
  const of = (id: string, sibling: string) =>
    gateway(id, { upstream, monitors: [monitor(id, { siblings: [sibling] })] });
  const failed = { diagnosis: diagnosis("upstream_unavailable", "down", { owner: "upstream" }) };
  const unseen = { diagnosis: diagnosis("task_pending", "unknown", { owner: "nobody" }) };
  await inLedger({ config: config([of("a", "b"), of("b", "a")]) }, async (harness) => {
    for (const at of minutes(START, 2)) await harness.tick(at, () => failed);
    const lead = (await published()).status.incidents[0]?.members?.[0] ?? "a/models";
    for (const at of minutes(START + 2 * TICK_MS, 2))
      await harness.tick(at, (id) => (id === lead ? {} : unseen));
    await harness.publish();
    const { incidents, gateways } = (await published()).status;
    expect(incidents).toMatchObject([{ members: [expect.not.stringContaining(lead)], report: null }]);
    expect(gateways.map(({ monitors }) => monitors[0]?.report)).toEqual([null, null]);
  });
});

const CHINESE = { language: "zh", url: "https://status.acme.example" } as const;

test("the configured language and address are published, for pages and the feed", () =>
  inLedger({ config: config([gateway("a")], CHINESE) }, async (harness) => {
    await harness.tick(START, () => ({}));
    expect((await published()).tail).toMatchObject(CHINESE);
  }));

// A region that does not report any more.

/** `apac` reports in the first of so many ticks alone. */
async function publishedRegions(ticks: number): Promise<(readonly [string, string])[]> {
  return inLedger({ config: config([gateway("a", { regions: ["weur", "apac"] })]) }, async (harness) => {
    for (const tickMs of minutes(START, ticks)) {
      harness.nowMs = Math.max(harness.nowMs, tickMs);
      const request = { tickMs, invocation: `i${tickMs}` };
      harness.service.order(request, { a: "a:key" });
      const weur = { region: "weur", outcome: outcome({ startedAtMs: tickMs }) };
      const apac = { region: "apac", outcome: outcome({ startedAtMs: tickMs, ...DOWN }) };
      const regions = tickMs === START ? [weur, apac] : [weur];
      const results = [{ monitorId: "a/models", outcome: combineOutcomes(regions, 2) ?? outcome(), regions }];
      harness.service.store({ ...request, results, returned: [], ownNetworkFailed: false });
    }
    await harness.publish();
    const { status } = await published();
    const seen = status.gateways[0]?.monitors[0]?.regions ?? [];
    return seen.map((of) => [of.region, of.status] as const);
  });
}

test.each([
  ["for a while it is as it was seen last", 5, "down"],
  ["then nothing is known of it", 12, "unknown"],
])("%s", async (_, ticks, apac) => {
  expect(await publishedRegions(ticks)).toEqual([
    ["weur", "up"],
    ["apac", apac],
  ]);
});

// What an object owes goes out before all else, and its alarm stays set.

const MINUTE_MS = 60_000;

test("a write to KV that hangs holds up no message", () =>
  withAdmin({ alerts: [webhook("ops")] }, async (world) => {
    await world.tick(ONE_DOWN);
    const write = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<string[]>();
    world.put = () => {
      asked.resolve(world.told.map(({ body }) => body.type));
      return write.promise;
    };
    const second = world.tick(ONE_DOWN);
    expect(await asked.promise).toEqual(["incident.opened"]);
    write.resolve();
    await second;
  }));

test.each([
  ["by less than the platform repeats one that failed is the platform's: it is about to fire", 0],
  ["by more is set anew", 1],
])("an alarm whose time is over %s", (_, moreMs) =>
  withAdmin({}, async (world) => {
    await world.tick(GOOD);
    const before = world.alarmMs ?? 0;
    expect(before).toBeGreaterThan(0);
    world.nowMs = before + 3 * MINUTE_MS + moreMs;
    await world.ask("GET", "alerts");
    expect(world.alarmMs).toBe(moreMs === 0 ? before : world.nowMs);
  }),
);

// From probes to the page: what the Ledger saw within hours is what a reader sees of it.

const { attempts } = outcome();

/** 09:30 to 10:00 the gateway fails; from 10:30 on an expected model is missing, at 10:45 it is back among more. */
function seenAt(tickMs: number): Partial<ProbeOutcome> {
  const minute = (tickMs - START) / TICK_MS;
  if (minute >= 30 && minute < 60) {
    const down = diagnosis("upstream_unavailable", "down", { httpStatus: 503 });
    const thrice = attempts.flatMap((attempt) => [attempt, attempt, attempt]);
    return { diagnosis: down, latencyMs: 50, modelCount: null, attempts: thrice, waitedMs: 3000 };
  }
  if (minute >= 90 && minute < 105) {
    const missing = diagnosis("model_missing", "degraded");
    return { diagnosis: missing, latencyMs: 400 + minute, modelCount: 2, missingModels: ["gpt-9"] };
  }
  return { latencyMs: 400 + minute, modelCount: minute < 105 ? 3 : 5 };
}

const words = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/ ([.,;:)])/gu, "$1")
    .trim();

test("two hours of probes are on the gateway's page: course, newest checks and models, also after a restart", async () => {
  const gateways = [
    gateway("a", { monitors: [monitor("a", { expect: ["gpt-9"] })] }),
    gateway("shy", { publish: "health", monitors: [monitor("shy", { expect: ["gpt-9"] })] }),
  ];
  await inLedger({ config: config(gateways) }, async (harness) => {
    for (const at of minutes(START, 120)) {
      await harness.tick(at, (_id, tickMs) => seenAt(tickMs));
      if (at === START + 100 * TICK_MS) harness.restart();
    }
    harness.restart();
    await harness.publish();

    const html = await read("/gateways/a", harness.nowMs);
    // Nearest rank of 400 to 429, and of what succeeded within 10:30 to 11:00.
    expect(words(html)).toContain("09:00 414 ms 428 ms Up 08:30");
    expect(words(html)).toMatch(/10:30 504 ms 518 ms Degraded \w/u);
    expect(words(html)).toMatch(/09:30 Down \w/u);

    const { modelNotes, halfHours } = (await published()).tail;
    expect(Object.keys(modelNotes)).toEqual(["a/models"]);
    expect(halfHours.byMonitor["a/models"]?.causes).not.toEqual([]);
    expect(halfHours.byMonitor["shy/models"]?.causes).toEqual([]);
    const shy = await read("/gateways/shy", harness.nowMs);
    expect(words(shy)).toContain("10:30 504 ms 518 ms Degraded 10:00");
    for (const secret of ["gpt-9", "upstream", "Gone", "in the list"]) {
      expect(words(shy)).not.toContain(secret);
    }
  });
});
