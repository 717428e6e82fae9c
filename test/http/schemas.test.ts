/** The addresses that the JSON Schemas bear. */
import { expect, test } from "vitest";
import { handleRequest } from "../../src/http/app.ts";
import { depsOf, statusDocument, useWorld } from "./published-status.ts";

const world = useWorld();

const NAMES = ["status.v1", "alert.v1"] as const;

async function ask(name: string): Promise<{ id: string; headers: Headers }> {
  const request = new Request(`https://gatepulse.someone.workers.example/schemas/${name}.json?a=b`);
  const response = await handleRequest(request, depsOf(world.kv));
  expect(response.status).toBe(200);
  const { $id } = (await response.json()) as { $id: string };
  return { id: $id, headers: response.headers };
}

test.each(NAMES)("%s bears the configured address, whatever host was asked", async (name) => {
  await world.publish(statusDocument(), { url: "https://status.acme.example" });
  const { id, headers } = await ask(name);
  expect(id).toBe(`https://status.acme.example/schemas/${name}.json`);
  expect(headers.get("cloudflare-cdn-cache-control")).toMatch(/^max-age=15,/u);
});

test.each(NAMES)(
  "without one %s bears that at which it was asked for, and no edge keeps it",
  async (name) => {
    const own = `https://gatepulse.someone.workers.example/schemas/${name}.json`;
    const unpublished = await ask(name);
    await world.publish(statusDocument(), { url: null });
    for (const { id, headers } of [unpublished, await ask(name)]) {
      expect(id).toBe(own);
      expect(headers.get("cache-control")).toBe("public, max-age=15");
      expect(headers.get("cloudflare-cdn-cache-control")).toBe("no-store");
    }
  },
);
