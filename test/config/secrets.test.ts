import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MONITOR_KINDS } from "../../src/config/config.ts";
import { parseConfig } from "../../src/config/load.ts";
import { rounds } from "../extent.ts";
import { KINDS } from "../alert/channel-configs.ts";
import { ACME, knownKeys, problemsOf, withGateway, words } from "./parsed.ts";

test.each([
  ["apiKey", "sk-abcdefghijklmnopqrstuvwx"],
  ["apiKey", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"],
  ["apiKey", "0123456789abcdef0123456789abcdef"],
  ["apiKey", "https://hooks.slack.com/services/T000/B000/XXXX"],
  ["name", "Bearer abcdefgh12345678"],
  ["baseUrl", "https://api.example.com/sk-abcdefghijklmnop"],
  ["baseUrl", "https://api.example.com/?api_key=abcdefgh"],
  ["unknown", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"],
])("a secret pasted into %s is refused and not repeated (%s)", (key, secret) => {
  const parsed = parseConfig(withGateway({ [key]: secret }));
  // It has no other fault besides.
  expect(problemsOf(withGateway({ [key]: secret }))).toEqual([
    `gateways[0].${key}: looks like a secret itself`,
  ]);
  expect(JSON.stringify(parsed)).not.toContain(secret);
});

/** Every field of an alert that takes text, as it would hold what is pasted. */
const PASTED: Readonly<Record<string, (secret: string) => Record<string, unknown>>> = {
  "alerts[0].url": (url) => ({ kind: "slack", url }),
  "alerts[0].kind": (kind) => ({ kind, url: "ALERT_URL" }),
  "alerts[0].id": (id) => ({ kind: "slack", url: "ALERT_URL", id }),
  "alerts[0].secret": (secret) => ({ kind: "webhook", url: "ALERT_URL", secret }),
  "alerts[0].secret[1]": (secret) => ({ kind: "webhook", url: "ALERT_URL", secret: ["OLD", secret] }),
  "alerts[0].routingKey": (routingKey) => ({ kind: "pagerduty", routingKey }),
  "alerts[0].token": (token) => ({ kind: "telegram", token, chat: "@channel" }),
  "alerts[0].chat": (chat) => ({ kind: "telegram", token: "TELEGRAM_TOKEN", chat }),
  "alerts[0].from": (from) => ({ kind: "email", from, to: ["a@acme.example"] }),
  "alerts[0].to[0]": (to) => ({ kind: "email", from: "a@acme.example", to: [to] }),
  "alerts[0].binding": (binding) => ({ kind: "email", from: "a@a.example", to: ["a@a.example"], binding }),
  "alerts[0].only.owner[0]": (owner) => ({ kind: "ntfy", url: "NTFY_URL", only: { owner: [owner] } }),
  "alerts[0].only.gateway[0]": (gateway) => ({ kind: "ntfy", url: "NTFY_URL", only: { gateway: [gateway] } }),
  "alerts[0].[…]": (key) => ({ kind: "ntfy", url: "NTFY_URL", [key]: 1 }),
};

/** What the services of alerts give out. */
const ALERT_SECRETS = [
  "https://hooks.slack.com/services/T0000/B0000/XXXXXXXX",
  "https://discord.com/api/webhooks/1234/abcd",
  "https://acme.webhook.office.com/webhookb2/abcd",
  "https://prod-1.westeurope.logic.azure.com/workflows/x/triggers/manual/paths/invoke?api-version=1&sig=abcdef",
  "https://events.pagerduty.com/integration/abcd/enqueue",
  "https://api.telegram.org/bot123456:AAF/sendMessage",
  "https://ntfy.sh/acme-oncall",
  "https://hc-ping.com/0b1c",
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "e93facc04764012d7bfb002500d5d1a6",
  "r0z3k8v1q5w9x2y7n4m6p0t8s3u5b1c9",
  "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2",
  "123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0",
];

test.each(ALERT_SECRETS)(
  "%s is refused as a secret wherever an alert may hold it, and not repeated",
  (secret) => {
    for (const [path, alertOf] of Object.entries(PASTED)) {
      const input = { title: "t", gateways: [], alerts: [alertOf(secret)] };
      expect(problemsOf(input)).toContainEqual(`${path}: looks like a secret itself`);
      expect(JSON.stringify(parseConfig(input))).not.toContain(secret);
    }
  },
);

test("a token in an endpoint is refused, and an account's number in its path is none", () => {
  const faultsOf = (endpoint: string) => {
    const alerts = [{ kind: "telegram", token: "TELEGRAM_TOKEN", chat: "@channel", endpoint }];
    return problemsOf({ title: "t", gateways: [], alerts });
  };
  expect(faultsOf("https://proxy.example/bot123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0")).toEqual([
    "alerts[0].endpoint: looks like a secret itself",
  ]);
  expect(faultsOf("https://proxy.example/0123456789abcdef0123456789abcdef")).toEqual([]);
});

test("names, model ids and account numbers in addresses are no secrets", () => {
  const title = "Task-force risk-assessment gateways of 2026";
  const expected = words(`
    claude-3-5-sonnet-20241022 meta-llama/Llama-3.3-70B-Instruct-Turbo Qwen/Qwen2.5-Coder-32B-Instruct-AWQ
    ft:gpt-4o-mini-2024-07-18:acme:suffix:9ABCDEF1 deepseek-ai/DeepSeek-R1-Distill-Qwen-32B
  `);
  const gateway = {
    ...ACME,
    id: "eu-west-1-risk-gateway",
    baseUrl: "https://gateway.example.com/0123456789abcdef0123456789abcdef/openai",
    vendorPrefix: true,
    monitors: [{ kind: "models", expect: expected }],
  };
  expect(parseConfig({ title, gateways: [gateway] })).toMatchObject({ ok: true });
});

test("no text that looks like a secret is ever in a fault", () => {
  const value = fc.stringMatching(/^sk-[A-Za-z0-9]{16,40}$/);
  fc.assert(
    fc.property(value, value, fc.constantFrom(...MONITOR_KINDS), (secret, other, kindOfMonitor) => {
      const input = {
        title: { [secret]: 1 },
        timeZone: secret,
        [`x ${secret}`]: secret,
        gateways: [
          {
            id: secret,
            baseUrl: other,
            apiKey: `${secret}!`,
            monitors: [
              { kind: secret, every: other },
              { kind: "models", formerly: secret, flapping: other, remindEvery: other },
              ...knownKeys("monitor", kindOfMonitor).flatMap((key) => [
                { kind: kindOfMonitor, [key]: secret },
                { kind: kindOfMonitor, [key]: { [`x ${other}`]: secret, "x-api-key": other, a: [secret] } },
              ]),
            ],
          },
        ],
        maintenance: [{ gateways: [secret], from: secret, to: other }],
        alerts: [
          ...Object.values(PASTED).map((alertOf) => alertOf(`${other}!`)),
          ...["url", "secret", "token", "routingKey", "endpoint", "chat", "only"].flatMap((key) =>
            [...KINDS, other].map((kind) => ({ kind, [key]: secret })),
          ),
          {
            kind: "slack",
            only: { owner: secret, cause: [secret], gateway: [other], event: [secret], [`x ${other}`]: 1 },
          },
        ],
      };
      const parsed = parseConfig(input);
      expect(parsed.ok).toBe(false);
      expect(JSON.stringify(parsed)).not.toContain(secret);
      expect(JSON.stringify(parsed)).not.toContain(other);
    }),
    { numRuns: rounds(10, 100) },
  );
});

test("where a secret is named, only a name is repeated", () => {
  const fieldsOf = (value: unknown) => ({
    title: "t",
    heartbeat: value,
    gateways: [
      { ...ACME, apiKey: value, monitors: [{ kind: "console", apiKey: value, headers: { "x-key": value } }] },
    ],
    alerts: [
      { kind: "webhook", url: value, secret: [value, "OTHER"] },
      { kind: "telegram", token: value, chat: "@channel" },
      { kind: "pagerduty", routingKey: value },
    ],
  });
  const told = (value: unknown) => JSON.stringify(parseConfig(fieldsOf(value)));
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9_:/@.-]{16,40}$/), (value) => {
      expect(told(value)).not.toContain(value);
      expect(told(72_938_471)).not.toContain("72938471");
    }),
    { numRuns: rounds(10, 100) },
  );
  expect(told("ADMIN_TOKEN")).toContain(String.raw`"written":"\"ADMIN_TOKEN\""`);
});

test.each([
  ["https://anna:pw@api.acme.example", null],
  ["https://api.acme.example?t=1", null],
  ["https://api.acme.example/v1", '"https://api.acme.example/v1"'],
  ["five ".repeat(40), `"${"five ".repeat(12)}…"`],
  ["a\u001b[31m\nb", '"a [31m b"'],
])("of a base address %j a fault repeats %j", (baseUrl, written) => {
  const parsed = parseConfig(withGateway({ baseUrl }));
  expect(parsed.ok ? [] : parsed.faults.map((fault) => fault.written)).toContain(written);
});
