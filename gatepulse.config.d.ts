/**
 * What Gatepulse watches. While `gateways` is empty, `npm start` watches a simulated gateway instead.
 * Keys are named here and set with `wrangler secret put NAME`, or on your own machine in `.dev.vars`.
 */
declare const _default: import("./src/config/define-config.ts").ConfigInput;
export default _default;
