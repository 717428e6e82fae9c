import { expect, test } from "vitest";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  monitorDocument,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();

test("a diagnosis that an older version published is told with the address of its cause", async () => {
  const { docs, ...old } = BALANCE_GONE;
  const monitor = monitorDocument({ diagnosis: old as Diagnosis });
  await world.publish(statusDocument({ gateways: [gatewayDocument({ monitors: [monitor] })] }));
  const response = await world.ask("/api/v1/gateways/acme/monitors/models");
  expect(await response.json()).toMatchObject({ diagnosis: { ...old, docs } });
});
