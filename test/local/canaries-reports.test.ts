/**
 * Reports of canaries: model, streaming, task, whether it was repeated, and a line for a shell that sends the same request
 * again. The shell is real; in the place of curl it tells what curl would be given.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import type { ReportDocument } from "../../src/history/documents.ts";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { EVERY_KIND, Minutes, minutes, startCanaries } from "./support/canaries.ts";
import { monitorOf } from "./support/readings.ts";
import type { World } from "./support/world.ts";

const ADMIN_TOKEN = "an-administrators-token-of-tests";
const every = "24h";
const AWKWARD = `it's "quoted" $HOME \`x\` @file \\n`;

const simulator = await simulatorOfFile();
let world: World;
beforeAll(async () => {
  world = await startCanaries(
    simulator,
    {
      repeated: {
        plays: ["chat_no_channel"],
        monitors: [{ ...EVERY_KIND["chat-stream"], retry: true, body: { user: AWKWARD }, every }],
      },
      cut: {
        plays: ["messages_stream_without_stop"],
        monitors: [{ ...EVERY_KIND["messages-stream"], every }],
      },
      failed: { plays: ["video_failed"], monitors: [{ ...EVERY_KIND.video, every }] },
      lost: { plays: ["video_creation_lost"], monitors: [{ ...EVERY_KIND.video, every }] },
      poor: { plays: ["console_balance_low"], monitors: [{ ...EVERY_KIND.console, every }] },
    },
    { config: { open: 1 }, secrets: { KEY: SIMULATOR_KEYS.good, ADMIN_TOKEN } },
  );
  await new Minutes(simulator).pass(world, minutes(0, 4));
  await world.publish();
  return () => world.stop();
});

/** As an administrator sees it, or everybody. */
async function reportOf(id: string, token = ADMIN_TOKEN): Promise<ReportDocument> {
  const { report } = await monitorOf(world, id);
  const headers = { authorization: `Bearer ${token}` };
  const { status, json } = await world.get(`/api/v1/reports/${report ?? "none"}`, headers);
  expect(status).toBe(200);
  return json as ReportDocument;
}

/** What curl would be given, by a shell that has the key. */
async function argumentsOf(reproduce: string | null): Promise<readonly string[]> {
  const script = `curl() { printf '%s\\0' "$@"; }\n${reproduce ?? ""}`;
  const env = { GATEWAY_API_KEY: SIMULATOR_KEYS.good, GATEWAY_BASE_URL: "https://hidden.example" };
  const { stdout } = await promisify(execFile)("sh", ["-c", script], { env });
  return stdout.split("\0").slice(0, -1);
}

function valuesOf(given: readonly string[], option: string): readonly string[] {
  return given.flatMap((word, n) => (word === option ? [given[n + 1] ?? ""] : []));
}

/** What was sent once and became no task. */
const ONCE = { attempts: 1, retried: false, taskId: null };
const REPEATED = { attempts: 4, retried: true, taskId: null };

test.each([
  [
    "of a stream that was repeated: the model, that it streams, and how often it was sent",
    "repeated/chat-stream",
    { modelId: "sim-chat-small", streaming: true, ...REPEATED },
    { cause: "upstream_unavailable", httpStatus: 503, errorCode: "no_channel" },
  ],
  [
    "of a stream that broke off: sent once",
    "cut/messages-stream",
    { modelId: "sim-chat-small", streaming: true, ...ONCE },
    { cause: "stream_dropped" },
  ],
  [
    "of a task that failed: its id",
    "failed/video",
    { modelId: "sim-video", streaming: false, taskId: "video_sim_000001" },
    { cause: "task_failed", message: "The worker gave up on this task." },
  ],
  [
    "of a creation that was lost: sent once, and no task is known",
    "lost/video",
    ONCE,
    { cause: "connection_failed" },
  ],
])("a report %s", async (_what, id, sent, found) => {
  expect(await reportOf(id)).toMatchObject({ ...sent, ...found });
});

describe("the line for a shell", () => {
  test.each([
    ["repeated/chat-stream", "POST /g/repeated/v1/chat/completions"],
    ["cut/messages-stream", "POST /g/cut/v1/messages"],
    ["lost/video", "POST /g/lost/v1/videos"],
    ["poor/console", "GET /g/poor/api/user/self"],
  ])("of %s sends what was sent: %s", async (id, what) => {
    const { reproduce } = await reportOf(id);
    const sent = simulator.requests.find(({ method, path }) => `${method} ${path}` === what);
    if (sent === undefined) throw new Error(`${what} was never sent`);
    const given = await argumentsOf(reproduce);
    expect(valuesOf(given, "--url")).toEqual([simulator.url + sent.path]);
    expect(valuesOf(given, "--data-raw")).toEqual(sent.body === "" ? [] : [sent.body]);
    for (const header of valuesOf(given, "-H")) {
      const [name = "", value] = header.split(/: (.*)/u, 2);
      expect([name, sent.headers[name.toLowerCase()]]).toEqual([name, value]);
    }
    expect(reproduce).not.toContain(SIMULATOR_KEYS.good);
    expect(reproduce).toContain("$GATEWAY_API_KEY");
  });

  test("of a task asks about it, and does not create it again", async () => {
    const { reproduce } = await reportOf("failed/video");
    const given = await argumentsOf(reproduce);
    expect(valuesOf(given, "--url")).toEqual([`${simulator.named("failed")}/v1/videos/video_sim_000001`]);
    expect([...valuesOf(given, "-X"), ...valuesOf(given, "--data-raw")]).toEqual([]);
  });

  test("that everybody may see names no host", async () => {
    const shown = await reportOf("cut/messages-stream", "");
    expect(JSON.stringify(shown)).not.toContain(new URL(simulator.url).host);
    const [url] = valuesOf(await argumentsOf(shown.reproduce), "--url");
    expect(url).toMatch(/^https:\/\/hidden\.example\//u);
  });
});
