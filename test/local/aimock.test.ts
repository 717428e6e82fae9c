import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../../src/domain/report.ts";
import { statusSchema } from "../../src/history/documents.ts";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import { eventually, type Program, start } from "./program.ts";
import { fetchDescribed } from "./support/described-fetch.ts";

/** A gateway that others wrote: `@copilotkit/aimock`. */
const GOOD_KEY = "aimock-key-0123456789abcdef";
const WRONG_KEY = "aimock-key-that-nobody-issued";
const ADMIN_TOKEN = "an-administrators-token-of-tests";

let directory: string;
let gateway: Program;
let baseUrl: string;

async function startGateway(port = "0"): Promise<Program> {
  const program = start("llmock", ["-p", port, "-f", join(directory, "fixtures.json")], {
    env: { AIMOCK_API_KEYS: GOOD_KEY },
  });
  [, baseUrl = ""] = await program.printed(/listening on (http:\/\/[\d.:]+)/);
  return program;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatepulse-aimock-"));
  const fixtures = [{ match: { userMessage: "hi" }, response: { content: "hello" } }];
  await writeFile(join(directory, "fixtures.json"), JSON.stringify({ fixtures }));
  gateway = await startGateway();
});

afterAll(async () => {
  await gateway.stop();
  await rm(directory, { recursive: true });
});

/** What `probe --json` prints. */
interface ProbeJson {
  readonly attempts: readonly unknown[];
  readonly modelCount: number | null;
  readonly diagnosis: Diagnosis;
  readonly report: Report | null;
}

async function probe(url: string, key: string): Promise<{ exit: number | string; result: ProbeJson }> {
  const program = start("node", ["src/cli/main.ts", "probe", url, "--json"], {
    env: { GATEWAY_API_KEY: key },
  });
  const exit = await program.ended();
  return { exit, result: JSON.parse(program.output()) };
}

describe.concurrent("the command line", () => {
  test("a good key: ok, with the number of models", async () => {
    const { exit, result } = await probe(baseUrl, GOOD_KEY);
    expect(exit).toBe(0);
    expect(result).toMatchObject({
      modelCount: 5,
      report: null,
      diagnosis: { cause: "ok", httpStatus: 200 },
    });
    expect(result.diagnosis.requestId).toMatch(/^req-/);
  });

  test("a wrong key: the caller must act, and the report tells how to repeat it without the key", async () => {
    const { exit, result } = await probe(baseUrl, WRONG_KEY);
    expect(exit).toBe(3);
    expect(result.attempts).toHaveLength(1);
    expect(result.diagnosis).toMatchObject({
      cause: "authentication",
      owner: "caller",
      errorType: "authentication_error",
      errorCode: "invalid_api_key",
      retry: { allowed: false },
    });
    expect(result.report?.reproduce).toContain("$GATEWAY_API_KEY");
    expect(JSON.stringify(result)).not.toContain(WRONG_KEY);
  });

  test("an address below which the gateway serves nothing: the caller's, not an outage", async () => {
    const { exit, result } = await probe(`${baseUrl}/nowhere`, GOOD_KEY);
    expect(exit).toBe(3);
    expect(result.diagnosis).toMatchObject({ httpStatus: 404, health: "blocked" });
  });
});

test("a running monitor sees it well, sees its key refused, and sees it die", async () => {
  const configFile = join(directory, "watched.json");
  const listing = [{ kind: "models", open: 1, close: 1 }];
  const gateways = ["good", "refused"].map((id) => ({
    id,
    baseUrl,
    apiKey: `${id.toUpperCase()}_KEY`,
    monitors: listing,
  }));
  await writeFile(configFile, JSON.stringify({ title: "Aimock", gateways }));
  const args = ["src/local/start.ts", "--config", configFile, "--port", "0", "--tick", "1"];
  const monitor = start("node", [...args, "--persist", join(directory, "state")], {
    env: { GOOD_KEY, REFUSED_KEY: WRONG_KEY, ADMIN_TOKEN },
  });
  try {
    const [, page = ""] = await monitor.printed(/(http:\/\/127\.0\.0\.1:\d+)\//);
    const probeNow = async (): Promise<void> => {
      const order = `${page}/api/v1/admin/gateways/good/monitors/models/probe`;
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      expect((await fetchDescribed(order, { method: "POST", headers })).status).toBe(200);
    };
    const causes = async (): Promise<Record<string, string>> => {
      const answer = await fetchDescribed(`${page}/api/v1/status`);
      const gatewaysSeen = answer.ok ? statusSchema.parse(await answer.json()).gateways : [];
      return Object.fromEntries(
        gatewaysSeen.map(({ id, monitors }) => [id, monitors[0]?.diagnosis?.cause ?? "none"]),
      );
    };
    await eventually(causes, ({ good, refused }) => good === "ok" && refused === "authentication", 120_000);
    expect(await (await fetchDescribed(`${page}/`)).text()).toContain("Aimock");
    const port = new URL(baseUrl).port;
    await gateway.stop();
    await probeNow();
    await eventually(causes, ({ good }) => good === "connection_failed", 120_000);
    gateway = await startGateway(port);
    await probeNow();
    await eventually(causes, ({ good }) => good === "ok", 120_000);
    expect(monitor.output()).not.toContain(GOOD_KEY);
  } finally {
    expect(await monitor.stop()).toBe(0);
  }
});
