/** Consoles that fail, or whose balance is low, while the model API works (spec 2.3, 7.2). */
import { envelope, type Wire, html } from "../wire.ts";
import { type Call, type Scenario, type World, expects, scenario } from "../scenario.ts";

const CONSOLE = { kind: "console", takes: ["console"] } as const;

function lowBalance(call: Call, world: World): Wire {
  switch (`${call.method} ${call.path}`) {
    case "GET /api/user/balance":
      return envelope(0, "success", { balance: 0.75, currency: "USD" });
    case "GET /api/user/self":
      return envelope(0, "success", { id: 7, name: "alice", group: "default", quota: 375_000 });
    default:
      return world.serve(call);
  }
}

export const CONSOLES: readonly Scenario[] = [
  scenario(
    "console_balance_low",
    "A console that tells a balance of 0.75, or a quota of 375,000, where others have 12.5 and 6,250,000.",
    lowBalance,
    expects("balance_low", 200),
    { ...CONSOLE, note: "The expectation is of a monitor that warns below more." },
  ),
  scenario(
    "console_5000",
    "A console that answers 5000.",
    envelope(5000, "Internal failure."),
    expects("business_error", 200),
    CONSOLE,
  ),
  scenario(
    "console_html",
    "A console that answers with a page.",
    html(200, "Console"),
    expects("wrong_url", 200),
    CONSOLE,
  ),
];
