import { describe, expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import { belongTogether, bundleWaitsMs } from "../../src/alert/delivery-bundle.ts";
import { identified } from "../../src/alert/delivery-id.ts";
import { draft, MINUTE, NOON } from "../fixtures/outbox.ts";

function of(gateway: string | null, tickMs: number | null): AlertEvent {
  return identified(
    draft(1, { gateway: gateway === null ? null : { id: gateway, name: gateway, monitors: 1 }, tickMs }),
    1,
  );
}

describe("what belongs together", () => {
  test.each([
    ["one gateway, one tick", of("a", NOON), of("a", NOON), true],
    ["the monitoring's own, one tick", of(null, NOON), of(null, NOON), true],
    ["two gateways", of("a", NOON), of("b", NOON), false],
    ["a gateway and the monitoring itself", of("a", NOON), of(null, NOON), false],
    ["two ticks", of("a", NOON), of("a", NOON + MINUTE), false],
    ["no tick brought them", of("a", null), of("a", null), false],
  ])("%s", (_, a, b, expected) => {
    expect(belongTogether(a, b)).toBe(expected);
  });
});

describe("how long a bundle waits", () => {
  const isOpen = (): boolean => true;

  test("while its tick is open, for a minute at most", () => {
    expect(bundleWaitsMs(of("a", NOON), NOON + 5, NOON + 5, isOpen)).toBe(NOON + 5 + MINUTE);
    expect(bundleWaitsMs(of("a", NOON), NOON, NOON + MINUTE - 1, isOpen)).toBe(NOON + MINUTE);
    expect(bundleWaitsMs(of("a", NOON), NOON, NOON + MINUTE, isOpen)).toBeNull();
  });

  test("not for a tick that is over, nor where none brought it", () => {
    expect(bundleWaitsMs(of("a", NOON), NOON, NOON, () => false)).toBeNull();
    expect(bundleWaitsMs(of("a", null), NOON, NOON, isOpen)).toBeNull();
  });

  test("it is the tick of its own gateway that counts", () => {
    const asked: unknown[] = [];
    bundleWaitsMs(of("a", NOON), NOON, NOON, (...about) => asked.push(about) > 0);
    bundleWaitsMs(of(null, NOON), NOON, NOON, (...about) => asked.push(about) > 0);
    expect(asked).toEqual([
      ["a", NOON],
      [null, NOON],
    ]);
  });

  test("a clock that ran ahead when it was queued makes it wait no longer", () => {
    expect(bundleWaitsMs(of("a", NOON), NOON + 10 * MINUTE, NOON, isOpen)).toBeNull();
  });
});

test("an id tells subject, type and number, and has no dot", () => {
  expect(identified(draft(1), 7).id).toBe("2026-11-20-models-changed-7");
  const incident = { id: "acme.models-20261120t120000z" } as AlertEvent["incident"];
  const opened = draft(1, { type: "incident.opened", incident });
  // Ledgers of several shards count each for itself.
  expect(identified(draft(1), 7, 2).id).toBe("2026-11-20-models-changed-2-7");
  expect(identified(opened, 8).id).toBe("acme-models-20261120t120000z-incident-opened-8");
});
