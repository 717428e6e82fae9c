/** Consoles that fail, or whose balance is low, while the model API works (spec 2.3, 7.2). */
import { type Scenario, expects, scenarios } from "../scenario.ts";
import { answerConsole } from "../service.ts";
import { envelope, html } from "../wire.ts";

const CONSOLE = { kind: "console", takes: ["console"] } as const;

export const CONSOLES: readonly Scenario[] = [
  ...scenarios(
    expects("balance_low", 200),
    [
      [
        "console_balance_low",
        "A console that shows a balance of 0.75, or a quota of 375,000, where others have 12.5 and 6,250,000.",
        (call) => answerConsole(call, 0.75),
      ],
    ],
    CONSOLE,
  ),
  ...scenarios(
    expects("business_error", 200),
    [["console_5000", "A console that answers 5000.", envelope(5000, "Internal failure.")]],
    CONSOLE,
  ),
  ...scenarios(
    expects("wrong_url", 200),
    [["console_html", "A console that answers with a page.", html(200, "Console")]],
    CONSOLE,
  ),
];
