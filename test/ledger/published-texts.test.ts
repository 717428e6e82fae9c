import { expect, test } from "vitest";
import {
  acknowledgeIncident,
  addNote,
  endIncident,
  flapIncident,
  joinIncident,
  leaveIncident,
  openIncident,
  updateIncident,
  type Incident,
} from "../../src/domain/incident.ts";
import type { GatewayConfig, MonitorConfig } from "../../src/config/config.ts";
import { incidentDocument, publishedIncident } from "../../src/ledger/publish/incident-document.ts";
import { canary, video, withCanaries } from "../fixtures/canary-play.ts";
import { config, gateway, monitor as monitorOf } from "../fixtures/config.ts";
import { diagnosis, opened, outcome } from "../fixtures/outcome.ts";
import {
  archivedIncident,
  briefDiagnosis,
  publicDiagnosis,
  withoutHost,
} from "../../src/ledger/publish/public-text.ts";

const down = diagnosis("upstream_unavailable", "down", { owner: "upstream" });
const blocked = diagnosis("wrong_url", "blocked", { owner: "caller" });
const open = { ...opened(down, 60_000), firstFailedAtMs: 0 };
const incident = endIncident(updateIncident(open, blocked, 120_000, true), "resolved", 180_000);

function documentOf(over: Partial<GatewayConfig> = {}, of: Incident = incident) {
  return publishedIncident(of, { config: config([{ ...gateway("a"), ...over }]), client: "gatepulse/0" })
    .incident;
}

test("an incident is published with its first failure, and each entry with how it was and whose turn", () => {
  const { firstFailureAt, timeline } = documentOf();
  expect(firstFailureAt).toBe("1970-01-01T00:00:00.000Z");
  expect(timeline.map(({ health, owner, sent }) => [health, owner, sent])).toEqual([
    ["down", "upstream", true],
    ["blocked", "caller", true],
    [null, null, null],
  ]);
});

test("whose turn it is follows from who runs the gateway now, in the incident and in each entry", () => {
  const fails = opened(diagnosis("service_misconfigured", "down", { owner: "operator" }), 60_000);
  const turnsOf = (operator: "us" | "them") => {
    const { turn, timeline } = documentOf({ operator }, updateIncident(fails, down, 120_000, true));
    return [turn, ...timeline.map((entry) => entry.turn)];
  };
  expect(turnsOf("them")).toEqual(["upstream", "operator", "upstream"]);
  expect(turnsOf("us")).toEqual(["upstream", "us", "upstream"]);
});

test("what to do is said for the reader, and the latest failure names its request", () => {
  const fault = diagnosis("service_misconfigured", "down", {
    owner: "operator",
    requestId: "req_7",
    advice: "Fix it.",
  });
  const failing = opened(fault, 60_000);
  const adviceOf = (operator: "us" | "them") =>
    documentOf({ operator }, updateIncident(failing, fault, 120_000, true)).timeline.map(({ text }) => text);
  expect(adviceOf("us")).toEqual(["Fix it.", "Fix it. Find request req_7 in its log."]);
  const asked = "Fix it. Send the report to the gateway's support and check its status page.";
  expect(adviceOf("them")).toEqual([asked, asked]);
});

test("the nearest runbook is told to who is on call, that of the cause first, and to the public where it may", () => {
  const [of = monitorOf("a")] = gateway("a").monitors;
  const runbooks = { wrong_url: "https://wiki.example/address" };
  const told = (over: Partial<GatewayConfig>, own: Partial<MonitorConfig> = {}) => {
    const world = config([{ ...gateway("a"), ...over, monitors: [{ ...of, ...own }] }]);
    return incidentDocument(incident, world, "on call");
  };
  const ours = { runbook: "Call the shift.", contact: "<b>Anna</b>" };
  expect(told(ours)).toMatchObject(ours);
  expect(told({ ...ours, runbooks }).runbook).toBe("https://wiki.example/address");
  expect(told({ ...ours, runbooks }, { runbook: "Its own." })).toMatchObject({
    runbook: "Its own.",
    contact: "<b>Anna</b>",
  });
  expect(told({})).not.toHaveProperty("runbook");
  for (const showRunbook of [false, true])
    expect("runbook" in documentOf({ ...ours, showRunbook })).toBe(showRunbook);
});

test("of a gateway that publishes its health alone, each entry tells that and no more", () => {
  const hidden = { cause: null, text: "", owner: null, turn: null, sent: null };
  expect(documentOf({ publish: "health" }).timeline).toMatchObject([
    { ...hidden, health: "down" },
    { ...hidden, health: "blocked" },
    { ...hidden, health: null },
  ]);
});

const shared = joinIncident(open, "a/chat", "fails too", 120_000);
const chatLeft = leaveIncident(shared, "a/chat", "works again", 180_000);

