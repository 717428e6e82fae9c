import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type StatusDocument, statusSchema } from "../../src/history/documents.ts";
import { eventually, type Program, start } from "./program.ts";
import { fetchDescribed } from "./support/described-fetch.ts";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatepulse-start-"));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

function monitor(...args: string[]): Program {
  return start("node", ["src/local/start.ts", "--port", "0", ...args]);
}

async function addressOf(program: Program): Promise<string> {
  const [, address = ""] = await program.printed(/(http:\/\/127\.0\.0\.1:\d+)\//);
  return address;
}

async function statusOf(address: string): Promise<StatusDocument | null> {
  const answer = await fetchDescribed(`${address}/api/v1/status`);
  return answer.ok ? statusSchema.parse(await answer.json()) : null;
}

describe("without a configuration of one's own", () => {
  let program: Program;
  let address: string;
  beforeAll(async () => {
    program = monitor("--tick", "1", "--persist", join(directory, "demo"));
    address = await addressOf(program);
  }, 300_000);
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  test("it watches a simulated gateway, says so, and is true", async () => {
    const complete = (seen: StatusDocument | null): boolean =>
      seen?.gateways.every((of) => of.status !== "unknown") ?? false;
    const status = await eventually(() => statusOf(address), complete);
    const causes = status?.gateways.map((of) => [of.id, of.status, of.monitors[0]?.diagnosis?.cause]);
    expect(causes).toEqual([
      ["healthy", "up", "ok"],
      ["listed-only", "down", "ok"],
      ["empty-account", "blocked", "insufficient_balance"],
      ["error-in-200", "down", "business_error"],
      ["wrong-address", "blocked", "wrong_url"],
      ["rate-limited", "degraded", "rate_limited"],
      ["upstream-out", "down", "upstream_unavailable"],
    ]);
    expect(await (await fetchDescribed(`${address}/`)).text()).toContain("simulated on this machine");
  });

  test("nobody outside can fire a tick, or speak to the runtime behind it", async () => {
    const statusOfPath = (path: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(address);
        const asked = request({ hostname, port, path }, (answer) => resolve(answer.resume().statusCode));
        asked.on("error", reject).end();
      });
    const paths = ["/cdn-cgi/local/scheduled", "/cdn-cgi", "/x/../cdn-cgi/local/scheduled", "/CDN-CGI/x"];
    for (const path of paths) expect([path, await statusOfPath(path)]).toEqual([path, 404]);
    expect(await statusOfPath("//cdn-cgi/local/scheduled")).toBe(400);
    expect(await statusOfPath("http://elsewhere.example/")).toBe(400);
    const smuggled = await fetchDescribed(`${address}/healthz`, {
      headers: { "mf-original-url": `${address}/cdn-cgi/local/scheduled` },
    });
    expect(smuggled.headers.get("content-type")).toContain("application/health+json");
  });
});

test.concurrent("state and history outlive a kill, and a second start goes on where the first was", async () => {
  const persist = join(directory, "kept");
  const first = monitor("--tick", "1", "--persist", persist);
  const probes = async (address: string): Promise<string[]> => {
    const answer = await fetchDescribed(
      `${address}/api/v1/gateways/healthy/monitors/models/history?step=probe`,
    );
    if (!answer.ok) return [];
    const { points } = (await answer.json()) as { points: { at: string }[] };
    return points.map(({ at }) => at);
  };
  const recorded = await eventually(
    async () => probes(await addressOf(first)),
    (points) => points.length > 0,
  );
  expect(await first.stop("SIGKILL")).toBe("SIGKILL");
  const second = monitor("--tick", "1", "--persist", persist);
  try {
    const address = await addressOf(second);
    const later = await eventually(
      () => probes(address),
      (points) => points.length >= recorded.length,
    );
    expect(later).toEqual(expect.arrayContaining(recorded));
  } finally {
    expect(await second.stop()).toBe(0);
  }
});

test.concurrent("a configuration with faults is refused with all of them, and no secret in the text", async () => {
  const file = join(directory, "faulty.json");
  const gateways = [
    { id: "A B", baseUrl: "https://api.example/v1", apiKey: "sk-abcdefghijklmnopqrstuvwxyz" },
  ];
  await writeFile(file, JSON.stringify({ title: "Faulty", gateways }));
  const program = monitor("--config", file);
  expect(await program.ended()).toBe(2);
  expect(program.output()).toContain("gateways[0].baseUrl");
  expect(program.output()).toContain("gateways[0].id");
  expect(program.output()).not.toContain("abcdefghijklm");
});

test.concurrent.each([
  [["--port", "99999"], "--port is not a whole number from 0 to 65535: write one, such as --port 8787"],
  [["--tick", "0"], "--tick is not a whole number of seconds from 1 to 3600: write one, such as --tick 60"],
  [["--prot", "3"], "there is no option --prot: use one of those below"],
])("wrong arguments are refused with what is wrong, and the usage: %j", async (args, problem) => {
  const program = monitor(...args);
  expect(await program.ended()).toBe(2);
  expect(program.output()).toContain(`Gatepulse cannot start: ${problem}.\n\nusage: npm start`);
});
