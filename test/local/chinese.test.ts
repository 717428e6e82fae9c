/** Commands in Chinese: nothing that they print themselves is in another language. */
import "../cli/in-chinese.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import MANUALS from "../../src/cli/manuals.json" with { type: "json" };
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { runCli } from "../cli/fake-io.ts";
import { folderOfTest } from "../cli/folder.ts";
import { TERMS } from "../http/words.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { startReceiver } from "./support/receiver.ts";

/** Code, in the order in which it is taken out: what is quoted or printed for a shell, addresses, commands, settings. */
const CODE = [
  /^(?:curl| {2}(?:cd|npm|claude)) .*$|sim-chat-small/gm,
  /"[^"]*"|'[^']*'|\{ .* \}|\$\(.*\)/g,
  /https?:\/\/\S+|[\w<>]*[./\\][\w<>./\\]*/g,
  /(?:npx )?\b(?:gatepulse|npm|curl|wrangler)(?: \w+| -\w+ \S+)*|\bexport default\b/g,
  /--?[a-z][\w-]*|\b\w*_\w*\b|\b[A-Z][A-Z0-9+]+\b|\b[a-z]+[A-Z]\w*/g,
  /\b(?:Model Context Protocol|ok|expect|monitors|every|url|unknown|acme|slack|Acme|Cloudflare|Worker|Ledger|GitHub|Dockerfile|Node|Python|Slack|Ctrl.[CD]|KV|MiB|GB-s)\b/g,
];

/** Lines with words that are neither Chinese nor code. */
function foreignIn(text: string, inARow = 1): readonly string[] {
  const left = [TERMS, ...CODE].reduce((words, code) => words.replaceAll(code, "·"), text);
  const words = new RegExp(Array.from({ length: inARow }, () => "[A-Za-z]{2,}").join(" "));
  return left.split("\n").filter((line) => words.test(line));
}

const simulator = await simulatorOfFile();
const receiver = await startReceiver();
afterAll(() => receiver.stop());

const ENV = { GATEWAY_API_KEY: SIMULATOR_KEYS.good };

async function printedBy(args: readonly string[], world: Parameters<typeof runCli>[1] = {}) {
  const { stdout, stderr } = await runCli(args, { env: ENV, ...world });
  return stdout + stderr;
}

describe("what is printed is Chinese", () => {
  test.each(Object.keys(MANUALS.commands))("by %s --help", async (name) => {
    const text = await printedBy([name, "--help"]);
    expect(text).toContain(`用法：gatepulse ${name} `);
    expect(foreignIn(text, 3)).toEqual([]);
  });

  const failures = ["healthy", "balance_402", "html_502", "tls_untrusted", "unresolvable", "rate_limited_30"];
  test.each(failures)("by probe of %s", async (scenario) => {
    const text = await printedBy(["probe", simulator.baseUrl(scenario)]);
    expect(text).toMatch(/\n接口地址 +http/);
    // The service's own words stay.
    expect(foreignIn(text.replace(/\n消息 .*/, ""))).toEqual([]);
  });

  test("by a refused argument", async () => {
    const texts = [
      await printedBy([]),
      await printedBy(["check", "--strange"]),
      await printedBy(["probe"]),
      await printedBy(["probe", "https://api.acme.example/v1?x"]),
      await printedBy(["probe", "https://api.acme.example"], { env: {} }),
      await printedBy(["start", "--port", "x"]),
      await printedBy(["check", "nothing.json"]),
      await printedBy(["check", "--lang", "fr"]),
    ];
    expect(foreignIn(texts.join(""), 2)).toEqual([]);
  });

  test("by check and plan of a configuration, and by check of one with faults", async () => {
    const cwd = folderOfTest();
    const gateway = {
      id: "acme",
      baseUrl: "http://10.0.0.1",
      apiKey: "ACME_API_KEY",
      monitors: [] as object[],
    };
    const write = (config: object) =>
      writeFileSync(join(cwd, "gatepulse.config.json"), JSON.stringify(config));
    const monitors = [{ kind: "chat", model: "gpt-4o", every: "5m" }];
    const alerts = [{ kind: "slack", url: "SLACK_URL" }];
    write({ title: "T", gateways: [{ ...gateway, monitors }], alerts });
    const sound = (await printedBy(["check"], { cwd })) + (await printedBy(["plan"], { cwd }));
    expect(sound).toMatch(/gatepulse\.config\.json 有效\n\n网关 +1 \(acme\)/);
    expect(foreignIn(sound)).toEqual([]);
    write({
      titel: 1,
      plan: "fre",
      gateways: [{ ...gateway, baseUrl: "ftp://x/v1" }],
      alerts: [{ kind: "fax" }],
    });
    const faulty = await printedBy(["check"], { cwd });
    expect(faulty).toContain('plan："fre" 不是套餐');
    expect(foreignIn(faulty, 2)).toEqual([]);
  });

  test("by explain", async () => {
    const answer =
      'HTTP/1.1 402 Payment Required\ncontent-type: application/json\n\n{"error":{"code":"insufficient_balance"}}';
    const text = await printedBy(["explain"], { stdin: answer });
    expect(text).toContain("受阻  insufficient_balance（余额已用尽），由您处理");
    expect(foreignIn(text)).toEqual([]);
  });

  test("by init, which writes a Chinese configuration and sends a Chinese message", async () => {
    const cwd = folderOfTest();
    const env = { ACME_API_KEY: SIMULATOR_KEYS.good, SLACK_URL: receiver.url("slack") };
    const wishes = ["--yes", "--name", "Acme", "--base-url", simulator.url, "--channel", "slack"];
    const text = await printedBy(["init", "status", ...wishes], { cwd, env });
    expect(foreignIn(text)).toEqual([]);
    expect(receiver.at("slack")[0]?.body).toContain("测试");
    const config = readFileSync(join(cwd, "status", "gatepulse.config.ts"), "utf8");
    expect(config).toContain('  title: "模型网关",\n  language: "zh",\n');
  });

  test("by admin, which asks for problems in Chinese", async () => {
    receiver.answer("site", { status: 404, body: '{"detail":"没有这个网关。"}' });
    const env = { GATEPULSE_URL: receiver.url("site"), ADMIN_TOKEN: "correct-horse-battery-staple" };
    expect(await printedBy(["admin", "pause", "none"], { env })).toBe(
      "gatepulse admin: HTTP 404：没有这个网关。\n",
    );
    expect(receiver.at("site")[0]?.headers["accept-language"]).toBe("zh");
  });
});
