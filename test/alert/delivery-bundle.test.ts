import { expect, test } from "vitest";
import { identified, type AlertEvent } from "../../src/alert/alert-event.ts";
import { belongTogether, bundleWaitsMs } from "../../src/alert/delivery.ts";
import { draft, MINUTE, NOON } from "../fixtures/outbox.ts";

function of(gateway: string | null, tickMs: number | null): AlertEvent {
  const its = gateway === null ? null : { id: gateway, name: gateway, monitors: 1 };
  return identified(draft(1, { gateway: its, tickMs }), 1);
}

test.each([
  ["one gateway, one tick", of("a", NOON), of("a", NOON), true],
  ["the monitoring's own, one tick", of(null, NOON), of(null, NOON), true],
  ["two gateways", of("a", NOON), of("b", NOON), false],
  ["a gateway and the monitoring itself", of("a", NOON), of(null, NOON), false],
  ["two ticks", of("a", NOON), of("a", NOON + MINUTE), false],
  ["no tick brought them", of("a", null), of("a", null), false],
])("what belongs together: %s", (_, a, b, expected) => {
  expect(belongTogether(a, b)).toBe(expected);
});

const isOpen = (): boolean => true;
const isOver = (): boolean => false;

test.each([
  ["while its tick is open, for a minute at most", NOON, 5, 5, isOpen, NOON + 5 + MINUTE],
  ["to the end of its minute", NOON, 0, MINUTE - 1, isOpen, NOON + MINUTE],
  ["no longer", NOON, 0, MINUTE, isOpen, null],
  ["not for a tick that is over", NOON, 0, 0, isOver, null],
  ["not where none brought it", null, 0, 0, isOpen, null],
  ["not for a clock that ran ahead when it was queued", NOON, 10 * MINUTE, 0, isOpen, null],
])("a bundle waits %s", (_, tickMs, queuedMs, nowMs, isTickOpen, untilMs) => {
  expect(bundleWaitsMs(of("a", tickMs), NOON + queuedMs, NOON + nowMs, isTickOpen)).toBe(untilMs);
});

test("it is the tick of its own gateway that counts", () => {
  const asked: unknown[] = [];
  for (const gateway of ["a", null]) {
    bundleWaitsMs(of(gateway, NOON), NOON, NOON, (...about) => asked.push(about) > 0);
  }
  expect(asked).toEqual(["a", null].map((gateway) => [gateway, NOON]));
});

test("an id tells subject, type and number, and has no dot", () => {
  expect(identified(draft(1), 7).id).toBe("2026-11-20-models-changed-7");
  const incident = { id: "acme.models-20261120t120000z" } as AlertEvent["incident"];
  const opened = draft(1, { type: "incident.opened", incident });
  // Ledgers of several shards count each for itself.
  expect(identified(draft(1), 7, 2).id).toBe("2026-11-20-models-changed-2-7");
  expect(identified(opened, 8).id).toBe("acme-models-20261120t120000z-incident-opened-8");
});
