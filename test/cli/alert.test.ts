/** `gatepulse alert`, over HTTP where it sends. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EVENT_TYPES } from "../../src/domain/incident.ts";
import { entryOf, KINDS, SECRETS } from "../alert/channel-configs.ts";
import { serveInTurn, status } from "../probe/small-server.ts";
import { runCli, type Ran } from "./fake-io.ts";
import { folderOfFile } from "./folder.ts";

const folder = folderOfFile();
const gateways = [{ id: "acme", name: "Acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" }];
const alerts = KINDS.map((kind) => entryOf(kind).full ?? entryOf(kind).least);
writeFileSync(join(folder, "gatepulse.config.json"), JSON.stringify({ title: "Acme", gateways, alerts }));

const EVENTS = [...EVENT_TYPES, "reminder"];

function alert(args: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  return runCli(["alert", ...args.split(" ")], { cwd: folder, env });
}

describe("a dry run", () => {
  test("it is in the language of the configuration", async () => {
    const chinese = { title: "Acme", gateways, alerts, language: "zh" };
    writeFileSync(join(folder, "zh.json"), JSON.stringify(chinese));
    const { stdout } = await alert("--config zh.json --channel slack --event resolved --dry-run");
    expect(stdout).toContain("已恢复：Acme，历时 1 分钟");
  });

  test.each(KINDS)("%s: every event is shown with the names of secrets, set or not", async (kind) => {
    for (const event of EVENTS) {
      const args = `--channel ${kind} --event ${event} --dry-run`;
      const { code, stdout, stderr } = await alert(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const names = Object.keys(entryOf(kind).secrets);
      expect(names.filter((name) => !stdout.includes(`$${name}`))).toEqual([]);
      expect(stdout).not.toContain("gatepulsesecret");
      const withSecrets = await alert(args, SECRETS);
      expect(withSecrets.stdout).toBe(stdout);
    }
  });

  test.each([
    ["telegram", /^POST https:\/\/api\.telegram\.org\/bot\$BOT_TOKEN\/sendMessage\n/],
    ["dingtalk", /^POST \$DINGTALK_URL\?timestamp=\d+&sign=\$DINGTALK_SECRET\n/],
    [
      "webhook",
      /\nwebhook-signature: v1,\$HOOK_SECRET\n\n\{\n {2}"schemaVersion": 1,\n[^]*"gateway": "acme",/,
    ],
    ["slack --event reminder", /"text": "🔴 Still down: Acme: .*for 1 min"/u],
    ["feishu", /"sign": "\$FEISHU_SECRET"/],
    ["ntfy", /"topic": "\$TOPIC_URL"/],
    ["email", /^From: gatepulse@acme.example\nTo: oncall@acme.example\nSubject: .*\n\n/],
    ["github", /^GET .*\n[^]*\nPATCH .*\/issues\/1\n[^]*\nPOST .*\/issues\/1\/comments\n[^]*Recovered/],
  ])("%s: its requests, in order", async (channel, shown) => {
    expect((await alert(`--event resolved --channel ${channel} --dry-run`)).stdout).toMatch(shown);
  });
});

test("otlp: the end of an incident is shown; other events are refused, as nobody sends them", async () => {
  const otlp = { endpoint: "https://otlp.acme.example", headers: "OTLP_HEADERS" };
  writeFileSync(join(folder, "otlp.json"), JSON.stringify({ title: "Acme", gateways, otlp }));
  const args = "--config otlp.json --channel otlp --dry-run --event";
  const { code, stdout } = await alert(`${args} resolved`);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^POST https:.*\/v1\/traces\n[^]*"incident /)]);
  expect(await alert(`${args} opened`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("otlp only takes the end of an incident: write --event resolved"),
  });
});

describe("without --dry-run", () => {
  test.each([
    [200, 0, "Delivered."],
    [503, 4, "Not delivered now: Gatepulse would try again."],
    [400, 1, "Refused: Gatepulse would set this message aside, and send the next one."],
    [
      410,
      3,
      "The channel is gone: Gatepulse would send nothing there until you change its configuration or secret.",
    ],
  ])("an answer of %i ends with %i", async (answered, code, words) => {
    const receiver = await serveInTurn(status(answered, "x1y2z3secret hello"));
    const ran = await alert("--channel mattermost --event opened", {
      MATTERMOST_URL: `${receiver.url}/hooks/x1y2z3secret`,
    });
    expect(ran).toMatchObject({ code, stdout: `${words}\nThe answer: HTTP ${answered} [redacted] hello\n` });
    expect(receiver.seen).toMatchObject([{ method: "POST", url: "/hooks/x1y2z3secret" }]);
    expect(receiver.seen[0]?.body).toContain("Down: Acme: the provider behind the gateway is unavailable");
  });

  test("github: an answer that is no list of issues asks for the right address", async () => {
    const { url } = await serveInTurn(status(200, '{"ok":true}'));
    const channel = { ...entryOf("github").least, endpoint: url };
    writeFileSync(
      join(folder, "github.json"),
      JSON.stringify({ title: "Acme", gateways, alerts: [channel] }),
    );
    const stdout = "Not sent: the answer, HTTP 200, is not what the service documents; check the address.\n";
    const args = "--config github.json --channel github --event test";
    expect(await alert(args, SECRETS)).toMatchObject({ code: 1, stdout });
  });

  test.each([
    ["mattermost", "Not sent: the secret MATTERMOST_URL is not set.\n"],
    [
      "email",
      "Not sent: there is no send_email binding EMAIL: mail can be sent by a deployed Worker alone, with this binding in wrangler.toml.\n",
    ],
  ])("%s: what cannot be sent says why", async (channel, stdout) => {
    expect(await alert(`--channel ${channel} --event test`)).toMatchObject({ code: 1, stdout });
  });
});

test.each([
  ["--channel chat --event test", `--channel is one of those in gatepulse.config.json: ${KINDS.join(", ")}`],
  ["--event test", `--channel is one of those in gatepulse.config.json: ${KINDS.join(", ")}`],
  ["--channel slack --event reopened", `--event is one of ${EVENTS.join(", ")}`],
])("%s is refused with what there is", async (args, problem) => {
  const stderr = `gatepulse alert: ${problem}\nSee gatepulse alert --help.\n`;
  expect(await alert(args)).toMatchObject({ code: 2, stdout: "", stderr });
});
