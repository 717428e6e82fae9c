/** `gatepulse plan`: what a configuration uses on a day, whether the free plan allows it, and what the paid one costs. */
import { dayOf } from "../plan/day.ts";
import { QUIET_DAY } from "../plan/ledger-day.ts";
import { freeVerdict, monthlyPrice } from "../plan/verdict.ts";
import { command, type CommandLine } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { faultsText, readNamedConfig } from "./named-config.ts";
import { planJson, planText } from "./plan-output.ts";
import { painterFor } from "./terminal.ts";
import { PLAN_USAGE } from "./usage.ts";

const OPTIONS = {
  views: { type: "string" },
  incidents: { type: "string" },
  json: { type: "boolean" },
} as const;

export const plan = command({ name: "plan", usage: PLAN_USAGE, options: OPTIONS }, async (line) => {
  const { wanted, io, refuse } = line;
  const views = countOf(wanted, "views");
  const incidents = countOf(wanted, "incidents");
  if (views === null || incidents === null) return refuse("--views and --incidents take a whole number");
  const paint = painterFor(io.stdout.isTTY, io.env);
  const isJson = wanted.flags["json"] === true;
  const read = await readNamedConfig(line, (file, faults) =>
    isJson ? jsonText({ faults }) : faultsText(file, faults, paint),
  );
  if (!read.ok) return read.exit;
  const { config, name } = read;
  const options = { ...QUIET_DAY, views, incidents };
  const day = dayOf(config, options);
  const planned = { config, options, day, free: freeVerdict(day), price: monthlyPrice(day) };
  io.stdout.write(isJson ? jsonText(planJson(planned)) : planText(name, planned, paint));
  return EXIT.ok;
});

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Null: it is no count. */
function countOf({ texts }: CommandLine["wanted"], name: string): number | null {
  const text = texts[name] ?? "0";
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
