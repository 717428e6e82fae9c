/**
 * The real Worker, to be fired by a ticker at once, minute after minute: at the start of each tick its clock is moved to the
 * tick's own time, and goes on from there as it does.
 */
import config from "#config";
import { systemClock } from "../../../src/probe/clock.ts";
import { composeWorker, type Env } from "../../../src/worker.ts";

let aheadMs = 0;
const clock = { ...systemClock(), now: () => Date.now() + aheadMs };
const worker = composeWorker({ config, clock });

export class Ledger extends worker.Ledger {}

export class Vantage extends worker.Vantage {}

export default {
  ...worker.handler,
  scheduled: (controller, env, ctx) => {
    aheadMs = controller.scheduledTime - Date.now();
    return worker.handler.scheduled(controller, env, ctx);
  },
} satisfies ExportedHandler<Env>;
