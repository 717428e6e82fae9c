/** The Worker as Cloudflare runs it, with the configuration at the top of the project. */
import config from "#config";
import { systemClock } from "./probe/clock.ts";
import { composeWorker, type Env } from "./worker.ts";

const worker = composeWorker({ config, clock: systemClock() });

export class Ledger extends worker.Ledger {}

export class Vantage extends worker.Vantage {}

export default worker.handler satisfies ExportedHandler<Env & Cloudflare.Env>;
