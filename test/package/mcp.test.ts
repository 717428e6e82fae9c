/** The official inspector's command line, at `gatepulse mcp` as a newcomer starts it and at `/mcp` of a running Worker. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorld, type World } from "../local/support/world.ts";
import { type Machine, newMachine, packed } from "./machine.ts";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";

let machine: Machine;
let world: World;
beforeAll(async () => {
  world = await startWorld({ gateways: [], config: { title: "Acme gateways", parts: { mcp: true } } });
  await world.tick(world.startMs);
  await world.publish();
  await world.stand();
  machine = await newMachine({ node: 24, manager: "npm" }, {});
  await machine.run("npm", ["install", await packed(), INSPECTOR]);
});
afterAll(() => world.stop());

const programOf = (name: string) => join(machine.directory, "node_modules/.bin", name);
const inspect = async (...args: readonly string[]) =>
  JSON.parse(await machine.run(programOf("mcp-inspector"), ["--cli", ...args]));

describe.each([
  ["gatepulse mcp", () => [programOf("gatepulse"), "mcp", world.url.href]],
  ["/mcp", () => [new URL("/mcp", world.url).href, "--transport", "http"]],
])("%s", (_, server) => {
  test("lists its tools, each with what it takes", async () => {
    const { tools } = await inspect(...server(), "--method", "tools/list");
    expect(tools.length).toBeGreaterThan(5);
    for (const tool of tools)
      expect(tool).toMatchObject({ description: expect.any(String), inputSchema: { type: "object" } });
  });

  test("calls a tool", async () => {
    const { content } = await inspect(...server(), "--method", "tools/call", "--tool-name", "status");
    expect(JSON.parse(content[0].text)).toMatchObject({ title: "Acme gateways" });
  });
});