test("a shared incident names all that it ever concerned; who is still in it, where some have left", () => {
  expect(documentOf({}, shared).monitors).toEqual(["a/models", "a/chat"]);
  expect(documentOf({}, shared)).not.toHaveProperty("members");
  const named = { monitors: ["a/models", "a/chat"], members: ["a/models"] };
  expect(documentOf({}, chatLeft)).toMatchObject(named);
  expect(documentOf({}, endIncident(chatLeft, "paused", 240_000))).not.toHaveProperty("members");
});

test("an incident of several gateways names their provider while it is the provider's, and is as public as each of them", () => {
  const upstream = [{ name: "OpenAI", status: "https://status.openai.com" }];
  const both = joinIncident(open, "b/models", "fails too", 120_000);
  const told = (of: Incident, publish: "causes" | "health" = "causes") => {
    const gateways = [gateway("a", { upstream }), gateway("b", { upstream, publish })];
    return publishedIncident(of, { config: config(gateways), client: "gatepulse/0" });
  };
  const gateways = ["a", "b"].map((id) => ({ id, name: id.toUpperCase() }));
  expect(told(both).incident).toMatchObject({ cause: "upstream_unavailable", provider: { gateways } });
  expect(told(updateIncident(both, blocked, 180_000, true)).incident).not.toHaveProperty("provider");
  const { incident: hidden, reports } = told(both, "health");
  expect([hidden.cause, hidden.report, reports]).toEqual([null, null, []]);
  const mixed = config([gateway("a"), gateway("b", { publish: "health" })]);
  expect(incidentDocument(both, mixed, "on call")).toMatchObject({
    cause: "upstream_unavailable",
    report: null,
  });
  expect(hidden).not.toHaveProperty("provider");
});

test("what people did to an incident is in its document, whatever its gateway publishes", () => {
  const noted = addNote(acknowledgeIncident(flapIncident(open, 4, 90_000), "Anna", 120_000), {
    atMs: 150_000,
    text: "The card was charged.",
    isPublic: true,
  });
  if (noted === null) throw new Error("it has too many notes");
  for (const publish of ["causes", "health"] as const) {
    expect(documentOf({ publish }, noted)).toMatchObject({
      flapping: true,
      acknowledgedAt: "1970-01-01T00:02:00.000Z",
      notes: [{ at: "1970-01-01T00:02:30.000Z", text: "The card was charged." }],
    });
  }
});

function reportsOf(monitor: ReturnType<typeof canary>, taskId: string | null, message: string | null = null) {
  const stalled = diagnosis("task_stalled", "down", { taskId, message });
  const attempt = { httpStatus: 503, error: null, durationMs: 1, retryAfter: null, waitedMs: 0 };
  const failure = outcome({ diagnosis: stalled, attempts: [attempt, attempt] });
  const subjectOf = { gatewayId: "a", monitorIds: [monitor.id], name: monitor.id };
  const canaryIncident = openIncident(subjectOf, stalled, failure, 60_000);
  const world = { config: withCanaries([monitor]), client: "gatepulse/0" };
  const { reports, fullReports } = publishedIncident(canaryIncident, world);
  return { shown: reports[0], full: fullReports[0] };
}

test("a task whose id names the private host is asked about by a stand-in where the public reads", () => {
  const { shown, full } = reportsOf(video(), "task@a.example");
  expect(shown?.reproduce).toContain("'/v1/videos/TASK_ID'");
  expect(full?.reproduce).toContain("--url 'https://a.example/v1/videos/task%40a.example'");
  expect(JSON.stringify(shown)).not.toContain("a.example");
});

