/** `npm start` as a user runs it, in real time: a gateway breaks, and a signed message comes within seconds. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import { type Simulator, startSimulator } from "../../src/local/simulator/simulator.ts";
import { eventually, start } from "./program.ts";
import { ADMIN_TOKEN, linesAt, SIGNING_SECRET, toldAt } from "./support/alerting.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { fetchDescribed } from "./support/described-fetch.ts";

let directory: string;
let simulator: Simulator;
let receiver: Receiver;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatepulse-alerts-"));
  [simulator, receiver] = await Promise.all([startSimulator(), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([simulator.close(), receiver.stop()]);
  await rm(directory, { recursive: true });
});

/** A probe in the next tick, not in a minute. */
async function probeNow(address: string): Promise<void> {
  const answer = await fetchDescribed(`${address}/api/v1/admin/gateways/acme/monitors/models/probe`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  expect(answer.status).toBe(200);
}

test("a mail channel says that only a deployed Worker sends mail", async () => {
  const file = join(directory, "mail.json");
  const config = {
    title: "Mail",
    gateways: [{ id: "acme", baseUrl: simulator.named("acme"), apiKey: "ACME_KEY" }],
    alerts: [{ kind: "email", from: "a@acme.example", to: ["b@acme.example"] }],
  };
  await writeFile(file, JSON.stringify(config));
  const args = ["--config", file, "--port", "0", "--persist", join(directory, "mail")];
  const env = { ACME_KEY: SIMULATOR_KEYS.good, ADMIN_TOKEN };
  const program = start("node", ["src/local/start.ts", ...args], { env });
  try {
    const [, page = ""] = await program.printed(/(http:\/\/127\.0\.0\.1:\d+)\//);
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const answer = await fetchDescribed(`${page}/api/v1/admin/alerts/test`, { method: "POST", headers });
    const problem =
      "there is no send_email binding EMAIL: mail can be sent by a deployed Worker alone, with this binding in wrangler.toml";
    expect(await answer.json()).toMatchObject({ channels: [{ answer: { type: "failed", problem } }] });
  } finally {
    expect(await program.stop()).toBe(0);
  }
});

const arrived = (count: number) =>
  eventually(
    async () => receiver.at("ops").length,
    (length) => length >= count,
  );

test("a gateway that breaks is told of within seconds, and so is its recovery", async () => {
  const file = join(directory, "watch.json");
  const config = {
    title: "Watch",
    open: 1,
    close: 1,
    gateways: [{ id: "acme", baseUrl: simulator.named("acme"), apiKey: "ACME_KEY" }],
    alerts: [
      {
        kind: "webhook",
        url: "ALERT_URL",
        secret: "ALERT_SECRET",
        only: { event: ["incident.opened", "incident.resolved"] },
      },
    ],
  };
  await writeFile(file, JSON.stringify(config));
  const args = ["--config", file, "--port", "0", "--tick", "1", "--persist", join(directory, "kept")];
  const address = receiver.url("ops", "a-word-that-nobody-guesses");
  const env = {
    ACME_KEY: SIMULATOR_KEYS.good,
    ALERT_URL: address,
    ALERT_SECRET: SIGNING_SECRET,
    ADMIN_TOKEN,
  };
  const program = start("node", ["src/local/start.ts", ...args], { env });
  try {
    const [, page = ""] = await program.printed(/(http:\/\/127\.0\.0\.1:\d+)\//);
    const isUp = async (): Promise<boolean> => {
      const answer = await fetchDescribed(`${page}/api/v1/status`);
      return answer.ok && ((await answer.json()) as { status: string }).status === "up";
    };
    await eventually(isUp, Boolean);
    simulator.play("acme", "balance_402");
    await probeNow(page);
    await arrived(1);
    simulator.play("acme", "healthy");
    await probeNow(page);
    await arrived(2);
    expect(linesAt(receiver, "ops")).toEqual(["incident.opened acme", "incident.resolved acme"]);
    expect(toldAt(receiver, "ops")[0]?.data.incident).toMatchObject({
      cause: "insufficient_balance",
      owner: "caller",
    });
    for (const { body, headers } of receiver.at("ops")) {
      expect(() => new Webhook(SIGNING_SECRET).verify(body, headers as Record<string, string>)).not.toThrow();
    }
    expect(program.output()).not.toMatch(/nobody-guesses|whsec_|not set/u);
  } finally {
    expect(await program.stop()).toBe(0);
  }
});
