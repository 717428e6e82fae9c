/** What the platform reads of this repository when someone presses the deploy button. */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const { scripts, cloudflare } = JSON.parse(read("package.json"));

test("the only secret it asks for is the administrator's token, empty, with a description", () => {
  expect(parseEnv(read(".dev.vars.example"))).toEqual({ ADMIN_TOKEN: "" });
  expect(cloudflare.bindings.ADMIN_TOKEN.description).toContain("openssl rand -hex 32");
});

test("it runs the deploy script, and finds no build script: wrangler builds", () => {
  expect(scripts).toMatchObject({ deploy: "node bin/gatepulse.js deploy" });
  expect(scripts).not.toHaveProperty("build");
});

test("wrangler.toml names every resource without an id, and each has a description", () => {
  const { kv_namespaces, durable_objects, queues } = unstable_readConfig({ config: "wrangler.toml" });
  expect(kv_namespaces).toEqual([{ binding: "KV" }]);
  const made = ["KV", ...durable_objects.bindings.map((binding: { name: string }) => binding.name)];
  expect(Object.keys(cloudflare.bindings)).toEqual(["ADMIN_TOKEN", ...made]);
  expect(queues).toEqual({ producers: [], consumers: [] });
});
