/** Reading of status pages, from real servers, good and hostile. */
import type { IncomingMessage, RequestListener } from "node:http";
import { expect, test } from "vitest";
import { systemClock } from "../../src/probe/clock.ts";
import { readStatusPage } from "../../src/probe/status-page.ts";
import { ALWAYS } from "../../src/probe/traffic.ts";
import { handClock } from "./probing.ts";
import { refusingUrl, serveHttp, serveInTurn, status } from "./small-server.ts";

const KEY = `sk-proj-${"Ab3dE6gH9jK2mN5pQ8rS".repeat(2)}`;
const PORTS = { fetch, clock: systemClock(), leave: ALWAYS };

const OPEN = { name: "Elevated errors on chat", status: "investigating", impact: "minor" };

const summary = (indicator: string, incidents?: unknown, description = "Said") =>
  JSON.stringify({ page: {}, components: [{}], status: { indicator, description }, incidents });

async function read(...answers: readonly RequestListener[]) {
  const { url, seen } = await serveInTurn(...answers);
  const reading = await readStatusPage(`${url}/page`, PORTS);
  expect(seen).toMatchObject([{ method: "GET", url: "/page/api/v2/summary.json", body: "" }]);
  expect(seen[0]?.headers).not.toHaveProperty("authorization");
  return reading;
}

/** What it reports of these incidents. */
async function reported(...incidents: readonly object[]) {
  const reading = await read(status(200, summary("minor", incidents)));
  return reading !== null && "reported" in reading ? reading.reported.incidents : reading;
}

test("a summary tells the page's indicator and its open incidents, the worst and longest first", async () => {
  const at = (hour: string) => `2026-11-20T${hour}:02:00.000Z`;
  const incidents = [
    { ...OPEN, started_at: at("14") },
    { ...OPEN, name: "Over", status: "resolved" },
    { ...OPEN, name: "Told later", status: "postmortem" },
    { ...OPEN, name: "Older", started_at: null, created_at: at("13") },
    { ...OPEN, name: "Worse", impact: "major", started_at: at("15"), created_at: at("09") },
  ];
  const reading = await read(status(200, summary("major", incidents, "Partial Outage")));
  const since = (hour: string) => ({ since: at(hour) });
  expect(reading).toMatchObject({
    reported: {
      indicator: "major",
      description: "Partial Outage",
      incidents: [
        { name: "Worse", impact: "major", ...since("15") },
        { name: "Older", impact: "minor", ...since("13") },
        { name: "Elevated errors on chat", impact: "minor", ...since("14") },
      ],
    },
  });
});

test("a summary without a list has no incident", async () => {
  expect(await read(status(200, summary("none")))).toMatchObject({
    reported: { indicator: "none", incidents: [] },
  });
});

test.each([
  ["in the future", { started_at: "2999-01-01T00:00:00Z" }],
  ["before 1970", { started_at: "1912-04-15T00:00:00Z" }],
  ["that is none", { started_at: "yesterday" }],
  ["that nobody gives", {}],
])("a time %s is not told", async (_, times) => {
  expect(await reported({ ...OPEN, ...times })).toEqual([{ name: OPEN.name, impact: "minor", since: null }]);
});

test.each([
  ["markup stays text", "<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  ["control characters go", "a\u0000b\u001b[31m\nc\u202ed", "a b [31m c d"],
  ["a key goes", `use ${KEY}`, "use [redacted]"],
  ["half a character is none", "bad \ud800", "bad \ufffd"],
  ["nothing is a dot", "\u200b", "…"],
  ["200 characters stay", "é".repeat(5000), "é".repeat(200)],
])("of a name, %s", async (_, name, shown) => {
  expect(await reported({ ...OPEN, name })).toMatchObject([{ name: shown }]);
});

test("five incidents of a thousand are kept", async () => {
  expect(await reported(...Array.from({ length: 1000 }, () => OPEN))).toHaveLength(5);
});

test.each([
  ["a page", status(200, "<!doctype html><h1>All good</h1>"), "it has no summary of the Statuspage API v2"],
  ["nothing", status(200, ""), "it has no summary of the Statuspage API v2"],
  ["other JSON", status(200, '{"status":"ok"}'), "it has no summary of the Statuspage API v2"],
  ["an unknown indicator", status(200, summary("fine")), "it has no summary of the Statuspage API v2"],
  [
    "incidents of another form",
    status(200, summary("none", [{}])),
    "it has no summary of the Statuspage API v2",
  ],
  ["10 MB", status(200, summary("none", [], "x".repeat(10_000_000))), "its summary has more than 256 kB"],
  ["a redirect", status(302, "", { location: "https://elsewhere.example/" }), "it answered HTTP 302"],
  ["an error", status(503, summary("none")), "it answered HTTP 503"],
  ["a reset", (request: IncomingMessage) => void request.socket.destroy(), "it could not be reached"],
] as const)("%s is no reading", async (_, answer, problem) => {
  expect(await read(answer)).toMatchObject({ problem });
});

test("a page where nobody listens is no reading", async () => {
  const page = await refusingUrl();
  expect(await readStatusPage(page, PORTS)).toEqual({ page, problem: "it could not be reached" });
});

test("a page that hangs within its body is given up after ten seconds, and its leave ends", async () => {
  const clock = handClock();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const page = await serveHttp((_, response) => {
    response.writeHead(200);
    response.write("{", () => resolve());
  });
  let ended = 0;
  const leave = { ...ALWAYS, end: () => void (ended += 1) };
  const reading = readStatusPage(page, { ...PORTS, clock, leave });
  await asked;
  clock.passLimit();
  expect(await reading).toEqual({ page, problem: "no answer within 10 seconds" });
  expect([clock.limits, ended]).toEqual([[10_000], 1]);
});

test("without leave nothing is sent", async () => {
  const never = () => expect.unreachable("nothing is to be sent");
  const leave = { ...ALWAYS, begin: async () => false };
  expect(await readStatusPage("https://status.example", { ...PORTS, fetch: never, leave })).toBeNull();
});
