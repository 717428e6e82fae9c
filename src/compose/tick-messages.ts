/** A message of the queue is a tick of one shard, or a further lane of it. Shard 0's Ledger notes those that keep failing. */
import { LEASE_MS, type ShardTick } from "../domain/tick.ts";
import { persevere, type Clock } from "../probe/clock.ts";
import type { TickSummary } from "../probe/tick.ts";
import { warnOfTick } from "./wiring.ts";

/** The queue of dead letters has the name of the other, and this behind it. */
const DEAD_LETTERS = "-dead";

/** @throws (rejects) when it takes no messages. */
export async function sendTicks(queue: Queue<ShardTick>, ticks: readonly ShardTick[], clock: Clock) {
  const messages = ticks.map((body) => ({ body }));
  // If the first try did arrive, the second invocation of that tick has nothing to do.
  await persevere(clock, () => queue.sendBatch(messages));
}

export interface ConsumerPorts {
  readonly tickIntervalMs: number;
  now(): number;
  /** Rejects where the tick could not begin, or its results were not taken. */
  runTick(message: ShardTick): Promise<Pick<TickSummary, "unfinished">>;
  noteLost(message: ShardTick): Promise<void>;
}

/** Never rejects: what becomes of each message is its own. */
export async function consume(batch: MessageBatch<ShardTick>, ports: ConsumerPorts): Promise<void> {
  const isDead = batch.queue.endsWith(DEAD_LETTERS);
  const take = isDead ? noteLost : takeTick;
  await Promise.all(batch.messages.map((message) => take(message.body, message, ports)));
}

async function takeTick(tick: ShardTick, message: Message, ports: ConsumerPorts): Promise<void> {
  const { tickMs } = tick;
  // One that already failed goes its way to the dead letters.
  const ageMs = ports.now() - tickMs;
  // Where ticks are rarer than that, no newer one is there.
  const isOver = message.attempts === 1 && ageMs > Math.max(LEASE_MS, ports.tickIntervalMs);
  if (isOver) return noteLost(tick, message, ports);
  const again = FIRST_RETRY_S * RETRY_GROWTH ** Math.min(message.attempts - 1, 3);
  await settled(message, again, `${nameOf(tick)} failed`, async () => {
    const { unfinished } = await ports.runTick(tick);
    // An attempt before began it, and failed: nobody may ask the gateways once more, and nobody has what they said.
    if (message.attempts > 1 && unfinished) await ports.noteLost(tick);
  });
}

async function noteLost(tick: ShardTick, message: Message, ports: ConsumerPorts): Promise<void> {
  warnOfTick(`${nameOf(tick)} was lost`);
  await settled(message, NOTE_AGAIN_S, "that a tick was lost was not noted", () => ports.noteLost(tick));
}

function nameOf({ shard, lane = 0 }: ShardTick): string {
  return lane === 0 ? `a tick of shard ${shard}` : `lane ${lane} of a tick of shard ${shard}`;
}

/** Settled at once: others of the batch may take long, and the invocation may end before them. */
async function settled(message: Message, delaySeconds: number, failure: string, act: () => Promise<void>) {
  try {
    await act();
    message.ack();
  } catch (error) {
    warnOfTick(failure, error);
    message.retry({ delaySeconds });
  }
}

/** After 5, 15 and 45 seconds: the next tick is never far. */
const FIRST_RETRY_S = 5;
const RETRY_GROWTH = 3;

/** There is no hurry, and the Ledger may be away for long. */
const NOTE_AGAIN_S = 300;
