import { expect, test } from "vitest";
import { openIncident } from "../../src/domain/incident.ts";
import { publishedIncident } from "../../src/ledger/incident-view.ts";
import { canary, video, withCanaries } from "../fixtures/canary-play.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";

function reportsOf(monitor: ReturnType<typeof canary>, taskId: string | null) {
  const stalled = diagnosis("task_stalled", "down", { taskId });
  const attempt = { httpStatus: 503, error: null, durationMs: 1, retryAfter: null, waitedMs: 0 };
  const failure = outcome({ diagnosis: stalled, attempts: [attempt, attempt] });
  const subject = { gatewayId: "a", monitorIds: [monitor.id], name: monitor.id };
  const incident = openIncident(subject, stalled, failure, 60_000);
  const { reports, fullReports } = publishedIncident(incident, {
    config: withCanaries([monitor]),
    client: "gatepulse/0",
  });
  return { shown: reports[0], full: fullReports[0] };
}

test("a task whose id names the private host is asked about by a stand-in where the public reads", () => {
  const { shown, full } = reportsOf(video(), "task@a.example");
  expect(shown?.reproduce).toContain("'/v1/videos/TASK_ID'");
  expect(full?.reproduce).toContain("--url 'https://a.example/v1/videos/task%40a.example'");
  expect(JSON.stringify(shown)).not.toContain("a.example");
});

test("a task whose id held the key is asked about by a stand-in, in full reports too", () => {
  for (const report of Object.values(reportsOf(video(), "task-[redacted]")))
    expect(report?.reproduce).toContain("/v1/videos/TASK_ID'");
});

test("a report of a generation that was repeated says so, with its model", () => {
  expect(reportsOf(canary({ retry: true }), null).full).toMatchObject({
    endpoint: "https://a.example/v1/chat/completions",
    modelId: "m-1",
    retried: true,
    attempts: 2,
  });
});

test("what has no tasks is sent again as it was, whatever id its answer bore", () => {
  expect(reportsOf(canary(), "task-1").shown?.endpoint).toBe("$GATEWAY_BASE_URL/v1/chat/completions");
});
