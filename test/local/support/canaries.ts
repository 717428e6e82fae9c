/** Canaries of every kind, and what they asked the simulated gateways for. */
import type { GatewayInput } from "../../../src/config/define-config.ts";
import type { RecordedRequest } from "../../../src/simulator/answer.ts";
import type { Scenario } from "../../../src/simulator/scenario.ts";
import type { Simulator } from "../../../src/simulator/simulator.ts";

export type MonitorInput = NonNullable<GatewayInput["monitors"]>[number];

const CHAT = { model: "sim-chat-small" } as const;
/** Under what healthy consoles tell, over what poor ones do. */
const WARN_BELOW = 1_000_000;

/** One of each kind, for a gateway that serves them all. */
export const EVERY_KIND = {
  chat: { id: "chat", kind: "chat", ...CHAT },
  "chat-stream": { id: "chat-stream", kind: "chat", ...CHAT, stream: true },
  messages: { id: "messages", kind: "messages", ...CHAT },
  "messages-stream": { id: "messages-stream", kind: "messages", ...CHAT, stream: true },
  embeddings: { id: "embeddings", kind: "embeddings", model: "sim-embedding" },
  image: { id: "image", kind: "image", model: "sim-image" },
  "image-task": { id: "image-task", kind: "image", model: "sim-image-async" },
  video: { id: "video", kind: "video", model: "sim-video" },
  "video-job": {
    id: "video-job",
    kind: "video",
    model: "sim-video",
    path: "/v1/video/generations",
    taskPath: "/v1/video/generations/{id}",
  },
  console: { id: "console", kind: "console", warnBelow: WARN_BELOW },
  http: { id: "http", kind: "http", path: "/api/user/balance", expect: { "/data/currency": "USD" } },
} as const satisfies Readonly<Record<string, MonitorInput>>;

type CanaryName = keyof typeof EVERY_KIND;

/** Which of them meets what the scenario does. */
export function canaryFor({ name, kind, takes }: Scenario): CanaryName {
  const route = takes?.[0];
  switch (kind) {
    case "chat":
    case "messages":
    case "embeddings":
    case "image":
    case "console":
      return kind;
    case "stream":
      return route === "messages" ? "messages-stream" : "chat-stream";
    case "task":
      if (route === "image_create") return "image-task";
      return route === "video_job_create" ? "video-job" : "video";
    case "models":
      throw new Error(`no canary meets ${name}`);
  }
}

/** What was asked of a gateway: method and path below it, in order. */
export function askedOf(simulator: Simulator, gateway: string): readonly string[] {
  return simulator.requests.filter((request) => request.gateway === `g/${gateway}`).map(whatOf);
}

function whatOf({ method, path }: RecordedRequest): string {
  return `${method} ${path.replace(/^\/g\/[^/]+/u, "")}`;
}

export function minutes(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}
