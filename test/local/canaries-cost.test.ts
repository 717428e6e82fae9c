/** What canaries cost, from the configured prices and caps to the API, the page and the metrics. Real Worker and sockets. */
import { expect, test } from "vitest";
import { canaryHouse, EVERY_KIND, minutes, publishedOf } from "./support/canaries.ts";

const CHAT = "POST /v1/chat/completions";
const chat = { ...EVERY_KIND.chat, every: "1m" } as const;

const { asked, watching } = await canaryHouse();

test("tokens and money of a day are told by the API, the page and the metrics", async () => {
  const prices = { currency: "USD", input: 1000, output: 2000, request: 0.01 };
  const monitors = [{ ...chat, stream: true, prices, perDay: 5 }];
  const of = await watching({ g: { plays: ["any_key"], monitors } });
  await asked.pass(of, [0, 1]);
  const { today } = (await publishedOf(of, "g/chat")).canary;
  // A request: 0.01, and of a million tokens: 4 at 1000, 2 at 2000.
  const spent = { inputTokens: 8, outputTokens: 4, cost: 0.036, currency: "USD" };
  expect(today).toEqual({ day: "2026-11-20", requests: 2, perDay: 5, ...spent });
  const metrics = (await of.get("/metrics")).text;
  const told = metrics.matchAll(/^gatepulse_canary_(\w+(?:_today|_limit))\{[^}]*\} (\S+)$/gmu);
  expect(Object.fromEntries([...told].map(([, name, value]) => [name, value]))).toMatchObject({
    requests_today: "2",
    requests_per_day_limit: "5",
    input_tokens_today: "8",
    output_tokens_today: "4",
    cost_today: "0.036",
  });
  expect(metrics).toMatch(/^gatepulse_canary_cost_today\{[^}]*currency="USD"[^}]*\}/mu);
  const page = (await of.get("/gateways/g", { accept: "text/html" })).text;
  for (const shown of ["0.036", "USD"]) expect(page).toContain(shown);
});

test("a request that failed has its price, and no tokens that nobody told", async () => {
  const prices = { currency: "USD", request: 0.5 };
  const of = await watching({ g: { plays: ["chat_no_channel"], monitors: [{ ...chat, prices }] } });
  await asked.pass(of, [0]);
  const spent = { requests: 1, inputTokens: 0, outputTokens: 0, cost: 0.5, currency: "USD" };
  expect((await publishedOf(of, "g/chat")).canary.today).toMatchObject(spent);
});

test("repetitions count against the cap of the day, and what is left of it is all that they may be", async () => {
  const monitors = [{ ...chat, retry: true, perDay: 6 }];
  const of = await watching({ g: { plays: ["chat_no_channel"], monitors } });
  await asked.pass(of, minutes(0, 30));
  expect(asked.of("g", CHAT)).toEqual([0, 0, 0, 0, 2, 2]);
  const capped = { today: { requests: 6, perDay: 6 }, skipped: { reason: "cap" } };
  expect((await publishedOf(of, "g/chat")).canary).toMatchObject(capped);
});
