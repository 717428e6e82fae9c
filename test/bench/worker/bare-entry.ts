/** The least that can serve a status: streams one value of KV, named by the path. */
import { DurableObject } from "cloudflare:workers";

interface BareEnv {
  readonly KV: KVNamespace;
}

/** The runner's configuration names them. */
export class Ledger extends DurableObject {}
export class Vantage extends DurableObject {}

export default {
  fetch: async (request, env) => {
    const value = await env.KV.get(new URL(request.url).pathname, "stream");
    return new Response(value, { headers: { "content-type": "application/json; charset=utf-8" } });
  },
} satisfies ExportedHandler<BareEnv>;
