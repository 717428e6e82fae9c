import { expect, test } from "vitest";
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

const INSTANT = "write a date and time with its offset, like 2026-12-01T02:00:00Z";

test("all faults of a window are told at once, each with its place", async () => {
  const body = {
    gateways: ["Acme", "beta", 7],
    from: "tomorrow",
    to: "2026-02-30T00:00:00Z",
    title: "",
    titel: "x",
  };
  expect(await faultsOf("maintenance", body)).toEqual([
    "#/gateways/0: use 1 to 40 of a-z, 0-9 and -",
    "#/gateways/2: use 1 to 40 of a-z, 0-9 and -",
    `#/from: ${INSTANT}`,
    `#/to: ${INSTANT}`,
    "#/title: write 1 to 120 characters in quotes, none of them a control character",
    "#/titel: leave it out: there is no such member",
  ]);
});

test("a window's title can be seen", async () => {
  const window = { from: "2026-12-01T02:00:00Z", to: "2026-12-01T04:00:00Z", title: "\u200b" };
  expect(await faultsOf("maintenance", window)).toEqual([
    "#/title: write 1 to 120 characters in quotes, none of them a control character",
  ]);
});

test("a window that ends before it begins, or in the past, is refused beside whatever else is wrong", async () => {
  const body = { from: "2026-11-19T12:00:00Z", to: "2026-11-19T12:00:00Z", title: "a\nb" };
  expect(await faultsOf("maintenance", body)).toEqual([
    "#/title: write 1 to 120 characters in quotes, none of them a control character",
    "#/to: write an instant after from",
    "#/to: write an instant in the future",
  ]);
});

test("a window lasts at most 31 days", async () => {
  const from = "2026-11-20T00:00:00Z";
  expect(await faultsOf("maintenance", { from, to: "2026-12-21T00:00:00.001Z" })).toEqual([
    "#/to: write an instant at most 31 days after from",
  ]);
  expect((await openDesk().ask("POST", "maintenance", { from, to: "2026-12-21T00:00:00Z" })).status).toBe(
    200,
  );
});

test("a window may have begun; it must end after now, to the millisecond", async () => {
  const from = "2026-11-20T11:00:00Z";
  expect(await faultsOf("maintenance", { from, to: "2026-11-20T12:00:00.000Z" })).toEqual([
    "#/to: write an instant in the future",
  ]);
  const desk = openDesk();
  expect((await desk.ask("POST", "maintenance", { from, to: "2026-11-20T12:00:00.001Z" })).status).toBe(200);
});

test.each([
  "2026-12-01",
  "2026-12-01T02:00:00",
  "2026-12-01 02:00:00Z",
  "2026-12-01T02:00:00 08:00",
  "2026-12-01T24:00:00Z",
  "2026-12-01T02:00Z",
  "1796119200000",
  1796119200000,
  null,
  ["2026-12-01T02:00:00Z"],
])("%j is no instant", async (from) => {
  expect(await faultsOf("maintenance", { from, to: "2026-12-01T04:00:00Z" })).toEqual([`#/from: ${INSTANT}`]);
});

test("an empty list of gateways is not all of them", async () => {
  const body = { gateways: [], from: "2026-12-01T02:00:00Z", to: "2026-12-01T04:00:00Z" };
  expect(await faultsOf("maintenance", body)).toEqual([
    "#/gateways: name at least one gateway in a list, or leave it out: then it is all",
  ]);
});

const NOTE = "write 1 to 500 characters, none of them a control character but tabs and line ends";

test.each([
  ["none", {}],
  ["empty", { text: "" }],
  ["nothing but white space", { text: " \n\t" }],
  ["nothing that can be seen", { text: "\u200b \ufeff\u202e\n" }],
  ["of 501 characters", { text: "😀".repeat(501) }],
  ["with an escape", { text: "a\u001b[31mb" }],
  ["with a NUL", { text: "a\u0000b" }],
  ["half a character", { text: "a\ud800b" }],
  ["a number", { text: 7 }],
  ["a list", { text: ["a"] }],
])("a note that is %s is refused", async (_, body) => {
  expect(await faultsOf(NOTES, body)).toEqual([`#/text: ${NOTE}`]);
});

test("a note has up to 500 characters, however many bytes each of them takes", async () => {
  const desk = openDesk();
  const text = "😀".repeat(500);
  expect((await desk.ask("POST", NOTES, { text: `  ${text}\n` })).status).toBe(200);
  expect(desk.orders).toMatchObject([{ text: `  ${text}\n` }]);
});

test.each([
  "gateways/acme/monitors/models/pause",
  "incidents/acme.models-20261120t080000z/acknowledge",
  "alerts/test",
  "alerts/replay",
])("%s refuses members that it does not know", async (path) => {
  expect(await faultsOf(path, { force: true })).toEqual(["#/force: leave it out: there is no such member"]);
});

