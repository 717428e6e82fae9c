import { expect, test, vi } from "vitest";
import { BEARER, openDesk } from "./admin-desk.ts";

const NOTES = "incidents/acme.models-20261120t080000z/notes";

/** `pointer: detail` of each fault; the Ledger must not have been asked. */
async function faultsOf(path: string, body: unknown): Promise<string[]> {
  const desk = openDesk();
  const response = await desk.ask("POST", path, body);
  expect(response.status).toBe(422);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(desk.orders).toEqual([]);
  const { errors } = (await response.json()) as { errors: { detail: string; pointer: string }[] };
  return errors.map(({ detail, pointer }) => `${pointer}: ${detail}`);
}

async function statusOf(path: string, body: unknown): Promise<number> {
  return (await openDesk().ask("POST", path, body)).status;
}

const INSTANT = "write a date and time with its offset, like 2026-12-01T02:00:00Z";
const TITLE = "#/title: write 1 to 120 characters in quotes, none of them a control character";
const SHORT_ID = "use 1 to 40 of a-z, 0-9 and -";
const NO_MEMBER = "leave it out: there is no such member";
const NOT_OVER = "#/to: write an instant in the future";
const GATEWAYS = "#/gateways: name at least one gateway in a list, or leave it out: then it is all";
const LONG = "#/to: write an instant at most 31 days after from";
const WINDOW = { from: "2026-12-01T02:00:00Z", to: "2026-12-01T04:00:00Z" };
const AT_11 = "2026-11-20T11:00:00Z";

test.each<[string, body: object, faults: string[]]>([
  [
    "of which everything is wrong has all its faults told at once",
    { gateways: ["Acme", "beta", 7], from: "tomorrow", to: "2026-02-30T00:00:00Z", title: "", titel: "x" },
    [
      `#/gateways/0: ${SHORT_ID}`,
      `#/gateways/2: ${SHORT_ID}`,
      `#/from: ${INSTANT}`,
      `#/to: ${INSTANT}`,
      TITLE,
      `#/titel: ${NO_MEMBER}`,
    ],
  ],
  ["with a title that cannot be seen", { ...WINDOW, title: "\u200b" }, [TITLE]],
  [
    "that ends before it begins, in the past, and is named wrongly",
    { from: "2026-11-19T12:00:00Z", to: "2026-11-19T12:00:00Z", title: "a\nb" },
    [TITLE, "#/to: write an instant after from", NOT_OVER],
  ],
  ["longer than 31 days", { from: "2026-11-20T00:00:00Z", to: "2026-12-21T00:00:00.001Z" }, [LONG]],
  ["that ends just now", { from: AT_11, to: "2026-11-20T12:00:00.000Z" }, [NOT_OVER]],
  ["with an empty list of gateways, which is not all of them", { ...WINDOW, gateways: [] }, [GATEWAYS]],
])("a window %s", async (_, body, faults) => {
  expect(await faultsOf("maintenance", body)).toEqual(faults);
});

test.each([
  ["lasts 31 days", { from: "2026-11-20T00:00:00Z", to: "2026-12-21T00:00:00Z" }],
  ["has begun, and ends in a millisecond", { from: AT_11, to: "2026-11-20T12:00:00.001Z" }],
])("a window that %s is taken", async (_, window) => {
  expect(await statusOf("maintenance", window)).toBe(200);
});

const NOTE = "#/text: write 1 to 500 characters, none of them a control character but tabs and line ends";

test.each([
  ["none", {}],
  ["nothing that can be seen", { text: "\u200b \ufeff\u202e\n" }],
  ["of 501 characters", { text: "😀".repeat(501) }],
  ["with an escape", { text: "a\u001b[31mb" }],
  ["half a character", { text: "a\ud800b" }],
  ["nested as deep as it can be", `{"text":${"[".repeat(8000)}${"]".repeat(8000)}}`],
])("a note that is %s is refused", async (_, body) => {
  expect(await faultsOf(NOTES, body)).toEqual([NOTE]);
});

test("a note has up to 500 characters, however many bytes each of them takes", async () => {
  const desk = openDesk();
  const text = `  ${"😀".repeat(500)}\n`;
  expect((await desk.ask("POST", NOTES, { text })).status).toBe(200);
  expect(desk.orders).toMatchObject([{ text }]);
});

test.each([
  "gateways/acme/monitors/models/pause",
  "incidents/acme.models-20261120t080000z/acknowledge",
  "alerts/test",
  "alerts/replay",
])("%s refuses members that it does not know", async (path) => {
  expect(await faultsOf(path, { force: true })).toEqual([`#/force: ${NO_MEMBER}`]);
});

test.each<[string, path: string, body: unknown, pointers: string[]]>([
  ["null for a channel", "alerts/replay", { channel: null }, ["#/channel"]],
  ["a list of events", "alerts/replay", { event: ["e"] }, ["#/event"]],
  [
    "a member with a name that JSON pointers escape",
    NOTES,
    JSON.stringify({ text: "x", "a/b~c d": 1, "": 2, "\ud800": 3, "<script>": 4 }),
    ["#/a~1b~0c%20d", "#/", "#/%EF%BF%BD", "#/%3Cscript%3E"],
  ],
])("%s is refused by its pointer", async (_, path, body, pointers) => {
  expect((await faultsOf(path, body)).map((fault) => fault.split(":", 1)[0])).toEqual(pointers);
});

test.each([[[]], [[{ text: "x" }]], ["null"], ["true"], ["7"], ['"text"']])(
  "%j is no object, and that is told of the whole body",
  async (body) => {
    expect(await faultsOf(NOTES, body)).toEqual(["#: write a JSON object"]);
  },
);

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

test("a body of 16 kB is read, and not a byte more", async () => {
  const padded = (bytes: number): string => `{"text":"x"}${" ".repeat(bytes - 12)}`;
  expect(await statusOf(NOTES, padded(16_384))).toBe(200);
  expect(await statusOf(NOTES, padded(16_385))).toBe(413);
});

test("of a body that is longer no more is read than shows it, and nothing where its length is announced", async () => {
  const pull = vi.fn<(controller: ReadableStreamDefaultController<Uint8Array>) => void>((controller) => {
    if (pull.mock.calls.length > 100) controller.close();
    else controller.enqueue(new Uint8Array(1000));
  });
  const long = () => new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  expect(await sent(long(), { "content-length": "16385" })).toBe(413);
  expect(pull).not.toHaveBeenCalled();
  expect(await sent(long())).toBe(413);
  expect(pull.mock.calls.length).toBeLessThanOrEqual(18);
});
