/**
 * What happens in the forty days whose data are kept of every released version. The configurations, one deploy after the
 * other, what gateways and receivers answer, and what an administrator does. Pure.
 */
import type { ConfigInput, GatewayInput } from "../../src/config/define-config.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** In Berlin 2026-10-25 has 25 hours. */
export const START_MS = Date.UTC(2026, 8, 26, 0, 0);
export const STEP_MS = 15 * MINUTE_MS;
export const DAYS = 40;

export const SECRETS = {
  KEY: "key-of-the-story-5f1c",
  OPS_URL: "https://ops.example/hook",
  OPS_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  CHAT_URL: "https://chat.example/hook",
  ADMIN_TOKEN: "correct-horse-battery-staple",
} as const;

/** From which day on each is deployed. */
export const DEPLOYS: readonly { readonly day: number; readonly config: ConfigInput }[] = [
  { day: 0, config: whole([alpha(), beta(), gamma(), delta("delta", []), zeta()]) },
  { day: 15, config: whole([alpha(), beta(), gamma(), delta("omega", ["delta/models"]), zeta()]) },
  { day: 30, config: whole([alpha(), beta(), gamma(), delta("omega", ["delta/models"])]) },
];

function whole(gateways: readonly GatewayInput[]): ConfigInput {
  return {
    title: "The story",
    url: "https://status.example",
    timeZone: "Europe/Berlin",
    plan: "paid",
    remindEvery: "12h",
    gateways,
    alerts: [
      { kind: "webhook", id: "ops", url: "OPS_URL", secret: "OPS_SECRET" },
      { kind: "slack", id: "chat", url: "CHAT_URL" },
    ],
    maintenance: [
      {
        gateways: ["alpha"],
        from: "2026-10-08T22:00:00+02:00",
        to: "2026-10-09T02:00:00+02:00",
        title: "New disks",
      },
      { from: "2026-11-20T01:00:00+01:00", to: "2026-11-20T02:00:00+01:00" },
    ],
  };
}

function gateway(id: string, more: Partial<GatewayInput>): GatewayInput {
  return { id, baseUrl: `https://${id}.example`, apiKey: "KEY", ...more };
}

function alpha(): GatewayInput {
  return gateway("alpha", {
    name: "Alpha",
    showEndpoint: true,
    monitors: [
      { kind: "models", every: "15m", slowerThan: "2s" },
      {
        kind: "chat",
        id: "chat",
        model: "m-1",
        every: "4h",
        prices: { currency: "USD", input: 1, output: 4 },
      },
      {
        kind: "video",
        id: "video",
        model: "v-1",
        every: "24h",
        deadline: "1h",
        prices: { currency: "USD", request: 0.4 },
      },
      { kind: "console", id: "console", every: "12h", warnBelow: 500 },
    ],
  });
}

function beta(): GatewayInput {
  return gateway("beta", { monitors: [{ kind: "models", every: "15m", open: 1, close: 1, flapping: 2 }] });
}

function gamma(): GatewayInput {
  return gateway("gamma", { monitors: [{ kind: "models", every: "15m", expect: ["m-2"] }] });
}

/** Its address stays, whatever it is called. */
function delta(id: string, formerly: readonly string[]): GatewayInput {
  return gateway(id, {
    baseUrl: "https://delta.example",
    publish: "health",
    monitors: [{ kind: "models", every: "15m", formerly }],
  });
}

function zeta(): GatewayInput {
  return gateway("zeta", { monitors: [{ kind: "models", every: "30m" }] });
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly latencyMs: number;
}

const good = (body: unknown, latencyMs = 120): Answer => ({ status: 200, body, latencyMs });

const failed = (status: number, code: string, message: string): Answer => ({
  status,
  body: { error: { message, type: code, code } },
  headers: { "x-request-id": `req-${status}` },
  latencyMs: 80,
});

const listOf = (...ids: readonly string[]) => ({
  object: "list",
  data: ids.map((id) => ({ id, object: "model" })),
});

/** Of a gateway or a receiver, by the address that was asked at that time. */
export function answerTo(method: string, address: string, atMs: number): Answer {
  const { hostname, pathname } = new URL(address);
  const hours = (atMs - START_MS) / HOUR_MS;
  const day = hours / 24;
  switch (hostname) {
    case "ops.example":
      // Times in which nothing arrives; what is still owed then is sent by the code that follows.
      return inside(day, 5, 5.05) || inside(day, 39.88, 40)
        ? failed(503, "busy", "later")
        : { status: 204, body: null, latencyMs: 20 };
    case "chat.example":
      return inside(day, 19, 38) ? failed(404, "gone", "no_team") : good("ok", 20);
    case "alpha.example":
      return alphaAnswer(method, pathname, hours, atMs);
    case "beta.example":
      return betaAnswer(hours, atMs);
    case "gamma.example":
      return gammaAnswer(day);
    case "delta.example":
      return inside(day, 10, 11) || inside(day, 25, 25.5)
        ? failed(402, "insufficient_balance", "The balance of org-5f1c is used up.")
        : good(listOf("m-1"), 90);
    default:
      return day >= 29.5 ? failed(401, "invalid_api_key", "No such key.") : good(listOf("m-1", "m-9"), 70);
  }
}

