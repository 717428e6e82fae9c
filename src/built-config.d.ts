/** The configuration of the deployment, as `gatepulse build` writes it. */
import type { Config } from "./config/config.ts";

declare const config: Config;
export default config;
