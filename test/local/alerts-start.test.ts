/** `npm start` as a user runs it, in real time: a gateway breaks, and a signed message comes within seconds. */
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "./program.ts";
import { freshReceiver, linesAt, SIGNING_SECRET, toldAt } from "./support/alerting.ts";
import { showing, watchedScene } from "./support/watched-directory.ts";

const receiver = await freshReceiver();

test("a gateway that breaks is told of within seconds, and so is its recovery", async () => {
  const { simulator, watch } = await watchedScene(onTestFinished);
  const alerts = receiver.url("ops", "a-word-that-nobody-guesses");
  const watching = await watch({ gateways: ["acme"], alerts });
  await showing(watching, { acme: "up" });
  const probedUntilTold = (messages: number) =>
    eventually(async () => (await watching.probeSoon()) && receiver.at("ops").length === messages);
  simulator.play("acme", "balance_402");
  await probedUntilTold(1);
  simulator.play("acme", "healthy");
  await probedUntilTold(2);
  expect(linesAt(receiver, "ops")).toEqual(["incident.opened acme", "incident.resolved acme"]);
  const told = { cause: "insufficient_balance", owner: "caller" };
  expect(toldAt(receiver, "ops")[0]?.data.incident).toMatchObject(told);
  for (const { body, headers } of receiver.at("ops")) {
    expect(() => new Webhook(SIGNING_SECRET).verify(body, headers as Record<string, string>)).not.toThrow();
  }
  expect(await watching.program.stop()).toBe(0);
  expect(watching.program.output()).not.toMatch(/nobody-guesses|whsec_|not set/u);
});
