/** `gatepulse plan`: what a configuration uses a day, and what that costs. */
import { counted, t } from "../config/spoken.ts";
import type { Config } from "../config/config.ts";
import type { Fault } from "../config/faults.ts";
import { ALLOWANCES, QUANTITIES } from "../plan/figures.ts";
import { dayOf, type DayOptions, QUIET_DAY } from "../plan/usage.ts";
import {
  adviceFor,
  dollars,
  fixOf,
  freeAdvice,
  freeVerdict,
  grouped,
  latenessOf,
  latenessWords,
  monthlyPrice,
  paidShares,
  type Charge,
  type Held,
} from "../plan/advice.ts";
import { Refusal, EXIT, command, flag, option } from "../cli/command.ts";
import { CONFIG, faultsText, readNamedConfig } from "../cli/config-file.ts";
import { columns, painterFor, table, type Paint } from "../cli/terminal.ts";

type Planned = ReturnType<typeof planOf>;

/** In a line, for a quiet day. */
export function planVerdict(file: string, config: Config, paint: Paint) {
  const planned = planOf(config, QUIET_DAY);
  return { isEnough: config.plan === "paid" || planned.free.holds, text: verdictLine(file, planned, paint) };
}

function planOf(config: Config, options: DayOptions) {
  const day = dayOf(config, options);
  return { config, options, day, free: freeVerdict(day), price: monthlyPrice(day) };
}

function planText(file: string, planned: Planned, paint: Paint): string {
  const { config } = planned;
  const lateness = latenessOf(config);
  return [
    `${verdictLine(file, planned, paint)}\n`,
    lateness === null ? "" : warningText(latenessWords(config, lateness), paint),
    config.plan === "free" ? freeText(planned, paint) : "",
    ...adviceFor(config).map((advice) => `\n${warningText(advice, paint)}`),
    "\n",
    usageTable(planned, paint),
    "\n",
    table(factsOf(planned), paint),
  ].join("");
}

/** What is too much and how it is fixed, and what is tightest. */
function freeText({ free, config }: Planned, paint: Paint): string {
  const [tightest] = free.held;
  return [
    ...freeAdvice(config, free).map((advice) => warningText(advice, paint)),
    "\n",
    tightest === undefined
      ? ""
      : t`Closest to the limit: ${ALLOWANCES[tightest.quantity].words}, ${percent(tightest.share)} of what the free plan allows.\n`,
  ].join("");
}

function warningText({ problem, fix }: Pick<Fault, "problem" | "fix">, paint: Paint): string {
  return `${problem}\n${paint(t`fix: `, "dim")}${fix}\n`;
}

const NOT_ON_TIME = t`its monitors can NOT be probed as often as configured`;

function verdictLine(file: string, { day, free, price, config }: Planned, paint: Paint): string {
  if (config.plan === "paid") {
    const costs = t`${file} costs ${dollars(price.totalMicros)} a month on the paid plan`;
    if (day.late) return paint(t`${costs}, but ${NOT_ON_TIME}`, "red");
    const otherwise = free.holds ? t`it would also fit the free plan` : t`the free plan would not be enough`;
    return paint(`${costs}; ${otherwise}`, "bold");
  }
  if (day.late && free.held.every(({ share }) => share <= 1)) {
    return paint(t`${file} is within the free plan, but ${NOT_ON_TIME}`, "red");
  }
  return free.holds
    ? paint(t`${file} fits the free plan`, "green")
    : paint(t`${file} does NOT fit the free plan`, "red");
}

/** The free plan counts by the day, the paid one by the month. */
function usageTable({ day, free, config }: Planned, paint: Paint): string {
  if (config.plan === "paid") {
    const rows = paidShares(day).map(usageRow);
    return columns(["per month", "needed", "included", ""], rows, paint);
  }
  const shares = new Map(free.held.map((held) => [held.quantity, held]));
  const rows = QUANTITIES.map((quantity) => {
    const held = shares.get(quantity);
    return held ? usageRow(held) : [ALLOWANCES[quantity].words, grouped(day.used[quantity]), "-", ""];
  });
  return columns(["per day", "needed", "free plan", ""], rows, paint);
}

