/** The configuration of the deployment, as `npm run build:config` writes it. */
import type { Config } from "./config.ts";

declare const config: Config;
export default config;
