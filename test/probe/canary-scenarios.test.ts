/** Canaries against every scenario of the simulated gateway that concerns one route, through real sockets. */
import { expect, test } from "vitest";
import type { OpenTask } from "../../src/domain/canary.ts";
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import type { Route } from "../../src/simulator/routes.ts";
import type { Scenario } from "../../src/simulator/scenario.ts";
import { simulatorOfFile } from "./simulated.ts";
import type { KeptDiagnosis } from "../../src/protocol/diagnosis.ts";
import { askCanary, errand, type Written } from "./canary-play.ts";
import { type HandClock, handClock } from "./hand-clock.ts";
import { limitedFetch } from "./models-scenarios.ts";

const simulator = await simulatorOfFile();

const CONCERNED = SCENARIOS.filter(({ takes }) => takes !== null);

test("the simulated gateway has scenarios for canaries", () => expect(CONCERNED.length).toBeGreaterThan(60));

test.each(CONCERNED.map((scenario) => [scenario.name, scenario] as const))("%s", async (_name, scenario) => {
  const { expect: wanted, outcome: wantedOfTask } = scenario;
  const clock = handClock();
  const first = await ask(scenario, clock, null);
  expect(verdictOf(first.diagnosis)).toEqual(verdictOf({ ...wanted }));
  expect(first.outcome.attempts).toHaveLength(1);
  if (wantedOfTask === null) return expect(first.findings.task).toBeNull();
  const last = await askUntilOver(scenario, clock, first.findings.task);
  expect(verdictOf(last)).toEqual(verdictOf({ ...wantedOfTask }));
});

test("whatever became of it, no task was created twice", () => {
  const created = simulator.requests.filter(
    ({ method, scenario: name }) => method === "POST" && isOfTask(name),
  );
  const names = created.map(({ scenario: name }) => name);
  expect(names).toHaveLength(new Set(names).size);
  expect(names.length).toBeGreaterThan(20);
});

function isOfTask(name: string | null): boolean {
  return CONCERNED.some((scenario) => scenario.name === name && scenario.kind === "task");
}

type Verdict = Pick<KeptDiagnosis, "cause" | "owner" | "health" | "httpStatus">;

function verdictOf({ cause, owner, health, httpStatus }: Verdict): Verdict {
  return { cause, owner, health, httpStatus };
}

/** Once a minute, as ticks do. */
async function askUntilOver(
  scenario: Scenario,
  clock: HandClock,
  created: OpenTask | null,
): Promise<KeptDiagnosis> {
  for (let task = created; task !== null;) {
    clock.advance(60_000);
    const { diagnosis, findings } = await ask(scenario, clock, task);
    if (findings.task === null) return diagnosis;
    expect(diagnosis.health).toBe("unknown");
    task = findings.task;
  }
  throw new Error("no task was open");
}

async function ask(scenario: Scenario, clock: HandClock, task: OpenTask | null) {
  return askCanary(writtenFor(scenario), simulator.baseUrl(scenario.name), {
    errand: errand(task),
    target: { apiKey: SIMULATOR_KEYS.good },
    deps: { clock, fetch: limitedFetch(scenario, simulator, clock, fetch) },
  });
}

const VIDEO = { kind: "video", model: "sim-video" };
const VIDEO_JOB = { ...VIDEO, path: "/v1/video/generations", taskPath: "/v1/video/generations/{id}" };

const WRITTEN: Readonly<Partial<Record<Route, Written>>> = {
  messages: { kind: "messages", model: "sim-chat-small" },
  embeddings: { kind: "embeddings", model: "sim-embedding" },
  image_create: { kind: "image", model: "sim-image-async" },
  video_create: VIDEO,
  video_task: VIDEO,
  video_job_create: VIDEO_JOB,
  video_job_task: VIDEO_JOB,
  console: {
    kind: "console",
    path: "/api/user/balance",
    pointers: { balance: "/data/balance" },
    warnBelow: 5,
  },
};

function writtenFor({ kind, takes }: Scenario): Written {
  const written = WRITTEN[takes?.[0] ?? "chat"] ?? { kind: "chat", model: "sim-chat-small" };
  return kind === "stream" ? { ...written, stream: true } : written;
}
