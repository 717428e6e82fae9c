import { expect, test } from "vitest";
import { handleRequest } from "../../src/http/app.ts";
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import {
  BALANCE_GONE,
  depsOf,
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
  const request = new Request("https://status.example/api/v1/gateways/acme/monitors/models");
  const response = await handleRequest(request, depsOf(world.kv));
  expect(await response.json()).toMatchObject({ diagnosis: { ...old, docs } });
});
