import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/load.ts";

const ACME = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };

test.each([
  ["apiKey", "sk-abcdefghijklmnopqrstuvwx"],
  ["apiKey", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"],
  ["apiKey", "AKIAIOSFODNN7EXAMPLE"],
  ["apiKey", "0123456789abcdef0123456789abcdef"],
  ["apiKey", "https://hooks.slack.com/services/T000/B000/XXXX"],
  ["apiKey", "hunter2"],
  ["name", "Bearer abcdefgh12345678"],
  ["name", "sk-proj-abcdefghijklmnop"],
  ["baseUrl", "https://api.example.com/sk-abcdefghijklmnop"],
  ["baseUrl", "https://user:pa55word@api.example.com"],
  ["baseUrl", "https://api.example.com/?api_key=abcdefgh"],
  ["unknown", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"],
  ["id", "sk-abcdefghijklmnop"],
])("a secret pasted into %s is refused and not repeated (%s)", (key, secret) => {
  const parsed = parseConfig({ title: "t", gateways: [{ ...ACME, [key]: secret }] });
  expect(parsed.ok).toBe(false);
  if (parsed.ok) return;
  expect(parsed.faults.some((fault) => fault.path === `gateways[0].${key}`)).toBe(true);
  expect(JSON.stringify(parsed)).not.toContain(secret);
});

test("a secret where a secret's name belongs is one fault, the graver one", () => {
  const parsed = parseConfig({ title: "t", gateways: [{ ...ACME, apiKey: "sk-abcdefghijklmnop" }] });
  expect(parsed.ok ? [] : parsed.faults.map(({ path, problem }) => [path, problem])).toEqual([
    ["gateways[0].apiKey", "looks like a secret itself"],
  ]);
});

test.each(["ADMIN_TOKEN", "VIEW_TOKEN"])("%s is not sent to a gateway by mistake", (apiKey) => {
  const parsed = parseConfig({ title: "t", gateways: [{ ...ACME, apiKey }] });
  expect(parsed).toMatchObject({
    faults: [{ path: "gateways[0].apiKey", problem: "is a name that Gatepulse uses itself" }],
  });
});

test("a secret used as a key is not repeated in the path", () => {
  const parsed = parseConfig({ title: "t", gateways: [], "sk-abcdefghijklmnop": 1, "a b": 2 });
  expect(JSON.stringify(parsed)).not.toContain("sk-abc");
  expect(parsed.ok ? [] : parsed.faults.map((fault) => fault.path)).toEqual(["[…]"]);
});

test("names, model ids and account numbers in addresses are no secrets", () => {
  const input = {
    title: "Task-force risk-assessment gateways of 2026",
    gateways: [
      {
        ...ACME,
        id: "eu-west-1-risk-gateway",
        baseUrl: "https://gateway.example.com/0123456789abcdef0123456789abcdef/openai",
        vendorPrefix: true,
        monitors: [
          {
            kind: "models",
            expect: [
              "claude-3-5-sonnet-20241022",
              "meta-llama/Llama-3.3-70B-Instruct-Turbo",
              "Qwen/Qwen2.5-Coder-32B-Instruct-AWQ",
              "ft:gpt-4o-mini-2024-07-18:acme:suffix:9ABCDEF1",
              "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B",
            ],
          },
        ],
      },
    ],
  };
  expect(parseConfig(input)).toMatchObject({ ok: true });
});

test("no text of the configuration is ever in a fault", () => {
  const value = fc.stringMatching(/^[A-Za-z0-9_:/@.-]{16,40}$/);
  fc.assert(
    fc.property(value, value, (secret, other) => {
      const input = {
        title: { [secret]: 1 },
        url: secret,
        timeZone: secret,
        plan: secret,
        [`x ${secret}`]: secret,
        gateways: [
          { id: secret, baseUrl: other, apiKey: `${secret}!`, monitors: [{ kind: secret, every: other }] },
        ],
        maintenance: [{ gateways: [secret], from: secret, to: other }],
      };
      const parsed = parseConfig(input);
      expect(parsed.ok).toBe(false);
      expect(JSON.stringify(parsed)).not.toContain(secret);
      expect(JSON.stringify(parsed)).not.toContain(other);
    }),
  );
});
