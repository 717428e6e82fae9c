/** `gatepulse init` and `add` as a person uses them, in a real terminal, with a real gateway and a real receiver. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { folderOfTest } from "../cli/folder.ts";
import { spread } from "../extent.ts";
import { startReceiver } from "../local/support/receiver.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { programPath } from "../programs.ts";
import { CTRL_C, DOWN, ENTER, openTerminal, type Terminal, UP } from "./terminal.ts";

const simulator = await simulatorOfFile();
const receiver = await startReceiver();
afterAll(() => receiver.stop());
beforeEach(() => receiver.clear());

const NAME = "Name of the gateway";
const KEY = "API key";
const MODELS = "Which models";
const CANARY = "small chat request";
const CHANNEL = "Where do alerts go?";
const AFTER_FAILURE = "What do you want to do?";

async function answerGateway(terminal: Terminal, baseUrl = simulator.url): Promise<void> {
  await terminal.answer("Base address", baseUrl, ENTER);
  await terminal.answer(NAME, "Acme", ENTER);
}

describe.skipIf(programPath("util-linux's script") === null)("in a terminal", () => {
  test("init asks, checks, sends a test message, and writes a project", async () => {
    const cwd = folderOfTest();
    receiver.answer("slack", { status: 200, body: "ok" });
    const terminal = openTerminal(["init", "status"], { cwd });
    await answerGateway(terminal, `${simulator.url}/v1/`);
    await terminal.answer(KEY, SIMULATOR_KEYS.good, ENTER);
    await terminal.answer(MODELS, ENTER);
    await terminal.answer(CANARY, DOWN, ENTER);
    expect(existsSync(join(cwd, "status"))).toBe(false);
    await terminal.answer(CHANNEL, ENTER);
    await terminal.answer("SLACK_URL", receiver.url("slack"), ENTER);
    const { code, shown } = await terminal.ended();
    expect(code).toBe(0);
    expect(shown).toMatch(
      /UP {2}ok\s+endpoint +http:\/\/127\.0\.0\.1:\d+\/v1\/models\s+status +200\s+models +6\s/,
    );
    expect(shown).toMatch(/attempts +1 \(200\); the last took \d+ ms/);
    expect(shown).toContain("48 requests a day, which cost money");
    expect(shown).toContain("Which models must always be in its list?\r\nsim-chat-small\r\n");
    expect(shown).toContain("at most 12,288 a day");
    expect(shown).toContain("The test message was delivered: Slack answered HTTP 200.");
    expect(shown).toContain("Next:\r\n  cd status && npm install\r\n  npm start");
    expect(shown).not.toContain(SIMULATOR_KEYS.good);
    expect(shown).not.toContain(receiver.url("slack"));
    expect(receiver.at("slack")).toHaveLength(1);
    const config = readFileSync(join(cwd, "status", "gatepulse.config.ts"), "utf8");
    expect(config.slice(config.indexOf("export default"))).toBe(`export default defineConfig({
  title: "Model gateways",
  gateways: [
    {
      id: "acme",
      name: "Acme",
      baseUrl: "${simulator.url}",
      apiKey: "ACME_API_KEY",
      monitors: [
        { kind: "models", expect: ["sim-chat-small"] },
        { kind: "chat", model: "sim-chat-small" },
      ],
    },
  ],
  alerts: [
    { kind: "slack", url: "SLACK_URL" },
  ],
});
`);
    expect(parseEnv(readFileSync(join(cwd, "status", ".dev.vars"), "utf8"))).toEqual({
      ACME_API_KEY: SIMULATOR_KEYS.good,
      SLACK_URL: receiver.url("slack"),
    });
  });

  test("in a Chinese locale, init asks in Chinese", async () => {
    const cwd = folderOfTest();
    const terminal = openTerminal(["init", "status"], { cwd, env: { LANG: "zh_CN.UTF-8" } });
    await terminal.answer("网关的基础地址", simulator.url, ENTER);
    await terminal.answer("网关的名称", "Acme", ENTER);
    await terminal.answer("留空则以后再设置", `"${SIMULATOR_KEYS.good}"`, ENTER);
    await terminal.answer("密钥不可能是这样：", "\u0015", SIMULATOR_KEYS.revoked, ENTER);
    await terminal.answer("您想怎么做？", DOWN, ENTER);
    await terminal.answer("另一个密钥（ACME_API_KEY）", SIMULATOR_KEYS.good, ENTER);
    await terminal.answer("哪些模型必须始终在列表中？", ENTER);
    await terminal.answer("要发送这个小的聊天请求吗？", ENTER);
    await terminal.answer("告警发到哪里？", UP, ENTER);
    const { code, shown } = await terminal.ended();
    expect(code).toBe(0);
    expect(shown).toMatch(/受阻 {2}authentication（密钥被拒绝），由您处理\s+接口地址 +http/);
    expect(shown).toContain("接下来：\r\n  cd status && npm install");
  });

  test("after a wrong key, another one can be entered", async () => {
    const cwd = folderOfTest();
    const terminal = openTerminal(["init", "status"], { cwd });
    await answerGateway(terminal);
    await terminal.answer(KEY, `"${SIMULATOR_KEYS.revoked}"`, ENTER);
    await terminal.answer("is in quotes", "\u0015", SIMULATOR_KEYS.revoked, ENTER);
    await terminal.answer(AFTER_FAILURE, DOWN, ENTER);
    await terminal.answer("Another key", SIMULATOR_KEYS.good, ENTER);
    await terminal.answer(MODELS, ENTER);
    await terminal.answer(CANARY, ENTER);
    await terminal.answer(CHANNEL, UP, ENTER);
    const { code, shown } = await terminal.ended();
    expect(code).toBe(0);
    expect(shown).toContain("BLOCKED  authentication, your turn");
    expect(shown).toContain("The API key was revoked.");
    const vars = readFileSync(join(cwd, "status", ".dev.vars"), "utf8");
    expect(parseEnv(vars)).toEqual({ ACME_API_KEY: SIMULATOR_KEYS.good });
  });

  test("after a wrong address, another one can be entered, and nobody needs the network", async () => {
    const cwd = folderOfTest();
    const terminal = openTerminal(["init", "status"], { cwd });
    await answerGateway(terminal, simulator.baseUrl("refused"));
    await terminal.answer(KEY, SIMULATOR_KEYS.good, ENTER);
    await terminal.answer(AFTER_FAILURE, DOWN, DOWN, ENTER);
    await terminal.answer("Base address", simulator.baseUrl("unresolvable"), ENTER);
    await terminal.answer(AFTER_FAILURE, UP, ENTER);
    await terminal.answer(CHANNEL, UP, ENTER);
    const { code, shown } = await terminal.ended();
    expect(code).toBe(0);
    expect(shown).toContain("connection_failed");
    expect(shown).toContain("dns_failure");
    const config = readFileSync(join(cwd, "status", "gatepulse.config.ts"), "utf8");
    expect(config).toContain(`baseUrl: "${simulator.baseUrl("unresolvable")}"`);
  });

  test("what a receiver answers to a failed test message is shown, without its address", async () => {
    const cwd = folderOfTest();
    receiver.answer("slack", { status: 404, body: "no_service" });
    const terminal = openTerminal(["init", "status", "--base-url", simulator.url, "--name", "Acme"], { cwd });
    await terminal.answer(KEY, ENTER);
    await terminal.answer(CHANNEL, ENTER);
    await terminal.answer("SLACK_URL", receiver.url("slack"), ENTER);
    await terminal.answer(AFTER_FAILURE, UP, ENTER);
    const { code, shown } = await terminal.ended();
    expect(code).toBe(0);
    expect(shown).toContain("The gateway was not checked: ACME_API_KEY is not set yet.");
    expect(shown).toContain("The test message was not delivered. The answer was HTTP 404: no_service");
    expect(shown).not.toContain(receiver.url("slack"));
    expect(shown).toContain("Write into .dev.vars: ACME_API_KEY");
    expect(readFileSync(join(cwd, "status", "gatepulse.config.ts"), "utf8")).not.toContain("alerts");
    expect(readFileSync(join(cwd, "status", ".dev.vars"), "utf8")).toMatch(/^ACME_API_KEY=\n/m);
  });

  test.each([
    ["Enter alone", [ENTER]],
    ["a blank", [" ", ENTER]],
  ])("with %s, the name is the suggested one, and an address of a channel is set later", async (_, typed) => {
    const cwd = folderOfTest();
    const terminal = openTerminal(["init", "status"], { cwd });
    await terminal.answer("Base address", "https://api.acme.example", ENTER);
    await terminal.answer(NAME, ...typed);
    await terminal.answer(KEY, ENTER);
    await terminal.answer(CHANNEL, ENTER);
    await terminal.answer("SLACK_URL); leave it empty to set it later", ENTER);
    const { code, shown } = await terminal.ended();
    expect([code, shown]).toEqual([
      0,
      expect.stringContaining("Write into .dev.vars: ACME_API_KEY, SLACK_URL"),
    ]);
    expect(readFileSync(join(cwd, "status", "gatepulse.config.ts"), "utf8")).toContain('name: "Acme"');
  });

  test("the name of a gateway with the same address is refused", async () => {
    const cwd = folderOfTest();
    const gateway = `{ id: "acme", name: "Acme", baseUrl: "${simulator.url}", apiKey: "ACME_API_KEY" }`;
    writeFileSync(
      join(cwd, "gatepulse.config.ts"),
      `export default { title: "t", gateways: [${gateway}] };\n`,
    );
    const terminal = openTerminal(["add", "--no-check"], { cwd });
    await answerGateway(terminal);
    await terminal.answer("Acme is there already, with this address", " 2", ENTER);
    await terminal.answer(KEY, ENTER);
    await terminal.answer(CHANNEL, UP, ENTER);
    expect((await terminal.ended()).shown).toContain("Write into .dev.vars: ACME_2_API_KEY");
  });

  test("add inserts a gateway and leaves the rest of the file as it is", async () => {
    const cwd = folderOfTest();
    const before = 'export default {\n  title: "Ours", // ours\n  gateways: [ ],\n};\n';
    writeFileSync(join(cwd, "gatepulse.config.ts"), before);
    const terminal = openTerminal(["add"], { cwd, env: { ACME_API_KEY: SIMULATOR_KEYS.good } });
    await answerGateway(terminal);
    await terminal.answer(MODELS, ENTER);
    await terminal.answer(CANARY, ENTER);
    await terminal.answer(CHANNEL, UP, ENTER);
    const { code, shown } = await terminal.ended();
    expect(code).toBe(0);
    expect(shown).toContain("The key is ACME_API_KEY, which is set already.");
    const [start = "", end = ""] = before.split(" ]");
    const after = readFileSync(join(cwd, "gatepulse.config.ts"), "utf8");
    expect(after.startsWith(start)).toBe(true);
    expect(after.endsWith(`]${end}`)).toBe(true);
    expect(after).toContain('id: "acme"');
  });

  /** What is answered before Ctrl-C. */
  const QUESTIONS: readonly (readonly [question: string, typed: string])[] = [
    ["Base address", simulator.url],
    [NAME, ""],
    [KEY, SIMULATOR_KEYS.good],
    [MODELS, ""],
    [CANARY, ""],
    [CHANNEL, ""],
    ["SLACK_URL", receiver.url("slack")],
    [AFTER_FAILURE, ""],
  ];

  const questions = QUESTIONS.map(([question]) => question);
  test.each(spread(questions, 4))("Ctrl-C at %j writes nothing", async (last) => {
    const cwd = folderOfTest();
    receiver.answer("slack", { status: 404, body: "no_service" });
    const terminal = openTerminal(["init", "status"], { cwd });
    for (const [question, typed] of QUESTIONS) {
      if (question === last) break;
      await terminal.answer(question, typed, ENTER);
    }
    await terminal.answer(last, CTRL_C);
    const { code, shown } = await terminal.ended();
    expect(code).toBe(130);
    expect(shown.trimEnd().split("\r\n").at(-1)).toBe("Stopped. Nothing was written.");
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("Ctrl-C while the gateway is asked writes nothing", async () => {
    const cwd = folderOfTest();
    const args = ["init", "status", "--name", "Acme", "--base-url", simulator.baseUrl("no_answer")];
    const terminal = openTerminal(args, { cwd, env: { ACME_API_KEY: SIMULATOR_KEYS.good } });
    await terminal.answer("waiting for the answer", CTRL_C);
    const { code, shown } = await terminal.ended();
    expect(code).toBe(130);
    expect(shown).toContain("Stopped. Nothing was written.");
    expect(readdirSync(cwd)).toEqual([]);
  });
});
