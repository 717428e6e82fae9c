/** The reading side of the product alone, over as many shards as it is told. */
import { handleRequest } from "../../../src/http/app.ts";
import { SnapshotMemory } from "../../../src/http/deps.ts";

interface ReadEnv {
  readonly KV: KVNamespace;
  readonly ASSETS: Fetcher;
  readonly SHARDS: string;
}

const memory = new SnapshotMemory();

export default {
  fetch: async (request, env) =>
    handleRequest(request, {
      kv: env.KV,
      memory,
      now: () => Date.now(),
      adminToken: null,
      viewToken: null,
      asset: (name) => env.ASSETS.fetch(`https://assets/${name}`),
      administer: () => Promise.reject(new Error("nobody asks the Ledger here")),
      shards: Number(env.SHARDS),
      gatewayNames: new Map(),
      version: "bench",
    }),
} satisfies ExportedHandler<ReadEnv>;
