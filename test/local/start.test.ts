import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type StatusDocument, statusSchema } from "../../src/history/documents.ts";
import { historyAnswerSchema, incidentsAnswerSchema } from "../../src/http/answers.ts";
import { refusingUrl } from "../probe/small-server.ts";
import { addressOf, eventually, type Program, start } from "./program.ts";
import { fetchDescribed } from "./support/described-fetch.ts";
import { ADMIN_TOKEN } from "./support/alerting.ts";
import { showing, watchedScene } from "./support/watched-directory.ts";
import { directoryOfFile } from "./support/temporary-directory.ts";

const directory = await directoryOfFile();

function monitor(env: Record<string, string>, ...args: string[]): Program {
  return start("node", ["bin/gatepulse.js", "start", "--port", "0", ...args], { env });
}

async function statusOf(address: string): Promise<StatusDocument | null> {
  const answer = await fetchDescribed(`${address}/api/v1/status`);
  return answer.ok ? statusSchema().parse(await answer.json()) : null;
}

/** The demonstration, watched from its first page on. */
describe("without a configuration of one's own", () => {
  let program: Program;
  let address: string;
  let first: StatusDocument | null;
  let simulated = "";
  beforeAll(async () => {
    simulated = await refusingUrl();
    const args = ["--tick", "1", "--simulator-port", new URL(simulated).port, "--persist", directory];
    program = monitor({ ADMIN_TOKEN }, ...args);
    address = await addressOf(program);
    first = await statusOf(address);
    return async () => expect(await program.stop()).toBe(0);
  });

  test("a gateway fails as soon as you watch, and its second failed check prints a line", async () => {
    const watched = `${address}/api/v1/admin/gateways/upstream-out/monitors/models/probe`;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, connection: "close" };
    // Not to wait for its turn, once a minute.
    const probe = async () => (await fetch(watched, { method: "POST", headers })).ok;
    const line = lineOf("Down: Upstream outage: the provider behind the gateway is unavailable, for .*");
    await eventually(async () => (await probe()) && line.test(program.output()));
  });

  test("its first page has incidents that are open", () => {
    const open = first?.incidents.map(({ gateway }) => gateway).sort();
    expect(open).toEqual(["empty-account", "error-in-200", "listed-only", "rate-limited", "wrong-address"]);
  });

  test("it shows simulated gateways, says so on each page, and is true", async () => {
    const complete = (seen: StatusDocument | null): boolean =>
      seen?.gateways.every(({ monitors }) => monitors.every(({ nextProbeAt }) => nextProbeAt !== null)) ??
      false;
    const status = await eventually(() => statusOf(address), complete);
    const causes = status?.gateways
      .filter(({ id }) => id !== "upstream-out")
      .map((of) => [of.id, of.status, of.monitors.at(-1)?.diagnosis?.cause]);
    expect(causes).toEqual([
      ["healthy", "up", "ok"],
      ["listed-only", "down", "upstream_unavailable"],
      ["empty-account", "blocked", "insufficient_balance"],
      ["error-in-200", "down", "business_error"],
      ["wrong-address", "blocked", "wrong_url"],
      ["rate-limited", "degraded", "rate_limited"],
    ]);
    for (const path of ["/", "/gateways/healthy", "/explain"]) {
      expect(await (await fetchDescribed(address + path)).text()).toContain("simulated on this machine");
    }
  });

  test("its first page shows 90 days: each day of each monitor, but one of maintenance", () => {
    // Shortly after midnight UTC, some monitors have no check of today yet.
    const uptimes = (first?.gateways ?? []).flatMap(({ monitors }) =>
      monitors.map(({ id, days }) => [id, days.uptime.length, days.worst.slice(0, -1).filter(isSeen).length]),
    );
    expect(uptimes).toEqual([
      ["healthy/models", 90, 88],
      ["healthy/chat-sim-chat-small", 90, 88],
      ["listed-only/models", 90, 89],
      ["listed-only/chat-sim-chat-small", 90, 89],
      ...["empty-account", "error-in-200", "wrong-address", "rate-limited", "upstream-out"].map((id) => [
        `${id}/models`,
        90,
        89,
      ]),
    ]);
  });

  test("what is wrong now was right before, and incidents that ended have a story and a report", async () => {
    const [healthy, , emptied] = first?.gateways ?? [];
    expect(emptied?.monitors[0]?.uptime["30d"]).toBe(1);
    expect(healthy?.monitors[0]?.latency?.p50).toBeGreaterThan(60);
    const answer = await fetchDescribed(`${address}/api/v1/incidents`);
    const { incidents } = incidentsAnswerSchema.parse(await answer.json());
    const ended = incidents.filter(({ resolvedAt }) => resolvedAt !== null);
    expect(new Set(ended.map(({ gateway }) => gateway)).size).toBeGreaterThan(4);
    expect(ended.flatMap(({ timeline }) => timeline.map(({ type }) => type))).toContain("flapping");
    const last = ended.at(-1);
    expect(last?.timeline.map(({ type }) => type)).toEqual(["opened", "resolved"]);
    const report = await fetchDescribed(`${address}/reports/${last?.report}`);
    expect(await report.text()).toContain(`/g/${last?.gateway}/v1/models`);
  });

  test("its last hours have a check a minute, like those that you watch", async () => {
    const answer = await fetchDescribed(
      `${address}/api/v1/gateways/upstream-out/monitors/models/history?step=1h`,
    );
    const { points } = historyAnswerSchema.parse(await answer.json());
    // The first hour and the present one are not whole.
    const ups = points.slice(1, -1).map((hour) => ("counts" in hour ? hour.counts.up : null));
    expect(ups).toEqual(Array.from({ length: 22 }, () => 60));
  });

  test("its history has a day of maintenance, and a latency that grows slowly", async () => {
    const daysOf = async (gateway: string, own: string) => {
      const from = new Date(Date.now() - 89 * 86_400_000).toISOString();
      const path = `/api/v1/gateways/${gateway}/monitors/${own}/history?step=1d&from=${from}`;
      return historyAnswerSchema.parse(await (await fetchDescribed(address + path)).json()).points;
    };
    expect(first?.gateways[0]?.monitors[0]?.days.maintenance).toHaveLength(1);
    const medians = (await daysOf("healthy", "chat-sim-chat-small")).map((day) =>
      "counts" in day ? (day.latency?.p50 ?? 0) : 0,
    );
    expect(Math.max(...medians.slice(0, 10))).toBeLessThan(800);
    expect(Math.min(...medians.slice(-10))).toBeGreaterThan(1200);
  });

  test("simulated gateways listen where you say, and leave nothing to yours in the same directory", async () => {
    expect(program.output()).toContain(`Simulated gateways: ${simulated}/`);
    expect(first?.gateways[0]?.endpoint).toBe(`${simulated}/g/healthy`);
    expect(await program.stop()).toBe(0);

    const file = join(directory, "own.json");
    const gateway = { id: "healthy", baseUrl: simulated, apiKey: "NOT_SET" };
    await writeFile(file, JSON.stringify({ title: "Own", gateways: [{ ...gateway, insecureHttp: true }] }));
    const own = monitor({}, "--config", file, "--persist", directory);
    const here = await addressOf(own);
    const status = await eventually(() => statusOf(here));
    expect(status?.title).toBe("Own");
    expect(status?.gateways[0]?.monitors[0]?.days.worst.filter(isSeen).length).toBeLessThan(2);
    expect(await (await fetchDescribed(`${here}/`)).text()).not.toContain("simulated");
    expect(await own.stop()).toBe(0);
  });
});

const lineOf = (words: string) =>
  new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC {2}${words}$`, "m");

const isSeen = (health: string | null): boolean => health !== null && health !== "unknown";

test.concurrent("each tick is on the page, though nothing is new and KV would be written to only every two minutes", async ({
  onTestFinished,
}) => {
  const { watch } = await watchedScene(onTestFinished);
  const watching = await watch({ gateways: ["steady"] });
  const first = await showing(watching, { steady: "up" });
  const isLater = (seen: StatusDocument | null): boolean => seen?.lastTickAt !== first?.lastTickAt;
  // The pace of KV would take a minute at least.
  expect(await eventually(() => watching.status(), isLater, 55_000)).toMatchObject({ status: "up" });
});