function inside(value: number, from: number, to: number): boolean {
  return value >= from && value < to;
}

function alphaAnswer(method: string, pathname: string, hours: number, atMs: number): Answer {
  const day = hours / 24;
  if (pathname === "/api/user/self") {
    return good({ success: true, data: { quota: inside(day, 33, 35) ? 100 : 9000 - Math.floor(day) * 10 } });
  }
  if (inside(day, 12.9, 13.1)) return failed(503, "service_unavailable", "Disks are changed.");
  if (inside(day, 27, 27.25)) return failed(500, "server_error", "Something broke.");
  if (pathname === "/v1/models") {
    if (inside(day, 3, 3.02)) {
      return { ...failed(429, "rate_limit_exceeded", "Slow down."), headers: { "retry-after": "1200" } };
    }
    return good(listOf("m-1", "v-1"), inside(day, 7, 7.2) ? 2600 : 100 + (Math.floor(hours) % 24) * 3);
  }
  if (pathname === "/v1/chat/completions") return chatAnswer(day);
  if (method === "POST") return good({ id: `task-${Math.floor(day)}`, status: "queued" }, 300);
  return taskAnswer(pathname, atMs);
}

function chatAnswer(day: number): Answer {
  if (inside(day, 16, 17)) return good({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 0 } });
  return good(
    {
      id: "chat-1",
      choices: [{ index: 0, message: { role: "assistant", content: "pong" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 12, completion_tokens: 3 + (Math.floor(day) % 5) },
    },
    700,
  );
}

/** Over after half an hour; that of the 21st day never is, nor that which is open in the end. */
function taskAnswer(pathname: string, atMs: number): Answer {
  const id = pathname.slice(pathname.lastIndexOf("/") + 1);
  const day = Number(id.slice("task-".length));
  const isOver = (atMs - START_MS) % DAY_MS >= 30 * MINUTE_MS;
  if (day === 21 || !isOver) return good({ id, status: "in_progress" });
  return good({ id, status: "completed", url: `https://alpha.example/${id}.mp4` });
}

/** It flaps for three hours of the sixth and the last day. */
function betaAnswer(hours: number, atMs: number): Answer {
  const flaps = inside(hours, 6 * 24 + 9, 6 * 24 + 12) || inside(hours, 39 * 24 + 21, 40 * 24);
  const isOdd = Math.floor(atMs / STEP_MS) % 2 === 1;
  if (flaps && isOdd) return failed(502, "bad_gateway", "upstream");
  const breaks = Math.floor(hours) % 53 === 7;
  return breaks ? failed(500, "server_error", `hour ${Math.floor(hours)}`) : good(listOf("m-1"), 60);
}

function gammaAnswer(day: number): Answer {
  if (inside(day, 8, 9)) return good(listOf("m-1"));
  return good(day >= 22 ? listOf("m-1", "m-2", "m-3") : listOf("m-1", "m-2"));
}

/** What an administrator asks, in the tick that begins then. `{open}`: the incident of that gateway that is open. */
export interface Order {
  readonly atMs: number;
  readonly method: "POST" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

export const ORDERS: readonly Order[] = [
  order(2, "gateways/gamma/monitors/models/pause"),
  order(2.5, "gateways/gamma/monitors/models/resume"),
  order(4, "maintenance", {
    gateways: ["gamma"],
    from: at(8.2),
    to: at(8.4),
    title: "A list is put in order",
  }),
  order(10.2, "incidents/{open:delta}/acknowledge"),
  order(10.3, "incidents/{open:delta}/notes", { text: "The invoice is paid." }),
  order(27.1, "incidents/{open:alpha}/notes", { text: "They are on it." }),
  order(39, "gateways/gamma/monitors/models/pause"),
  order(39.5, "maintenance", { from: at(44), to: at(44.1), title: "A night of work" }),
];

function order(day: number, path: string, body?: unknown): Order {
  return { atMs: START_MS + day * DAY_MS, method: "POST", path, ...(body !== undefined && { body }) };
}

function at(day: number): string {
  return new Date(START_MS + day * DAY_MS).toISOString();
}
