import { expect, test } from "vitest";
import { gatewayOf, ownIdOf } from "../../src/domain/monitor-id.ts";

test("a full id has its gateway's before the slash and its own behind it", () => {
  expect(gatewayOf("acme-cn/models")).toBe("acme-cn");
  expect(ownIdOf("acme-cn/models")).toBe("models");
});

test("without a gateway there is nothing to take off", () => {
  expect(gatewayOf("models")).toBe("models");
  expect(ownIdOf("models")).toBe("models");
});