test("only the full report says whose account it was", () => {
  const { shown, full } = reportsOf(video(), null, "no credit in project `joe`");
  expect([shown?.message, full?.message]).toEqual([
    "no credit in project [id]",
    "no credit in project `joe`",
  ]);
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

test("the last report of an incident that is over is of the monitor that was in it last", () => {
  const chat = canary();
  const joined = joinIncident(open, chat.id, "fails too", 120_000);
  const ended = endIncident(leaveIncident(joined, "a/models", "works again", 180_000), "resolved", 240_000);
  const { reports } = publishedIncident(ended, { config: withCanaries([chat]), client: "gatepulse/0" });
  expect(reports.at(-1)).toMatchObject({ id: `${open.id}-2`, modelId: "m-1" });
});

test("a report names its incident, its page where there is one, and the first failure", () => {
  const reportIn = (url: string | null) => {
    const world = { config: { ...config([gateway("a")]), url }, client: "gatepulse/0" };
    return publishedIncident(open, world).reports[0];
  };
  const named = { incident: open.id, failingSince: "1970-01-01T00:00:00.000+00:00" };
  expect(reportIn("https://status.example")).toMatchObject({
    ...named,
    incidentUrl: `https://status.example/incidents/${open.id}`,
  });
  expect(reportIn(null)).toMatchObject(named);
  expect(reportIn(null)).not.toHaveProperty("incidentUrl");
});

test("what has no tasks is sent again as it was, also where its answer had an id", () => {
  expect(reportsOf(canary(), "task-1").shown?.endpoint).toBe("$GATEWAY_BASE_URL/v1/chat/completions");
});

test("a private endpoint's host, addresses and queries are gone from every text", () => {
  const said = diagnosis("upstream_unavailable", "down", {
    message: "dial tcp 10.1.2.3:443: lookup A.example failed for https://a.example/v1/models?key=1",
    requestId: "A.EXAMPLE:7",
  });
  const shown = publicDiagnosis(said, gateway("a"));
  expect(JSON.stringify(shown)).not.toMatch(/a\.example|10\.1\.2\.3|key=1/i);
  expect(publicDiagnosis(said, gateway("a", { showEndpoint: true }))).toEqual(said);
});

test("an archived incident hides a private host, and of a gateway that is gone has no words at all", () => {
  const said = diagnosis("upstream_unavailable", "down", { message: "lookup a.example", requestId: "r-7" });
  const kept = (...gateways: Parameters<typeof config>[0]) =>
    archivedIncident(opened(said, 0), config(gateways)).latestFailure?.diagnosis;
  expect(kept(gateway("a"))).toMatchObject({ message: "lookup $GATEWAY_HOST", requestId: "r-7" });
  expect(kept(gateway("b"))).toEqual({ ...said, message: null, requestId: null });
});

test.each([true, false])(
  "with showEndpoint %j the public reads no account and no address; own channels do",
  (showEndpoint) => {
    const message = "organization org-7a7a7a7a, user `joe`";
    const said = diagnosis("rate_limited", "degraded", {
      message: `${message} from 203.0.113.7`,
      errorType: "limit of org-7a7a7a7a",
      errorCode: "203.0.113.7",
      taskId: "projects/joe/operations/1",
      requestId: "org-7a7a7a7a",
    });
    const one = gateway("a", { showEndpoint });
    expect(publicDiagnosis(said, one)).toMatchObject({
      message: "organization [id], user [id] from [address]",
      errorType: "limit of [id]",
      errorCode: "[address]",
      taskId: "projects/[id]/operations/1",
      requestId: "org-7a7a7a7a",
    });
    expect(withoutHost(said, one).message).toContain(message);
    const archived = archivedIncident(opened(said, 0), config([one]));
    expect(archived.latestFailure?.diagnosis.message).toContain(message);
  },
);

test("a host that the limit of a text cut in its middle is gone too", () => {
  const long = "word ".repeat(60);
  const cut = (text: string, length: number): string => text.slice(0, length);
  const said = diagnosis("upstream_unavailable", "down", {
    message: cut(`${long.slice(0, 280)}https://secret-a.example/v1`, 300),
    errorCode: cut(`${"c".repeat(88)}_secret-a.example`, 100),
    requestId: cut(`${"r".repeat(90)}.192.168.101.102`, 100),
  });
  const shown = publicDiagnosis(said, gateway("a", { baseUrl: "https://secret-a.example" }));
  expect(shown.message).toBe(`${long.slice(0, 280)}https://$GATEWAY_HOST`);
  expect(shown.errorCode).toBe(`${"c".repeat(88)}_$GATEWAY_HOST`);
  expect(shown.requestId).toBe(`${"r".repeat(90)}.$GATEWAY_HOST`);
});

test("a host that was cut is gone also where the id of an account stands before it", () => {
  const message = `user \`joe\`, organization org-7a7a7a7a7a7a7a7a ${"word ".repeat(51)}at`.slice(0, 294);
  const said = diagnosis("upstream_unavailable", "down", { message: `${message} secre` });
  const shown = publicDiagnosis(said, gateway("a", { baseUrl: "https://secret-a.example" }));
  expect(shown.message).toMatch(/^user \[id\], organization \[id\] word .* \$GATEWAY_HOST$/u);
});

test("short texts stay as they are", () => {
  const short = diagnosis("business_error", "down", { message: "余额不足", errorCode: "code_1" });
  expect(briefDiagnosis(short)).toEqual(short);
});

test("long ones are cut between characters, and say so", () => {
  const long = diagnosis("business_error", "down", {
    message: "网关😀".repeat(60),
    errorType: "类".repeat(100),
    requestId: "r".repeat(100),
  });
  const brief = briefDiagnosis(long);
  expect(brief.message).toBe(`${"网关😀".repeat(29)}网关…`);
  expect(brief.errorType).toBe(`${"类".repeat(31)}…`);
  expect(brief.requestId).toBe(`${"r".repeat(39)}…`);
});
