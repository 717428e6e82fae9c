import { defineConfig } from "./src/config/define-config.ts";

/**
 * What Gatepulse watches. While `gateways` is empty, `npm start` watches simulated gateways instead.
 * Keys are named here and set with `wrangler secret put NAME`, or on your own machine in `.dev.vars`.
 */
export default defineConfig({
  title: "Model gateways",
  gateways: [
    // {
    //   id: "acme",
    //   name: "Acme",
    //   baseUrl: "https://api.acme.example",
    //   apiKey: "ACME_API_KEY",
    //   monitors: [{ kind: "models", every: "1m", expect: ["gpt-4o"], slowerThan: "5s" }],
    // },
  ],
});