test.each([
  ["null for a channel", { channel: null }, "#/channel"],
  ["another form of a channel's id", { channel: "../ops" }, "#/channel"],
  ["an empty event", { event: "" }, "#/event"],
  ["a list of events", { event: ["e"] }, "#/event"],
])("%s is refused in a replay", async (_, body, pointer) => {
  expect((await faultsOf("alerts/replay", body)).map((fault) => fault.split(":")[0])).toEqual([pointer]);
});

test.each([[[]], [[{ text: "x" }]], ["null"], ["true"], ["7"], ['"text"']])(
  "%j is no object, and that is told of the whole body",
  async (body) => {
    expect(await faultsOf(NOTES, body)).toEqual(["#: write a JSON object"]);
  },
);

test("a member is named by a JSON pointer, whatever its name is", async () => {
  const body = JSON.stringify({ text: "x", "a/b~c d": 1, "": 2, "\ud800": 3, "<script>": 4 });
  expect((await faultsOf(NOTES, body)).map((fault) => fault.split(":")[0])).toEqual([
    "#/a~1b~0c%20d",
    "#/",
    "#/%EF%BF%BD",
    "#/%3Cscript%3E",
  ]);
});

test("names of what every object has are members like any other", async () => {
  const body =
    '{"text": "x", "__proto__": {"text": "y"}, "constructor": {}, "toString": 1, "hasOwnProperty": 2}';
  expect((await faultsOf(NOTES, body)).map((fault) => fault.split(":")[0])).toEqual([
    "#/__proto__",
    "#/constructor",
    "#/toString",
    "#/hasOwnProperty",
  ]);
  expect(await faultsOf(NOTES, '{"__proto__": {"text": "y"}}')).toContain(`#/text: ${NOTE}`);
  expect(({} as Record<string, unknown>)["text"]).toBeUndefined();
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

test("bytes that are no UTF-8 are no JSON; a byte order mark does no harm", async () => {
  const send = (bytes: number[]) =>
    openDesk().send(`/api/v1/admin/${NOTES}`, {
      method: "POST",
      headers: BEARER,
      body: new Uint8Array(bytes),
    });
  const text = [...Buffer.from('{"text":"x"}')];
  expect((await send([...text.slice(0, 9), 0xff, ...text.slice(10)])).status).toBe(400);
  expect((await send([0xef, 0xbb, 0xbf, ...text])).status).toBe(200);
});

test.each(["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "a b"])(
  "a body is taken for what it is, not for the type %j that it claims",
  async (type) => {
    const send = (body: string) =>
      openDesk().send(`/api/v1/admin/${NOTES}`, {
        method: "POST",
        headers: { ...BEARER, "content-type": type },
        body,
      });
    expect((await send('{"text":"x"}')).status).toBe(200);
    expect((await send("text=x")).status).toBe(400);
  },
);

test("a body of 16 kB is read, and not a byte more", async () => {
  const padded = (bytes: number): string => `{"text":"x"}${" ".repeat(bytes - 12)}`;
  expect((await openDesk().ask("POST", NOTES, padded(16_384))).status).toBe(200);
  expect((await openDesk().ask("POST", NOTES, padded(16_385))).status).toBe(413);
});

test("a body without an end is let go after 16 kB", async () => {
  let pieces = 0;
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pieces += 1;
      controller.enqueue(new Uint8Array(1000).fill(32));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const init = { method: "POST", headers: BEARER, body: endless, duplex: "half" } as const;
  const response = await openDesk().send(`/api/v1/admin/${NOTES}`, init);
  expect(response.status).toBe(413);
  expect(isCancelled).toBe(true);
  expect(pieces).toBeLessThanOrEqual(18);
});

test("what announces that it is too large is not read at all", async () => {
  const { promise: never } = Promise.withResolvers<void>();
  const hanging = new ReadableStream<Uint8Array>({ pull: () => never }, { highWaterMark: 0 });
  const headers = { ...BEARER, "content-length": "16385" };
  const init = { method: "POST", headers, body: hanging, duplex: "half" } as const;
  expect((await openDesk().send(`/api/v1/admin/${NOTES}`, init)).status).toBe(413);
});

test("a body nested as deep as it can be is refused like any other", async () => {
  const depth = 8000;
  const body = `{"text":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  expect(await faultsOf(NOTES, body)).toEqual([`#/text: ${NOTE}`]);
});

test("a body that has a length of another kind than text and lists is refused, not measured", async () => {
  const immeasurable = { length: { toString: 0, valueOf: 0 } };
  expect(await faultsOf(NOTES, { text: immeasurable })).toHaveLength(1);
  const window = { from: "2026-12-01T02:00:00Z", to: "2026-12-01T04:00:00Z" };
  const faults = await faultsOf("maintenance", { ...window, gateways: immeasurable, title: immeasurable });
  expect(faults.map((fault) => fault.split(":", 1)[0])).toEqual(["#/gateways", "#/title"]);
});
