/** The least that can serve a status: streams one value of KV. */
interface BareEnv {
  readonly KV: KVNamespace;
}

export default {
  fetch: async (_request, env) => {
    const value = await env.KV.get("value", "stream");
    return new Response(value, { headers: { "content-type": "application/json; charset=utf-8" } });
  },
} satisfies ExportedHandler<BareEnv>;
