/**
 * Redaction: of an error body as gateways send them, and of 1 MB of what a hostile gateway could send. Time that grows
 * with the square of the text shows as four times the cost of a byte.
 */
import { createRedactor, type Redact } from "../../src/protocol/redaction/redact.ts";
import type { Quantity, Row } from "./row.ts";
import { takeTurns } from "./turns.ts";

const SMALL = 2 ** 18;
const LARGE = 2 ** 20;
const KEY = "sk-bench-7Qd2mVx9Lr4TzK1cYb8NfW3hJp6SgE5uA0oRiXtC";
const BODY =
  '{"error":{"message":"You exceeded your current quota, please check your plan and billing details.",' +
  '"type":"insufficient_quota","param":null,"code":"insufficient_quota"},"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}';
const BODIES_A_ROUND = 20_000;
/** 24 were measured. At twice of it as much was added as there is. */
const MOST_READINGS = 50;
/** To four times a quarter: 1 is linear, 4 is the square. Halfway: that a longer text fits into no cache is no square yet. */
const MOST_GROWTH = 2.5;

/** Each is repeated until the text is full: what a search begins with, what it waits for, what it would read twice. */
const PIECES: readonly string[] = [
  "a",
  "a-",
  "a.b",
  "@",
  "a@a.",
  "//a@",
  '"key":"',
  "key='",
  "key:",
  "key ",
  "token is ",
  "密钥：",
  "Bearer ",
  "a=b; path=/;",
  "<token>",
  "\\",
  "%25",
  "&amp;",
  "\\u0061",
  "736b2d",
  "/aHR0cHM6Ly9h",
  "Ab3dEf6hIj9LmN0pQr2T/",
  "eyJ.eyJ.",
  "sk-a1b2c3d4e5f6g7/",
  "sk-***",
  "-----BEGIN ",
  ";base64,",
  "12345678:",
  "我们",
  "a\u0301",
  KEY.slice(0, 11),
  KEY,
];

export async function measureRedaction(): Promise<readonly Row[]> {
  const redact = createRedactor([KEY]);
  return [
    await measureBody(redact),
    ...(await measureHostile("1 MB of hostile text", PIECES, redact)),
    ...(await measureHostile(
      "1 MB of hostile text, and a known key of 64 kB in one letter",
      ["a", "a-", "%61", "YWFh", "6161"],
      createRedactor(["a".repeat(2 ** 16)]),
    )),
  ];
}

async function measureBody(redact: Redact): Promise<Row> {
  const taken = await takeTurns(5, {
    figure: bodies(redact),
    floor: bodies((text) => JSON.parse(text)),
  });
  return {
    what: "an error body without secrets; floor: JSON.parse of it",
    figure: { value: (Math.min(...taken.figure) * 1000) / BODIES_A_ROUND, unit: "µs" },
    floor: { value: (Math.min(...taken.floor) * 1000) / BODIES_A_ROUND, unit: "µs" },
    limit: { bound: "at most", of: "ratio", value: MOST_READINGS },
  };
}

function bodies(read: (text: string) => unknown): () => Promise<number> {
  return async () =>
    cpuMs(() => {
      for (let count = 0; count < BODIES_A_ROUND; count += 1) read(BODY);
    });
}

interface Taken {
  readonly piece: string;
  readonly small: number;
  readonly large: number;
  readonly pass: number;
}

/** The piece whose cost grows most, and the one that costs most. */
async function measureHostile(
  what: string,
  pieces: readonly string[],
  redact: Redact,
): Promise<readonly Row[]> {
  const taken: Taken[] = [];
  for (const piece of pieces) taken.push(await measurePiece(piece, redact));
  const growing = taken.reduce((most, next) => (growthOf(next) > growthOf(most) ? next : most));
  const slowest = taken.reduce((most, next) => (next.large > most.large ? next : most));
  return [
    {
      what: `${what}, a MB of ${JSON.stringify(growing.piece)}, which grows most; floor: four times 256 kB`,
      figure: milliseconds(growing.large),
      floor: milliseconds(growing.small * 4),
      limit: { bound: "at most", of: "ratio", value: MOST_GROWTH },
    },
    {
      what: `${what}, a MB of ${JSON.stringify(slowest.piece)}, which costs most; floor: one pass of a pattern over it`,
      figure: milliseconds(slowest.large),
      floor: milliseconds(slowest.pass),
      limit: null,
    },
  ];
}

function growthOf({ small, large }: Taken): number {
  return large / small;
}

async function measurePiece(piece: string, redact: Redact): Promise<Taken> {
  const [small, large] = [SMALL, LARGE].map((size) => piece.repeat(Math.ceil(size / piece.length)));
  const taken = await takeTurns(1, {
    small: async () => cpuMs(() => redact(small ?? "")),
    large: async () => cpuMs(() => redact(large ?? "")),
    pass: async () => cpuMs(() => large?.replaceAll(/[A-Za-z0-9]+/g, "")),
  });
  return {
    piece,
    small: Math.min(...taken.small),
    large: Math.min(...taken.large),
    pass: Math.min(...taken.pass),
  };
}

function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function milliseconds(value: number): Quantity {
  return { value, unit: "ms" };
}
