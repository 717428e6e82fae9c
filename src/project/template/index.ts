// The Worker. wrangler.toml names these classes, and gatepulse.config.ts says what it watches.
export { default, Ledger, Vantage } from "gatepulse/worker";
