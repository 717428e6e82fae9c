/** `npm start` as a user runs it, in real time: a gateway breaks, and a signed message comes within seconds. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import { addressOf, type Program, start } from "./program.ts";
import { ADMIN_TOKEN, freshReceiver, linesAt, SIGNING_SECRET, toldAt } from "./support/alerting.ts";
import { freshSimulator } from "./support/playing.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";
import { fetchDescribed } from "./support/described-fetch.ts";

const simulator = await freshSimulator();
const receiver = await freshReceiver();

/** It ends, and well, when the test is over. */
async function started(config: object, env: Readonly<Record<string, string>> = {}): Promise<Program> {
  const directory = await temporaryDirectory();
  const file = join(directory, "watch.json");
  const gateways = [{ id: "acme", baseUrl: simulator.named("acme"), apiKey: "ACME_KEY" }];
  await writeFile(file, JSON.stringify({ title: "Watch", gateways, ...config }));
  const args = ["--config", file, "--port", "0", "--tick", "1", "--persist", join(directory, "kept")];
  const secrets = { ACME_KEY: SIMULATOR_KEYS.good, ADMIN_TOKEN, ...env };
  const program = start("node", ["src/local/start.ts", ...args], { env: secrets });
  onTestFinished(async () => expect(await program.stop()).toBe(0));
  return program;
}

/** A probe in the next tick, not in a minute. */
async function probeNow(address: string): Promise<void> {
  const answer = await fetchDescribed(`${address}/api/v1/admin/gateways/acme/monitors/models/probe`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  expect(answer.status).toBe(200);
}

test("a mail channel says that only a deployed Worker sends mail", async () => {
  const mail = { kind: "email", from: "a@acme.example", to: ["b@acme.example"] };
  const page = await addressOf(await started({ alerts: [mail] }));
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const answer = await fetchDescribed(`${page}/api/v1/admin/alerts/test`, { method: "POST", headers });
  const problem =
    "there is no send_email binding EMAIL: mail can be sent by a deployed Worker alone, with this binding in wrangler.toml";
  expect(await answer.json()).toMatchObject({ channels: [{ answer: { type: "failed", problem } }] });
});

test("a gateway that breaks is told of within seconds, and so is its recovery", async () => {
  const only = { event: ["incident.opened", "incident.resolved"] };
  const alerts = [{ kind: "webhook", url: "ALERT_URL", secret: "ALERT_SECRET", only }];
  const env = { ALERT_URL: receiver.url("ops", "a-word-that-nobody-guesses"), ALERT_SECRET: SIGNING_SECRET };
  const program = await started({ open: 1, close: 1, alerts }, env);
  const page = await addressOf(program);
  const isUp = async (): Promise<boolean> => {
    const answer = await fetchDescribed(`${page}/api/v1/status`);
    return answer.ok && ((await answer.json()) as { status: string }).status === "up";
  };
  await expect.poll(isUp).toBe(true);
  simulator.play("acme", "balance_402");
  await probeNow(page);
  await expect.poll(() => receiver.at("ops").length).toBe(1);
  simulator.play("acme", "healthy");
  await probeNow(page);
  await expect.poll(() => receiver.at("ops").length).toBe(2);
  expect(linesAt(receiver, "ops")).toEqual(["incident.opened acme", "incident.resolved acme"]);
  const told = { cause: "insufficient_balance", owner: "caller" };
  expect(toldAt(receiver, "ops")[0]?.data.incident).toMatchObject(told);
  for (const { body, headers } of receiver.at("ops")) {
    expect(() => new Webhook(SIGNING_SECRET).verify(body, headers as Record<string, string>)).not.toThrow();
  }
  expect(program.output()).not.toMatch(/nobody-guesses|whsec_|not set/u);
});
