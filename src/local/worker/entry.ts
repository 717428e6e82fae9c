/** The Worker as `npm start` runs it: a disk takes a publish after each tick, and ticks of earlier runs are over. */
import config from "#config";
import { identified } from "../../alert/alert-event.ts";
import { headline } from "../../alert/wording.ts";
import { ledgerSettings } from "../../compose/wiring.ts";
import { timeWords } from "../../domain/calendar.ts";
import { type LedgerSettings, shardOfName } from "../../ledger/rpc.ts";
import { systemClock } from "../../probe/clock.ts";
import { composeWorker, type Env } from "../../worker.ts";
import type { Past } from "../story/story.ts";
import { playPast } from "./past-player.ts";

const clock = systemClock();

/** After a crash the runtime is started again, and its ticks in flight are over too. */
let run: string | null = null;

const worker = composeWorker({
  config,
  clock,
  ledger: () => ({
    run: (run ??= crypto.randomUUID()),
    pace: { usualMs: 0, urgentADay: 0 },
    onEvent: (event) => {
      // oxlint-disable-next-line no-console -- the runner prints what the Worker logs
      console.log(`${timeWords(event.atMs)}  ${headline(identified(event, 0), config)}`);
    },
  }),
});

interface LocalEnv extends Env {
  /** Set while only a backup or a restore is made: then nothing is checked and nothing is sent. */
  readonly ASLEEP?: string;
}

export class Ledger extends worker.Ledger {
  /** The runtime fires alarms that were due while nothing ran. The next tick sets it again. */
  override async alarm(): Promise<void> {
    if ((this.env as LocalEnv).ASLEEP === undefined) await super.alarm();
  }

  /** Only for the runner. `POST` records a past; `DELETE` ends the instance, so the next one reads it. */
  override async fetch(request: Request): Promise<Response> {
    if (request.method === "DELETE") this.ctx.abort("it starts anew");
    await playPast(this.ctx.storage, this.#settings(), await request.json<Past>());
    return new Response(null);
  }

  #settings(): LedgerSettings {
    return ledgerSettings(this.env, shardOfName(this.ctx.id.name), { config, clock });
  }
}

export class Vantage extends worker.Vantage {}

export default {
  ...worker.handler,
  fetch: async (request, env, context) => {
    const answer = await worker.handler.fetch(request, env, context);
    // The front server treats an answer before the end of the body as a failure.
    if (request.body !== null && !request.body.locked) await request.body.pipeTo(new WritableStream());
    return answer;
  },
} satisfies ExportedHandler<Env>;
