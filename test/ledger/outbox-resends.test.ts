import { describe, expect, test } from "vitest";
import { channel, draft, drafts, MINUTE, NOON, postsJson } from "../fixtures/outbox.ts";
import { playOutbox } from "./outbox-sqlite.ts";

const ONE = { ...draft(1), id: "one", atMs: NOON };
const OTHER = { gateway: { id: "other", name: "Other", monitors: 1 } };
const AM = channel("am", { gateways: ["acme"] });

describe("what is told again while it lasts", () => {
  function playResending() {
    const standing = [ONE, { ...draft(2, OTHER), id: "two", atMs: NOON + MINUTE }];
    const played = playOutbox([AM, "ops"], {
      kindOf: ({ id }) => (id === "am" ? { ...postsJson, resendEveryMs: 4 * MINUTE } : postsJson),
      world: { standing: () => standing },
    });
    return { ...played, standing };
  }

  test("every four minutes, in one message, by its filter, and to no other channel", async () => {
    const { of, receiver, standing } = playResending();
    standing.push({ ...draft(3), id: "three", atMs: NOON + 2 * MINUTE });
    await of.alarm();
    expect([receiver.requests, of.courier.nextWakeMs()]).toEqual([0, NOON + 4 * MINUTE]);
    await of.runUntil(NOON + 13 * MINUTE);
    expect(receiver.sizes.get("am.example")).toEqual([2, 2, 2]);
    expect(receiver.firstArrivals("am.example")).toEqual(["one", "three"]);
    expect(receiver.arrived.has("ops.example")).toBe(false);
  });

  test("a failure is neither repeated nor listed, and nothing is told again where nothing lasts", async () => {
    const { of, receiver, standing } = playResending();
    receiver.answer = () => 500;
    await of.runUntil(NOON + 5 * MINUTE);
    expect(receiver.requests).toBe(1);
    expect(of.outbox.statuses(of.nowMs)[0]).toMatchObject({ problem: null, waiting: null, undelivered: 0 });
    standing.length = 0;
    expect(of.courier.nextWakeMs()).toBeNull();
  });

  test("nothing of it is for the channel: no row is written, and no alarm comes oftener", async () => {
    const { of, storage, standing } = playResending();
    standing.splice(0, 1);
    await of.alarm();
    const before = storage.rowsWritten;
    expect(await of.runUntil(NOON + 20 * MINUTE)).toBe(5);
    expect(storage.rowsWritten).toBe(before);
  });

  test("Retry-After holds the channel, events as well as what stands", async () => {
    const { of, receiver } = playResending();
    receiver.answer = () => new Response(null, { status: 429, headers: { "retry-after": "1800" } });
    await of.runUntil(NOON + 4 * MINUTE);
    expect([receiver.requests, of.courier.nextWakeMs()]).toEqual([1, NOON + 34 * MINUTE]);
    of.append(draft(4));
    receiver.answer = () => 200;
    await of.runUntil(NOON + 34 * MINUTE - 1);
    expect(receiver.sizes.get("am.example")).toEqual([1]);
    await of.runUntil(NOON + 34 * MINUTE);
    expect(receiver.sizes.get("am.example")).toEqual([1, 1, 1]);
    expect(of.outbox.statuses(of.nowMs)[0]).toMatchObject({ problem: null, waiting: null, undelivered: 0 });
  });
});

describe("what is told again beside an event that waits", () => {
  const playStanding = () =>
    playOutbox(["am"], {
      kindOf: () => ({ ...postsJson, resendEveryMs: 2 * MINUTE }),
      world: { standing: () => [ONE] },
    });

  test("a message that is never taken holds back nothing of what stands, and is tried as often itself", async () => {
    const { of, receiver } = playStanding();
    receiver.answer = (_, { events }) => (events[0]?.id === "one" ? 200 : 500);
    const [poison] = of.append(draft(2));
    await of.runUntil(NOON + 10 * MINUTE);
    const came = receiver.arrived.get("am.example") ?? [];
    expect(came.filter((id) => id === "one")).toHaveLength(5);
    expect(came.filter((id) => id === poison?.id)).toHaveLength(6);
  });

  test("while much is owed, what stands is told in between", async () => {
    const { of, receiver } = playStanding();
    receiver.answer = () => {
      of.nowMs += MINUTE;
      return 200;
    };
    of.append(...drafts(6));
    await of.alarm();
    const came = receiver.arrived.get("am.example")?.map((id) => id === "one");
    expect(came).toEqual([false, false, true, false, true, false, true, false, true, false, true]);
  });
});
