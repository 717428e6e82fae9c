/**
 * The Worker as `npm start` runs it. It publishes after each tick, because a disk takes more writes than KV, and prints events.
 * Ticks of earlier runs are over. The demo's Ledger gets a past before its first tick.
 */
import config from "#config";
import { type AlertEvent, identified } from "../../alert/alert-event.ts";
import { headline } from "../../alert/wording.ts";
import { ledgerSettings } from "../../compose/wiring.ts";
import { shardsInUse } from "../../config/placement.ts";
import { timeWords } from "../../domain/calendar.ts";
import { type LedgerSettings, shardOfName } from "../../ledger/rpc.ts";
import { LedgerService } from "../../ledger/service.ts";
import { systemClock } from "../../probe/clock.ts";
import { composeWorker, type Env } from "../../worker.ts";
import type { OpenIncidents, Past } from "../story/past.ts";
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
      console.log(lineOf(identified(event, 0)));
    },
  }),
});

function lineOf(event: AlertEvent, atMs = event.atMs): string {
  return `${timeWords(atMs)}  ${headline(event, config)}`;
}

interface LocalEnv extends Env {
  /** Set while only a backup or a restore is made: then nothing is checked and nothing is sent. */
  readonly ASLEEP?: string;
}

export class Ledger extends worker.Ledger {
  /** The runtime fires alarms that were due while nothing ran. The next tick sets it again. */
  override async alarm(): Promise<void> {
    if ((this.env as LocalEnv).ASLEEP === undefined) await super.alarm();
  }

  /**
   * Only for the runner. `POST` records a past if there is none; `DELETE` ends the instance, so the next one reads it. `GET` returns
   * the open incidents and the number of shards.
   */
  override async fetch(request: Request): Promise<Response> {
    if (request.method === "DELETE") this.ctx.abort("it starts anew");
    const settings = ledgerSettings(this.env, shardOfName(this.ctx.id.name), { config, clock });
    if (request.method === "GET") return this.#tellOpen(settings);
    await playPast(this.ctx.storage, settings, await request.json<Past>());
    return new Response(null);
  }

  async #tellOpen(settings: LedgerSettings): Promise<Response> {
    const standing = new LedgerService(this.ctx.storage, settings).standing();
    const open = standing.flatMap((event) =>
      event.type === "incident.updated" && event.incident !== null
        ? lineOf(event, Date.parse(event.incident.openedAt))
        : [],
    );
    const shards = settings.shard === 0 ? shardsInUse(config, await this.directory()) : 1;
    return Response.json({ open, shards } satisfies OpenIncidents);
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
