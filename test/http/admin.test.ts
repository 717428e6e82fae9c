/** What administrators may ask, and how their bodies are judged; what docs/admin.md and the README tell people to type is taken. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import type { AdminRequest } from "../../src/domain/tick.ts";
import { ADMIN_ROUTES } from "../../src/http/admin.ts";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import { BEARER, yesTo, openDesk } from "./admin-desk.ts";
import { NOW_MS } from "./documents.ts";
import { expectPrivate } from "./every-route.ts";

const INCIDENT = "acme.models-20261120t080000z";
const MODELS = "gateways/acme/monitors/models";
const EVENT = "acme-models-20261120t080000z-incident-opened-7";
const TEXT = "Told the operator.\nTicket 7.";
const IN_CHINA = { from: "2026-12-01T02:00:00+08:00", to: "2026-12-01T04:00:00.5+08:00" };
const [FROM, TO] = [Date.UTC(2026, 10, 30, 18), Date.UTC(2026, 10, 30, 20, 0, 0, 500)];
const MONTH = { from: "2026-11-01T00:00:00Z", to: "2026-12-02T00:00:00Z", title: "Migration" };
const [FIRST, LAST] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 2)];

function planned(gateways: string[], fromMs: number, toMs: number, title: string): AdminRequest {
  return { type: "plan_maintenance", gateways, fromMs, toMs, title };
}

function pause(subject: string, untilMs: number | null, by: string | null): AdminRequest {
  return { type: "pause", subject, untilMs, by };
}

function handle(type: "acknowledge" | "probe_incident", by: string | null): AdminRequest {
  return { type, incidentId: INCIDENT, by };
}

function silence(untilMs: number | null, by: string | null): AdminRequest {
  return { type: "silence", incidentId: INCIDENT, untilMs, by };
}

function note(isPublic: boolean): AdminRequest {
  return { type: "note", incidentId: INCIDENT, text: TEXT, isPublic };
}

test.each<[address: string, body: unknown, order: AdminRequest]>([
  [`POST ${MODELS}/probe`, undefined, { type: "probe_now", subject: "acme/models" }],
  [`POST ${MODELS}/pause`, undefined, pause("acme/models", null, null)],
  [`POST ${MODELS}/pause`, { for: "2h", by: "Anna" }, pause("acme/models", NOW_MS + 2 * HOUR_MS, "Anna")],
  ["POST gateways/acme/pause", { until: "2026-12-01T02:00:00+08:00" }, pause("acme", FROM, null)],
  ["POST gateways/acme/resume", undefined, { type: "resume", subject: "acme" }],
  ["POST gateways/acme/probe", { by: "Anna" }, { type: "probe_now", subject: "acme" }],
  ["GET gateways/acme", undefined, { type: "read_gateway", subject: "acme" }],
  [`POST ${MODELS}/resume`, {}, { type: "resume", subject: "acme/models" }],
  [`POST incidents/${INCIDENT}/acknowledge`, undefined, handle("acknowledge", null)],
  [`POST incidents/${INCIDENT}/acknowledge`, { by: "Anna" }, handle("acknowledge", "Anna")],
  [`POST incidents/${INCIDENT}/probe`, { by: "Anna" }, handle("probe_incident", "Anna")],
  [`POST incidents/${INCIDENT}/silence`, {}, silence(null, null)],
  [`POST incidents/${INCIDENT}/silence`, { for: "4h", by: "安娜" }, silence(NOW_MS + 4 * HOUR_MS, "安娜")],
  [`GET incidents/${INCIDENT}`, undefined, { type: "read_incident", incidentId: INCIDENT }],
  [`POST incidents/${INCIDENT}/notes`, { text: TEXT }, note(true)],
  [`POST incidents/${INCIDENT}/notes`, { text: TEXT, public: false }, note(false)],
  [
    `DELETE incidents/${INCIDENT}/notes/2026-11-20T12:00:00.000Z`,
    undefined,
    { type: "delete_note", incidentId: INCIDENT, atMs: NOW_MS },
  ],
  ["GET maintenance", undefined, { type: "list_maintenance" }],
  ["POST maintenance", IN_CHINA, planned([], FROM, TO, "Planned maintenance")],
  [
    "POST maintenance",
    { gateways: ["acme", "beta", "acme"], ...MONTH },
    planned(["acme", "beta"], FIRST, LAST, "Migration"),
  ],
  ["POST maintenance", { for: "2h" }, planned([], NOW_MS, NOW_MS + 2 * HOUR_MS, "Planned maintenance")],
  [
    "POST maintenance",
    { from: "2026-12-01T02:00:00+08:00", for: "90m", title: "Migration" },
    planned([], FROM, FROM + 1.5 * HOUR_MS, "Migration"),
  ],
  ["DELETE maintenance/mb3k2x", undefined, { type: "cancel_maintenance", id: "mb3k2x" }],
  ["GET alerts", undefined, { type: "list_alerts" }],
  ["POST alerts/replay", undefined, { type: "replay_alerts", channel: null, eventId: null }],
  [
    "POST alerts/replay",
    { channel: "ops", event: EVENT },
    { type: "replay_alerts", channel: "ops", eventId: EVENT },
  ],
  ["POST alerts/test", undefined, { type: "test_alert", channel: null }],
  ["POST alerts/test", { channel: "ops" }, { type: "test_alert", channel: "ops" }],
  ["GET quarantine", undefined, { type: "list_quarantine" }],
  ["DELETE quarantine", undefined, { type: "clear_quarantine" }],
])("%s with %j asks the Ledger, and answers what it says", async (address, body, order) => {
  const [method = "", path = ""] = address.split(" ");
  const desk = openDesk();
  const response = await desk.ask(method, path, body);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(yesTo(order));
  expect(desk.orders).toEqual([order]);
});

test.each(["GET alerts", "POST alerts/test", "POST nothing"])(
  "the answer of %s is nobody else's: no cache, no other origin's script, no tag",
  async (address) => {
    const [method = "", path = ""] = address.split(" ");
    expectPrivate(await openDesk().ask(method, path), address);
  },
);

test.each(["maintenance", "alerts"])("%s can be read, answers HEAD, and is never 304", async (path) => {
  const desk = openDesk();
  const [head, get] = [await desk.ask("HEAD", path), await desk.ask("GET", path)];
  for (const response of [head, get]) {
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  }
  expect(await head.text()).toBe("");
  expect(desk.orders).toHaveLength(2);
  const headers = { ...BEARER, "if-none-match": "*" };
  expect((await desk.send(`/api/v1/admin/${path}`, { headers })).status).toBe(200);
});

test.each([
  ["not_found", 404, "Not found", "There is no such monitor."],
  ["conflict", 409, "Conflict", "The monitor is paused."],
] as const)("%s is %i, in the Ledger's words", async (why, status, title, detail) => {
  const response = await openDesk(async () => ({ ok: false, why, detail })).ask("POST", `${MODELS}/probe`);
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const instance = `/api/v1/admin/${MODELS}/probe`;
  expect(await response.json()).toEqual({ type: "about:blank", title, status, detail, instance });
});

test("a Ledger that does not answer is 503, says when to come back, and nothing of what failed", async () => {
  const broken = openDesk(() => Promise.reject(new Error("disk I/O error in secret-ish place")));
  const response = await broken.ask("POST", `incidents/${INCIDENT}/acknowledge`);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("5");
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.text()).not.toContain("secret-ish");
});

test.each([
  [`${MODELS}/probe`, "POST", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"]],
  ["maintenance", "GET, HEAD, POST", ["PUT", "DELETE", "OPTIONS"]],
  ["maintenance/mb3k2x", "DELETE", ["GET", "HEAD", "POST"]],
  ["alerts", "GET, HEAD", ["POST", "DELETE"]],
  ["quarantine", "GET, HEAD, DELETE", ["POST", "PUT"]],
])("%s takes %s alone", async (path, allow, others) => {
  const desk = openDesk();
  for (const method of others) {
    const response = await desk.ask(method, path);
    expect(response.status, method).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
  }
  expect(desk.orders).toEqual([]);
});

const NOTES = `incidents/${INCIDENT}/notes`;

async function statusOf(path: string, body: unknown): Promise<number> {
  return (await openDesk().ask("POST", path, body)).status;
}

const INSTANT = "write a date and time with its offset, like 2026-12-01T02:00:00Z";
const TITLE = "#/title: write 1 to 120 characters in quotes, none of them a control character";
const SHORT_ID = "use 1 to 40 of a-z, 0-9 and -";
const NO_MEMBER = "leave it out: there is no such member";
const NOT_OVER = "#/to: write an instant in the future";
const GATEWAYS = "#/gateways: name at least one gateway in a list, or leave it out for all of them";
const LONG = "#/to: write an instant at most 31 days after the beginning";
const WINDOW = { from: "2026-12-01T02:00:00Z", to: "2026-12-01T04:00:00Z" };
const AT_11 = "2026-11-20T11:00:00Z";

const NOTE = "#/text: write 1 to 500 characters, none of them a control character but tabs and line ends";
const PERIOD = '#/for: write whole minutes from "1m" to "31d", like "2h"';
const NO_EVENT = "#/event: write an event's id as GET /api/v1/admin/alerts lists it";
const NO_OBJECT = "#: write a JSON object";
const odd = (pointer: string) => `${pointer}: ${NO_MEMBER}`;

test.each<[what: string, path: string, body: unknown, faults: string[]]>([
  [
    "a window with everything wrong",
    "maintenance",
    { gateways: ["Acme", "beta", 7], from: "tomorrow", to: "2026-02-30T00:00:00Z", title: "", titel: "x" },
    [
      `#/gateways/0: ${SHORT_ID}`,
      `#/gateways/2: ${SHORT_ID}`,
      `#/from: ${INSTANT}`,
      `#/to: ${INSTANT}`,
      TITLE,
      odd("#/titel"),
    ],
  ],
  ["a title that cannot be seen", "maintenance", { ...WINDOW, title: "\u200b" }, [TITLE]],
  [
    "a window that ends before it begins",
    "maintenance",
    { from: WINDOW.to, to: WINDOW.from },
    ["#/to: write an instant after from"],
  ],
  [
    "more than 31 days",
    "maintenance",
    { from: "2026-11-20T00:00:00Z", to: "2026-12-21T00:00:00.001Z" },
    [LONG],
  ],
  ["an end just now", "maintenance", { from: AT_11, to: "2026-11-20T12:00:00.000Z" }, [NOT_OVER]],
  ["neither an end nor a length", "maintenance", {}, ["#/to: write an instant, or write for"]],
  ["an end and a length", "maintenance", { ...WINDOW, for: "2h" }, ["#/to: leave it out, or leave out for"]],
  ["a length that is over", "maintenance", { from: "2026-11-20T09:00:00Z", for: "1h" }, [NOT_OVER]],
  ["a length that is none", "maintenance", { for: "a while" }, [PERIOD]],
  ["more than 31 days of pause", `${MODELS}/pause`, { for: "32d" }, [PERIOD]],
  [
    "a pause that is over, and has a length too",
    `${MODELS}/pause`,
    { for: "2h", until: AT_11 },
    ["#/until: leave it out, or leave out for", "#/until: write an instant in the future"],
  ],
  [
    "a silence of more than 31 days",
    `incidents/${INCIDENT}/silence`,
    { until: "2026-12-22T00:00:00Z" },
    ["#/until: write an instant at most 31 days after the beginning"],
  ],
  [
    "a public note that is neither",
    NOTES,
    { text: "x", public: "no" },
    ["#/public: write true or false, without quotes"],
  ],
  ["an empty list of gateways", "maintenance", { ...WINDOW, gateways: [] }, [GATEWAYS]],
  ["no note", NOTES, {}, [NOTE]],
  ["nothing that can be seen", NOTES, { text: "\u200b \ufeff\u202e\n" }, [NOTE]],
  ["501 characters", NOTES, { text: "😀".repeat(501) }, [NOTE]],
  ["an escape", NOTES, { text: "a\u001b[31mb" }, [NOTE]],
  ["half a character", NOTES, { text: "a\ud800b" }, [NOTE]],
  ["a note as deep as it can be", NOTES, `{"text":${"[".repeat(8000)}${"]".repeat(8000)}}`, [NOTE]],
  ["a member that a pause does not have", `${MODELS}/pause`, { force: true }, [odd("#/force")]],
  [
    "names that JSON pointers escape",
    NOTES,
    JSON.stringify({ text: "x", "a/b~c d": 1, "": 2, "\ud800": 3, "<script>": 4 }),
    ["#/a~1b~0c%20d", "#/", "#/%EF%BF%BD", "#/%3Cscript%3E"].map(odd),
  ],
  ["null for a channel", "alerts/replay", { channel: null }, [`#/channel: ${SHORT_ID}`]],
  ["a list of events", "alerts/replay", { event: ["e"] }, [NO_EVENT]],
  ["a list", NOTES, [{ text: "x" }], [NO_OBJECT]],
  ["null", NOTES, "null", [NO_OBJECT]],
])("%s is refused, each fault with its place, and the Ledger is not asked", async (_, path, body, faults) => {
  const desk = openDesk();
  const response = await desk.ask("POST", path, body);
  expect(response.status).toBe(422);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(desk.orders).toEqual([]);
  const { errors } = (await response.json()) as { errors: { detail: string; pointer: string }[] };
  expect(errors.map(({ detail, pointer }) => `${pointer}: ${detail}`)).toEqual(faults);
});

test.each<[what: string, path: string, body: object]>([
  ["31 days", "maintenance", { from: "2026-11-20T00:00:00Z", to: "2026-12-21T00:00:00Z" }],
  [
    "what has begun, and ends in a millisecond",
    "maintenance",
    { from: AT_11, to: "2026-11-20T12:00:00.001Z" },
  ],
  ["500 characters, however many bytes each takes", NOTES, { text: `  ${"😀".repeat(500)}\n` }],
])("%s are taken", async (_, path, body) => {
  expect(await statusOf(path, body)).toBe(200);
});

test.each(["{", '{"text": }', "text=x", '{"text":"x"} {}', "{'text':'x'}", "\u0000"])(
  "%j is no JSON: 400",
  async (body) => {
    const desk = openDesk();
    const response = await desk.ask("POST", NOTES, body);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(desk.orders).toEqual([]);
  },
);

/** A note of these bytes. */
async function sent(body: NonNullable<RequestInit["body"]>, headers: Record<string, string> = {}) {
  const init = { method: "POST", headers: { ...BEARER, ...headers }, body, duplex: "half" } as const;
  return (await openDesk().send(`/api/v1/admin/${NOTES}`, init)).status;
}

