/** The Worker as Cloudflare runs it, with the configuration at the top of the project. */
import config from "#config";
import { systemClock } from "./probe/clock.ts";
import { composeWorker } from "./worker.ts";

const worker = composeWorker({ configOf: () => config, clock: systemClock() });

export default worker.handler;
export const Ledger = worker.Ledger;
