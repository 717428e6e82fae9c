/**
 * The queues of a runner on one machine. Each delivers one message at a time: so a shard has several, or a tick that takes
 * long would hold up the next. They deliver to this very isolate: so whoever sends can wait for the end, and the runner ends
 * in good order.
 */
import { LEASE_MS } from "../domain/assignment.ts";
import type { ShardTick } from "../domain/tick.ts";
import { type Env, tickIntervalOf } from "./env.ts";

export class LocalQueues {
  readonly #underWay = new Set<string>();

  /** Sends each message, and waits until each was delivered once, whatever came of it. */
  async run(env: Env, ticks: readonly ShardTick[]): Promise<void> {
    for (const tick of ticks) this.#underWay.add(nameOf(tick));
    await Promise.all(ticks.map((tick) => queueFor(env, tick).send(tick)));
    for (
      let looks = 0;
      looks * LOOK_MS < LEASE_MS && ticks.some((tick) => this.#isUnderWay(tick));
      looks += 1
    ) {
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_MS);
      });
    }
  }

  over(tick: ShardTick): void {
    this.#underWay.delete(nameOf(tick));
  }

  #isUnderWay(tick: ShardTick): boolean {
    return this.#underWay.has(nameOf(tick));
  }
}

const LOOK_MS = 20;

function nameOf({ shard, tickMs }: ShardTick): string {
  return `${shard}@${tickMs}`;
}

/** Bound as `TICKS_0`, `TICKS_1` and so on: `TICK_LANES` of each shard, which take turns. */
function queueFor(env: Env, { shard, tickMs }: ShardTick): Queue<ShardTick> {
  const lanes = Number(env.TICK_LANES);
  const lane = shard * lanes + ((tickMs / tickIntervalOf(env)) % lanes);
  const queue: Queue<ShardTick> | undefined = Reflect.get(env, `TICKS_${lane}`);
  if (queue === undefined) throw new Error(`there is no queue TICKS_${lane}`);
  return queue;
}