test("bytes that are no UTF-8 are no JSON; a byte order mark does no harm", async () => {
  const text = [...Buffer.from('{"text":"x"}')];
  expect(await sent(new Uint8Array([...text.slice(0, 9), 0xff, ...text.slice(10)]))).toBe(400);
  expect(await sent(new Uint8Array([0xef, 0xbb, 0xbf, ...text]))).toBe(200);
});

test("a body may have 16 kB, and not a byte more", async () => {
  const padded = (bytes: number): string => `{"text":"x"}${" ".repeat(bytes - 12)}`;
  expect(await statusOf(NOTES, padded(16_384))).toBe(200);
  expect(await statusOf(NOTES, padded(16_385))).toBe(413);
});

test("a longer body is refused when it was read to its end: a server in front takes an earlier answer for a failure", async () => {
  const pull = vi.fn<(controller: ReadableStreamDefaultController<Uint8Array>) => void>((controller) => {
    if (pull.mock.calls.length > 100) controller.close();
    else controller.enqueue(new Uint8Array(1000));
  });
  expect(await sent(new ReadableStream<Uint8Array>({ pull }))).toBe(413);
  expect(pull).toHaveBeenCalledTimes(101);
});

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCUMENT = readFileSync(`${ROOT}docs/admin.md`, "utf8");
const README = readFileSync(`${ROOT}README.md`, "utf8");

