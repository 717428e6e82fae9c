/** Redaction of an error body, and of 1 MB: time that grows with the square of the text shows as four times the cost of a byte. */
import { createRedactor, type Redact } from "../../src/protocol/redaction/redact.ts";
import { takeTurns } from "./measure.ts";
import { type Row, row, timesAtMost } from "./row.ts";

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
  ..."a a- a.b @ a@a. //a@ Bearer_ key_ token_is_ a=b;_path=/; <token> 密钥： 我们 a\u0301".split(" "),
  ...String.raw`"key":" key=' key: \ %25 &amp; \u0061 736b2d /aHR0cHM6Ly9h ;base64, -----BEGIN_`.split(" "),
  ..."Ab3dEf6hIj9LmN0pQr2T/ eyJ.eyJ. sk-a1b2c3d4e5f6g7/ sk-*** 12345678:".split(" "),
].map((piece) => piece.replaceAll("_", " "));

export async function measureRedaction(): Promise<readonly Row[]> {
  const redact = createRedactor([KEY]);
  const longKey = ["a", "a-", "%61", "YWFh", "6161"];
  const redactLong = createRedactor(["a".repeat(2 ** 16)]);
  const what = "1 MB of hostile text";
  return [
    await bodyRow(redact),
    await hostileRow(what, [...PIECES, KEY.slice(0, 11), KEY], redact),
    await hostileRow(`${what}, and a known key of 64 kB in one letter`, longKey, redactLong),
  ];
}

async function bodyRow(redact: Redact): Promise<Row> {
  const bodies = (read: (text: string) => unknown) => async () =>
    cpuMs(() => {
      for (let count = 0; count < BODIES_A_ROUND; count += 1) read(BODY);
    });
  const taken = await takeTurns(5, { figure: bodies(redact), floor: bodies((text) => JSON.parse(text)) });
  const micros = (times: readonly number[]) => (Math.min(...times) * 1000) / BODIES_A_ROUND;
  return row("µs", "an error body without secrets; floor: JSON.parse of it", micros(taken.figure), {
    floor: micros(taken.floor),
    limit: timesAtMost(MOST_READINGS),
  });
}

/** Of the piece whose cost grows most. */
async function hostileRow(what: string, pieces: readonly string[], redact: Redact): Promise<Row> {
  let worst = { piece: "", small: 1, large: 0 };
  for (const piece of pieces) {
    const filled = (size: number) => piece.repeat(Math.ceil(size / piece.length));
    const [small, large] = [filled(SMALL), filled(LARGE)];
    const taken = await takeTurns(1, {
      small: async () => cpuMs(() => redact(small)),
      large: async () => cpuMs(() => redact(large)),
    });
    const found = { piece, small: Math.min(...taken.small), large: Math.min(...taken.large) };
    if (found.large / found.small > worst.large / worst.small) worst = found;
  }
  const named = `${what}, a MB of ${JSON.stringify(worst.piece)}, which grows most; floor: four times 256 kB`;
  return row("ms", named, worst.large, { floor: worst.small * 4, limit: timesAtMost(MOST_GROWTH) });
}

function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
