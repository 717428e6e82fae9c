// Prints a model_list for LiteLLM in the order of GET /api/v1/route.
// node route-litellm.js https://status.example.com gpt-4o > config.yaml
const GATEWAYS = {
  // By its id on the status page: where LiteLLM finds it, and the variable with its key.
  acme: { apiBase: "https://api.acme.example/v1", key: "ACME_API_KEY" },
  beta: { apiBase: "https://api.beta.example/v1", key: "BETA_API_KEY" },
};

const [page, ...models] = process.argv.slice(2);
const gateways = process.env.GATEWAYS ? JSON.parse(process.env.GATEWAYS) : GATEWAYS;
const headers = process.env.VIEW_TOKEN ? { authorization: `Bearer ${process.env.VIEW_TOKEN}` } : {};

process.stdout.write("model_list:\n");
for (const model of models) {
  const query = new URLSearchParams({ model, protocol: "chat" });
  const answer = await fetch(`${page}/api/v1/route?${query}`, { headers });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  const route = await answer.json();
  const ids = [...route.gateways, ...route.unavailable].map(({ gateway }) => gateway);
  for (const [index, id] of ids.filter((one) => Object.hasOwn(gateways, one)).entries()) {
    process.stdout.write(`  - model_name: ${JSON.stringify(model)}
    litellm_params:
      model: ${JSON.stringify(`openai/${model}`)}
      api_base: ${JSON.stringify(gateways[id].apiBase)}
      api_key: os.environ/${gateways[id].key}
      order: ${index + 1}
`);
  }
}
