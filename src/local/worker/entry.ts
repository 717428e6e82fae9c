/**
 * The Worker as `npm start` runs it. Each tick is published, as a disk takes more writes than KV; events are printed. What a run
 * before this one began is over. The demonstration's Ledger gets a past before its first tick.
 */
import config from "#config";
import { headline } from "../../alert/wording.ts";
import { identified } from "../../alert/alert-event.ts";
import { ledgerSettings } from "../../compose/wiring.ts";
import { systemClock } from "../../probe/clock.ts";
import { composeWorker, type Env } from "../../worker.ts";
import type { Past } from "../story/past.ts";
import { playPast } from "./past-player.ts";

const clock = systemClock();

/** A runtime that crashed is started again, and what it was doing is over too. */
let run: string | null = null;

const worker = composeWorker({
  config,
  clock,
  ledger: () => ({
    run: (run ??= crypto.randomUUID()),
    pace: { usualMs: 0, urgentADay: 0 },
    onEvent: (event) => {
      // oxlint-disable-next-line no-console -- the runner prints what the Worker logs
      console.log(headline(identified(event, 0), config.title));
    },
  }),
});

export class Ledger extends worker.Ledger {
  /** For the runner alone: `POST` records a past where there is none; `DELETE` ends what remembers nothing of it. */
  override async fetch(request: Request): Promise<Response> {
    if (request.method === "DELETE") this.ctx.abort("it starts anew");
    const past = await request.json<Past>();
    await playPast(this.ctx.storage, ledgerSettings(this.env, 0, { config, clock }), past);
    return new Response(null);
  }
}

export class Vantage extends worker.Vantage {}

export default {
  ...worker.handler,
  fetch: async (request, env, context) => {
    const answer = await worker.handler.fetch(request, env, context);
    // The server in front takes an answer that comes before the end of the body for a failure.
    if (request.body !== null && !request.body.locked) await request.body.pipeTo(new WritableStream());
    return answer;
  },
} satisfies ExportedHandler<Env>;
