/** An outbox on a real SQLite, with a receiver within the process. */
import type { ChannelConfig } from "../../src/config/config.ts";
import { NodeStorage } from "./node-storage.ts";
import { channel, draft, OutboxPlay, type PlayOptions, Receiver } from "../fixtures/outbox.ts";

/** Channels by their ids; a receiver within the process, unless `fetch` is another. */
export function playOutbox(
  channels: readonly (string | ChannelConfig)[],
  options: Partial<Omit<PlayOptions, "channels">> = {},
) {
  const storage = new NodeStorage();
  const receiver = new Receiver();
  const all = channels.map((of) => (typeof of === "string" ? channel(of) : of));
  const of = new OutboxPlay({ storage, fetch: receiver.fetch, ...options, channels: all });
  return { of, storage, receiver };
}

export const TEST_EVENT = { ...draft(1, { type: "test" }), id: "2026-11-20-test-1" };

/** All that can begin without an answer has begun. */
export async function begun(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
