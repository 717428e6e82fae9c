/** Configurations with canaries of one gateway. */
import type { CanaryConfig, MonitorConfig } from "../../src/config/config.ts";
import { readConfig } from "../../src/config/load.ts";
import { faultsOf as faults, withGateway } from "./parsed.ts";

type Written = Readonly<Record<string, unknown>>;

export function withCanaries(...monitors: readonly unknown[]): object {
  return withGateway({ monitors });
}

export function monitorsOf(...monitors: readonly unknown[]): readonly MonitorConfig[] {
  return readConfig(withCanaries(...monitors)).gateways.flatMap((gateway) => gateway.monitors);
}

export function canaryOf(written: Written): CanaryConfig {
  const [monitor] = monitorsOf(written);
  if (monitor?.canary === null || monitor === undefined) throw new Error("it is no canary");
  return monitor.canary;
}

/** Below the canary, each as `path: problem; fix`. */
export function faultsOf(written: unknown): readonly string[] {
  return faults(withCanaries(written)).map((fault) => fault.replace(/^gateways\[0\]\.monitors\[0\]\.?/, ""));
}

/** The least of each kind. */
export const LEAST = {
  chat: { kind: "chat", model: "gpt-4o-mini" },
  messages: { kind: "messages", model: "claude-haiku-4-5" },
  responses: { kind: "responses", model: "gpt-5-mini" },
  gemini: { kind: "gemini", model: "gemini-2.5-flash" },
  embeddings: { kind: "embeddings", model: "text-embedding-3-small" },
  image: { kind: "image", model: "gpt-image-1" },
  video: { kind: "video", model: "sora-2" },
  console: { kind: "console" },
  http: { kind: "http", path: "/api/status", expect: { "/success": true } },
  audit: { kind: "audit", model: "gpt-4o-mini" },
} as const;