function usageRow({ quantity, used, allowed, share }: Held): readonly string[] {
  return [ALLOWANCES[quantity].words, grouped(used), grouped(allowed), percent(share)];
}

function factsOf({ day, price, config, options }: Planned): readonly (readonly [string, string])[] {
  const { requests, fullest } = day;
  const given = t`${many(options.views, "view")} and ${many(options.incidents, "incident")} a day, after a year of data`;
  const others = [
    ...(requests.vantages > 0 ? [t`${grouped(requests.vantages)} from regions`] : []),
    ...(requests.pages > 0 ? [t`${grouped(requests.pages)} for status pages`] : []),
    ...(requests.heartbeats > 0 ? [many(requests.heartbeats, "heartbeat")] : []),
    ...(requests.messages > 0 ? [t`${grouped(requests.messages)} messages`] : []),
  ];
  const charges = price.charges.map(chargeWords);
  const ofOne = config.lanes > 1 ? t` of one lane` : config.shards > 1 ? t` of one shard` : "";
  return [
    ["assumed", given],
    [
      "monitors",
      t`${grouped(day.monitors)} in ${many(config.shards, "shard")}${config.lanes > 1 ? t` with ${config.lanes} lanes` : ""}`,
    ],
    ["requests sent", [many(requests.probes, "probe"), ...others].join(t`; `)],
    ["busiest tick", `${many(fullest.probes, "probe")}${ofOne}`],
    [
      "paid plan",
      [
        t`${dollars(price.totalMicros)} a month: ${dollars(price.subscriptionMicros)} for the account`,
        ...charges,
      ].join(t`; `),
    ],
  ];
}

function many(count: number, noun: string): string {
  return counted(count, noun, grouped(count));
}

function chargeWords({ quantity, used, included, micros }: Charge): string {
  const month = t`${grouped(used)}, ${grouped(included)} included`;
  return t`${dollars(micros)} for ${ALLOWANCES[quantity].words} (${month})`;
}

function planJson({ config, options, day, free, price }: Planned): object {
  const { used, ...rest } = day;
  return {
    given: { views: options.views, incidents: options.incidents },
    plan: config.plan,
    shards: config.shards,
    lanes: config.lanes,
    lateness: latenessOf(config),
    ...rest,
    used,
    free: {
      holds: free.holds,
      limits: free.held.map((held) => ({
        ...held,
        fix: held.share > 1 && config.plan === "free" ? fixOf(held.quantity, config) : null,
      })),
    },
    paid: { ...price, totalDollars: price.totalMicros / 1_000_000 },
  };
}

function percent(share: number): string {
  const value = share * 100;
  return value > 0 && value < 1 ? "< 1 %" : `${grouped(Math.round(value))} %`;
}

const OPTIONS = {
  ...CONFIG,
  views: option("N", t`page views and API requests per day that no cache answers (default 0)`),
  incidents: option("N", t`incidents per day (default 0)`),
  json: flag(t`print one JSON object`),
};

export const plan = command("plan", OPTIONS, async (line) => {
  const { values, io } = line;
  const views = countOf(values.views);
  const incidents = countOf(values.incidents);
  if (views === null || incidents === null) throw new Refusal(t`--views and --incidents take a whole number`);
  const paint = painterFor(io.stdout.isTTY, io.env);
  const isJson = values.json === true;
  const read = await readNamedConfig(line, (file, faults) =>
    isJson ? jsonText({ faults }) : faultsText(file, faults, paint),
  );
  const { config, name } = read;
  const planned = planOf(config, { ...QUIET_DAY, views, incidents });
  io.stdout.write(isJson ? jsonText(planJson(planned)) : planText(name, planned, paint));
  return EXIT.ok;
});

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function countOf(text = "0"): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