function commandsIn(document: string) {
  const scripts = [...document.matchAll(/```sh\n([\s\S]*?)\n```/gu)].map(([, script = ""]) => script);
  const lines = scripts.flatMap((script) => script.replaceAll("\\\n", " ").split("\n"));
  const calls = lines.map((line) => line.replace(/^curl .*\$ADMIN_TOKEN" "\$ADMIN\/([^"]*)"/u, "admin $1"));
  return calls
    .filter((line) => line.startsWith("admin "))
    .map((line) => {
      const body = / -d '([^']*)'/u.exec(line)?.[1];
      const method = / -X (\w+)/u.exec(line)?.[1] ?? (body === undefined ? "GET" : "POST");
      return { line, method, path: line.split(" ")[1] ?? "", body };
    });
}

const COMMANDS = [...commandsIn(DOCUMENT), ...commandsIn(README)];

test("the function that the document uses sends the token to the address that it is given", () => {
  expect(DOCUMENT).toContain('admin() { curl -H "Authorization: Bearer $ADMIN_TOKEN" "$ADMIN/$@"; }');
});

test.each(COMMANDS)("$line", async ({ method, path, body }) => {
  expect((await openDesk().ask(method, path, body)).status).toBe(200);
});

test("every address that there is has a command in the document", () => {
  const shown = commandsIn(DOCUMENT);
  for (const route of ADMIN_ROUTES) {
    const fits = shown.filter(({ method, path }) => method === route.method && route.path.test(path));
    expect(fits, `${route.method} ${route.path.source}`).not.toEqual([]);
  }
  const verbs = shown.flatMap(({ path }) => /^gateways\/.*\/(\w+)$/u.exec(path)?.[1] ?? []);
  expect(new Set(verbs)).toEqual(new Set(["probe", "pause", "resume"]));
});

test("the refusal that is shown is the one that comes", async () => {
  const shown = [...DOCUMENT.matchAll(/```json\n([\s\S]*?)\n```/gu)].map(
    ([, text = ""]) => JSON.parse(text) as Record<string, unknown>,
  );
  const body = { from: "2026-12-01T04:00:00Z", to: "2026-12-01T02:00:00Z", titel: "Database move" };
  const refusal = await openDesk().ask("POST", "maintenance", body);
  expect(shown.find(({ status }) => status === 422)).toEqual(await refusal.json());
});
