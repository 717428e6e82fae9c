import { expect, test } from "vitest";
import { channel, draft, MINUTE, OutboxPlay, postedIn } from "../fixtures/outbox.ts";
import { PATIENTLY } from "./outbox-receiver.ts";
import { sqliteStorage } from "./outbox-sqlite.ts";

test("storage that fails while an end is under way: what was told before it is not the last word", async () => {
  const storage = sqliteStorage();
  const told: string[] = [];
  let answer = (): void => undefined;
  const of = new OutboxPlay({
    storage,
    channels: [channel("pager")],
    fetch: async (_, { body }) => {
      const url = postedIn(body).events[0]?.url ?? "";
      told.push(url);
      if (url === "/ended" && told.length === 2) await new Promise<void>((resolve) => (answer = resolve));
      return new Response();
    },
  });
  // An object that has just begun notes each message.
  await of.alarm();
  of.nowMs += MINUTE;
  of.append(draft(0, { url: "/opened" }), draft(1, { url: "/ended" }));
  await of.deliver();
  await expect.poll(() => told, PATIENTLY).toEqual(["/opened", "/ended"]);
  storage.fails = true;
  expect(() => of.append(draft(2))).toThrow();
  storage.fails = false;
  answer();
  await of.idle();
  await of.runUntil(of.nowMs + 5 * MINUTE);
  expect(told.at(-1)).toBe("/ended");
  expect(of.outbox.statuses(of.nowMs)).toMatchObject([{ waiting: null, problem: null }]);
});
