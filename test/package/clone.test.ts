/** A clone of 0.2.0 with what it recorded, and the project that the packed package makes of it. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { addressOf } from "../local/program.ts";
import { leftBy, writeCloneWithData } from "../stored/left.ts";
import { newMachine, packed } from "./machine.ts";

test("history and incidents of a clone of 0.2.0 are on the page of its project", async () => {
  const machine = await newMachine({ node: 24, manager: "npm" }, {});
  const clone = join(machine.directory, "clone");
  await writeCloneWithData(clone);

  const tarball = await packed();
  const init = ["gatepulse", "init", "--from", clone, "--package", tarball];
  await machine.run("npx", ["--yes", "--package", tarball, "--", ...init]);
  await machine.run("npm", ["install"], clone);
  const program = machine.start("npx", ["gatepulse", "start", "--port", "0"], clone);
  const address = await addressOf(program);
  const after = await (await fetch(`${address}${INCIDENTS}`)).text();
  await program.stop();
  const before = idsOf(leftBy("0.2.0").answers[INCIDENTS]?.text ?? "");
  expect(before.length).toBeGreaterThan(0);
  expect(idsOf(after)).toEqual(expect.arrayContaining(before));
});

const INCIDENTS = "/api/v1/incidents";

function idsOf(answer: string): string[] {
  return (JSON.parse(answer) as { incidents: readonly { id: string }[] }).incidents.map(({ id }) => id);
}
