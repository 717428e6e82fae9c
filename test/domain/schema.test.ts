import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";

vi.mock("cloudflare:sockets", () => ({ connect: null }));
vi.mock("cloudflare:workers", () => ({ DurableObject: Object }));

afterEach(() => z.config({ postProcessor: undefined }));

test("loading the Worker makes no schema: each new isolate would wait for it", async () => {
  const made = vi.fn<(schema: z.core.$ZodType) => void>();
  z.config({ postProcessor: made });
  vi.resetModules();
  await import("../../src/worker.ts");
  expect(made).not.toHaveBeenCalled();
  z.string();
  expect(made).toHaveBeenCalledOnce();
});
