/** Configurations with canaries of one gateway. */
import { parseConfig } from "../../src/config/load.ts";
import type { CanaryConfig, MonitorConfig } from "../../src/config/config.ts";

type Written = Readonly<Record<string, unknown>>;

const ACME = { id: "acme", baseUrl: "https://api.acme.example", apiKey: "ACME_API_KEY" };

export function withCanaries(...monitors: readonly unknown[]): unknown {
  return { title: "t", gateways: [{ ...ACME, monitors }] };
}

export function monitorsOf(...monitors: readonly unknown[]): readonly MonitorConfig[] {
  const parsed = parseConfig(withCanaries(...monitors));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.config.gateways.flatMap((gateway) => gateway.monitors);
}

export function canaryOf(written: Written): CanaryConfig {
  const [monitor] = monitorsOf(written);
  if (monitor?.canary === null || monitor === undefined) throw new Error("it is no canary");
  return monitor.canary;
}

/** Below the canary, each as `path: problem; mend`. */
export function faultsOf(written: unknown): readonly string[] {
  const parsed = parseConfig(withCanaries(written));
  const faults = parsed.ok ? [] : parsed.faults;
  return faults.map(
    ({ path, problem, mend }) =>
      `${path.replace(/^gateways\[0\]\.monitors\[0\]\.?/, "")}: ${problem}; ${mend}`,
  );
}

/** The least of each kind. */
export const LEAST = {
  chat: { kind: "chat", model: "gpt-4o-mini" },
  messages: { kind: "messages", model: "claude-haiku-4-5" },
  embeddings: { kind: "embeddings", model: "text-embedding-3-small" },
  image: { kind: "image", model: "gpt-image-1" },
  video: { kind: "video", model: "sora-2" },
  console: { kind: "console" },
  http: { kind: "http", path: "/api/status", expect: { "/success": true } },
} as const;
