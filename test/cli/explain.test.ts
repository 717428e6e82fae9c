import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Ran, runCli, type World } from "./fake-io.ts";
import { folderOfTest } from "./folder.ts";
import { rounds } from "../extent.ts";

const REFUSED = JSON.stringify({
  status: 402,
  headers: { "X-Request-ID": "req_7" },
  body: '{"error":{"message":"The balance is used up.","type":"insufficient_quota","code":"insufficient_balance"}}',
});

const KINDS =
  "--kind is one of models, chat, messages, responses, gemini, embeddings, image, task, console, stream";
const LIMITED = '{"status":429,"headers":{"retry-after":"7"}}';
const TOO_LOW = '{"status":400,"body":"{\\"error\\":{\\"message\\":\\"balance is too low\\"}}"}';

function explain(stdin: string, args: readonly string[] = [], world: Partial<World> = {}): Promise<Ran> {
  return runCli(["explain", ...args], { stdin, ...world });
}

test("--json prints one object on one line, and nothing else", async () => {
  const { code, stdout, stderr } = await explain(REFUSED, ["--json", "--kind", "chat"]);
  expect([code, stderr]).toEqual([3, ""]);
  expect(stdout.indexOf("\n")).toBe(stdout.length - 1);
  expect(Object.keys(JSON.parse(stdout) as object)).toEqual(["diagnosis", "report", "takenFor"]);
  expect(JSON.parse(stdout)).toMatchObject({
    diagnosis: { cause: "insufficient_balance", httpStatus: 402, requestId: "req_7" },
    report: { id: null, timeZone: "Asia/Shanghai", requestId: "req_7" },
    takenFor: { form: "answer", kind: "chat", notes: [] },
  });
});

test("with --operator us it is your turn to fix the gateway, and the exit code stays that of its operator", async () => {
  const failed = '{"status":500,"body":"{}"}';
  const [theirs, ours] = [await explain(failed), await explain(failed, ["--operator", "us"])];
  expect([theirs.code, ours.code]).toEqual([1, 1]);
  expect(theirs.stdout).toContain("DOWN  service_misconfigured, the operator's turn\n");
  expect(ours.stdout).toContain("DOWN  service_misconfigured, your turn\n");
});

test.each([
  [LIMITED, 4, "You can retry it after 7 s, if the request is safe"],
  ['{"status":429}', 4, "You can retry it with increasing waits,"],
  ['{"status":503}', 1, "You can retry it with increasing waits"],
  ['{"status":503}', 1, "The kind of request is guessed. Set it with --kind."],
  ["openai.RateLimitError: Error code: 429 - {}", 4, "  client     openai for Python\n"],
  [
    '{"status":429,"headers":{"retry-after":"7"},"body":"{\\"error\\":{\\"code\\":\\"quota_exceeded\\"}}"}',
    3,
    "A program must not retry it.\nThe gateway asks you to wait 7 s.",
  ],
  ['{"status":429,"body":"Limit of org-7a7a7a7a at 203.0.113.7"}', 4, "Limit of org-7a7a7a7a at 203.0.113.7"],
  [TOO_LOW, 3, "It could also be malformed_request."],
  ['{"code":5000,"message":"x"}', 1, "The text has no HTTP status, so it was judged without one."],
  ["openai.RateLimitError: Error code: 429 - {'error': {'mess", 4, "The body is incomplete."],
  ["Request failed with status code 503", 1, "The text has no body"],
])("%s ends with %d and says so", async (text, code, words) => {
  const ran = await explain(text);
  expect(ran.code).toBe(code);
  expect(ran.stdout).toContain(words);
});

test.each(["hello world", "{}"])(
  "%s is refused: it is no answer, and what to paste is said",
  async (text) => {
    const { code, stdout, stderr } = await explain(text);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("this does not look like a gateway's answer. Paste the whole answer");
  },
);

test("the console is called the account, and the rule is shown if you ask for it", async () => {
  const plain = await explain(REFUSED, ["--kind", "console"]);
  expect(plain.stdout).toMatch(/^kind {2,}account$/m);
  expect(plain.stdout).not.toMatch(/^rule /m);
  expect((await explain(REFUSED, ["--verbose"])).stdout).toMatch(/^rule {2,}7\.1$/m);
});

