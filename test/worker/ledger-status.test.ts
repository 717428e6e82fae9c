import { expect, test } from "vitest";
import type { AdminRequest } from "../../src/domain/tick.ts";
import { instant } from "../../src/domain/calendar.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { type Harness, inLedger, minutes, published, START, TICK_MS } from "./ledger-harness.ts";

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

const DOWN = { diagnosis: diagnosis("upstream_unavailable", "down") };

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
