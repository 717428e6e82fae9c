/** The console of the simulated service: HTTP 200 with `code`, `message` and `data`, failures too (spec 2.3, 7.2). */
import { envelope, type Reply } from "./wire.ts";
import { MODEL_IDS } from "./models.ts";
import type { Call } from "./scenario.ts";

const TOKENS = [
  { id: 1, name: "production", status: "active" },
  { id: 2, name: "unreadable", status: "active" },
  { id: 3, name: "not kept", status: "active" },
];

/** Of a user who may spend a while yet. */
const BALANCE = 12.5;
/** The same, in the units in which some consoles count: 500,000 to the dollar. */
const QUOTA = 6_250_000;

export function answerConsole(call: Call): Reply {
  switch (`${call.method} ${call.path}`) {
    case "GET /api/user/balance":
      return envelope(0, "success", { balance: BALANCE, currency: "USD" });
    case "GET /api/user/self":
      return envelope(0, "success", { id: 7, name: "alice", group: "default", quota: QUOTA });
    case "GET /api/tokens":
      return envelope(0, "success", { items: TOKENS, total: TOKENS.length });
    case "POST /api/tokens":
      return createToken(call);
    case "GET /api/billing/usage":
      return envelope(0, "success", { used: 2.5, currency: "USD" });
    case "GET /api/logs":
      return envelope(0, "success", { items: [], total: 0 });
    default:
      return answerById(call);
  }
}

function createToken(call: Call): Reply {
  let body: unknown;
  try {
    body = JSON.parse(call.body);
  } catch {
    return envelope(2001, "The body is not JSON.");
  }
  const hasName =
    typeof body === "object" && body !== null && "name" in body && typeof body.name === "string";
  return hasName ? envelope(0, "success", { id: 4 }) : envelope(2001, "The parameter name is missing.");
}

function answerById(call: Call): Reply {
  const [, collection, id, part] = /^\/api\/(tokens|models)\/([^/]+)(?:\/(key))?$/.exec(call.path) ?? [];
  if (call.method !== "GET" || collection === undefined || id === undefined) return inaccessible();
  if (collection === "models") {
    return MODEL_IDS.includes(id)
      ? envelope(0, "success", { id })
      : envelope(2002, "The model does not exist.");
  }
  const token = TOKENS.find((known) => String(known.id) === id);
  if (token === undefined) return inaccessible();
  if (part === undefined) return envelope(0, "success", token);
  switch (token.id) {
    case 2:
      return envelope(5001, "The full key could not be fetched.");
    case 3:
      return envelope(5002, "The full key was not kept. Create the key again.");
    default:
      return envelope(0, "success", { key: "sim-key-production" });
  }
}

function inaccessible(): Reply {
  return envelope(4004, "The resource is missing or not accessible.");
}