describe("where it reads from", () => {
  test.each([
    ["a file, relative to the working directory", REFUSED],
    ["a file in UTF-16, as some shells redirect", Buffer.from(`\ufeff${REFUSED}`, "utf16le")],
  ])("%s", async (_what, text) => {
    const cwd = folderOfTest();
    writeFileSync(join(cwd, "a.json"), text);
    expect((await runCli(["explain", "a.json"], { cwd })).stdout).toContain("insufficient_balance");
  });

  test("a terminal, where it says how to end", async () => {
    const { code, stderr } = await runCli(["explain"], { typed: REFUSED });
    expect([code, stderr]).toEqual([3, "Paste the answer, then press Ctrl-D on a line of its own.\n"]);
  });
});

describe("wrong usage ends with 2 and prints nothing else", () => {
  test.each([
    [["none.txt"], "none.txt cannot be read"],
    [["."], ". cannot be read"],
    [["a", "b"], "give at most one FILE"],
    [["--kind", "chats"], KINDS],
    [["--operator", "me"], "--operator is one of us, them"],
    [["--kind", "__proto__"], "--kind is one of models"],
    [["--key-env", "NOT_SET"], "--key-env takes the name of an environment variable that is set"],
    [
      ["--yaml"],
      "unknown option; the options are: --kind, --operator, --key-env, --verbose, --json, --summary, --help",
    ],
  ])("%j", async (args, words) => {
    const { code, stdout, stderr } = await explain(REFUSED, args, { cwd: folderOfTest() });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`gatepulse explain: ${words}`);
  });

  test("nothing, or white space", async () => {
    for (const text of ["", " \r\n\t", "\ufeff\n"]) {
      expect(await explain(text)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("standard input is empty: there is nothing to explain"),
      });
    }
  });

  test("more than 8 MiB, from standard input and from a file", async () => {
    const cwd = folderOfTest();
    writeFileSync(join(cwd, "big"), "x".repeat(8 * 1024 * 1024 + 1));
    const words = "is over 8 MiB: give only the failed answer";
    expect((await explain("x".repeat(8 * 1024 * 1024 + 1))).stderr).toContain(`standard input ${words}`);
    expect((await runCli(["explain", "big"], { cwd })).stderr).toContain(`big ${words}`);
  });

  test("a key in the place of a file is not repeated", async () => {
    expect((await explain("", ["sk-0123456789abcdef0123456789abcdef"])).stderr).not.toContain("0123456789ab");
  });
});

describe("secrets of this machine are gone, in any encoding", () => {
  const KEY = "kx9 Zq/7+Lw2=pT4mB6yR";
  const answerWith = (words: string): string =>
    JSON.stringify({ status: 401, body: JSON.stringify({ error: { message: `got ${words} here` } }) });

  test.each([
    ["GATEWAY_API_KEY", []],
    ["ACME_API_KEY", []],
    ["DB_PASSWORD", []],
    ["SOME_TOKEN", []],
    ["PLAIN_NAME", ["--key-env", "PLAIN_NAME"]],
  ])("%s", async (name, args) => {
    const bytes = Buffer.from(KEY);
    const encoded = [KEY, encodeURIComponent(KEY), bytes.toString("base64"), bytes.toString("hex")];
    for (const form of encoded) {
      const { stdout } = await explain(answerWith(form), args, { env: { [name]: KEY } });
      expect(stdout).toContain("got [redacted] here");
    }
  });

  test("a value of .dev.vars in the working directory", async () => {
    const cwd = folderOfTest();
    writeFileSync(join(cwd, ".dev.vars"), `# of this machine\nANY_NAME="${KEY}"\n`);
    expect((await explain(answerWith(KEY), [], { cwd })).stdout).toContain("got [redacted] here");
  });

  test("a variable of another name, or a short value, takes no word away", async () => {
    const env = { HOME: "/home/someone-here", API_TOKEN: "here" };
    const expected = "got /home/someone-here here";
    expect((await explain(answerWith("/home/someone-here"), [], { env })).stdout).toContain(expected);
  });
});

test("nothing of a stranger's text steers the terminal", async () => {
  const text = fc.string({
    unit: fc.constantFrom("\u001b[2J", "\r", "\n", "\u202e", "\u0007", "\u009b", "a", "'", "{", ":"),
    maxLength: 60,
  });
  const env = { NO_COLOR: "1" };
  await fc.assert(
    fc.asyncProperty(text, async (words) => {
      const body = JSON.stringify({ error: { message: words, type: words, code: words }, request_id: words });
      const answer = JSON.stringify({ status: 400, body });
      for (const pasted of [`x${words}`, `RateLimitError: 429 ${words}`, answer]) {
        const { stdout } = await explain(pasted, [], { isTTY: true, env });
        // oxlint-disable-next-line no-control-regex -- the claim is that there are none
        expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
      }
    }),
    { numRuns: rounds(15, 100) },
  );
});
