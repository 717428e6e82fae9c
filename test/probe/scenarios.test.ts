/** The probes against every scenario of the simulated gateway, through real sockets; waits are counted, not waited. */
import { expect, test } from "vitest";
import type { OpenTask } from "../../src/domain/canary.ts";
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import { SIMULATOR_KEYS, type Route, TEXT_ROUTES } from "../../src/simulator/api.ts";
import type { Scenario } from "../../src/simulator/scenario.ts";
import type { Fetch } from "../../src/probe/exchange.ts";
import { simulatorOfFile } from "./simulated.ts";
import type { KeptDiagnosis } from "../../src/protocol/diagnosis.ts";
import {
  askCanary,
  deps,
  errand,
  type HandClock,
  handClock,
  outcomeOf,
  target,
  type Written,
} from "./probing.ts";

const simulator = await simulatorOfFile();

const LISTS = SCENARIOS.filter(({ kind, takes }) => kind === "models" && takes === null);
/** Each concerns one route. */
const CONCERNED = SCENARIOS.filter(({ takes }) => takes !== null);

test("the simulated gateway has scenarios for lists and for canaries", () => {
  expect(LISTS.length).toBeGreaterThan(130);
  expect(CONCERNED.length).toBeGreaterThan(50);
});

test.each(LISTS)("$name", async (scenario) => {
  const clock = handClock();
  const given = { clock, fetch: limitedFetch(scenario, clock), random: () => 0 };
  const good = target(simulator.baseUrl(scenario.name), { apiKey: SIMULATOR_KEYS.good });
  const { attempts, diagnosis, modelCount } = await outcomeOf(good, deps(given));
  const { cause, owner, health, httpStatus, retry } = diagnosis;
  const { hangs } = scenario.expect;
  const told = { cause, owner, health, httpStatus, afterSeconds: retry.afterSeconds, modelCount, hangs };
  expect({ ...told, attempts: attempts.length }).toEqual(scenario.expect);
});

test("no redirect of any scenario was followed", () => {
  expect(simulator.requests.filter(({ gateway }) => gateway === "elsewhere")).toEqual([]);
});

/** One round for each route: a scenario of text means the same in every protocol. */
const ROUNDS = CONCERNED.flatMap((scenario) =>
  (scenario.takes ?? []).map((route) => ({ scenario, name: scenario.name, route })),
);

test("every protocol plays every scenario of text", () => {
  const played = TEXT_ROUTES.map((route) => ROUNDS.filter((round) => round.route === route).length);
  expect(Math.min(...played)).toBeGreaterThan(30);
  expect(new Set(played).size).toBe(1);
});

test.each(ROUNDS)("$name: $route", async ({ scenario, route }) => {
  const { expect: wanted, outcome: wantedOfTask } = scenario;
  const clock = handClock();
  const first = await ask({ ...scenario, takes: [route] }, clock, null);
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
  expect(names.length).toBeGreaterThan(15);
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

/** Where it hangs the time limit passes once all has come that will come: the request's arrival, or the headers. */
function limitedFetch({ expect: { hangs, httpStatus } }: Scenario, clock: HandClock): Fetch {
  if (!hangs) return fetch;
  return async (url, init) => {
    const before = simulator.requests.length;
    const answer = fetch(url, { ...init, body: init.body ?? null });
    if (httpStatus === null) {
      while (simulator.requests.length === before) await new Promise(setImmediate);
    } else {
      await answer;
    }
    setImmediate(() => clock.passLimit());
    return answer;
  };
}

async function ask(scenario: Scenario, clock: HandClock, task: OpenTask | null) {
  return askCanary(writtenFor(scenario), simulator.baseUrl(scenario.name), {
    errand: errand(task),
    target: { apiKey: SIMULATOR_KEYS.good },
    deps: { clock, fetch: limitedFetch(scenario, clock) },
  });
}

const VIDEO = { kind: "video", model: "sim-video" };

const WRITTEN: Readonly<Partial<Record<Route, Written>>> = {
  messages: { kind: "messages", model: "sim-chat-small" },
  responses: { kind: "responses", model: "sim-chat-small" },
  gemini: { kind: "gemini", model: "sim-chat-small" },
  embeddings: { kind: "embeddings", model: "sim-embedding" },
  image_create: { kind: "image", model: "sim-image-async" },
  video_create: VIDEO,
  video_task: VIDEO,
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
