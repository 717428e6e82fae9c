/** Where the turn or the health is another than that of the table: found by the code that decides it. Pure. */
import type { CanaryRules } from "../domain/canary-skip.ts";
import { skipOf } from "../domain/canary-skip.ts";
import { judgeByHistory, judgeByList, withoutVerdict } from "../domain/monitor-state.ts";
import { reachOf } from "../domain/reach.ts";
import { isRefusal } from "../domain/schedule.ts";
import { goneTask, ofUnknownFate } from "../protocol/canary-verdicts.ts";
import { CAUSE_EXAMPLES } from "../protocol/cause-examples.ts";
import { CAUSE_TABLE, causeRow } from "../protocol/causes.ts";
import { type Cause, CAUSES, type Health, type KeptDiagnosis, type Owner } from "../protocol/diagnosis.ts";
import { diagnoseExample } from "./example-diagnosis.ts";

export interface Exception {
  readonly where: string;
  readonly causes: readonly Cause[];
  readonly owner: Owner;
  readonly health: Health;
}

/** What decides otherwise; where it leaves a diagnosis alone, that is no exception. */
const DECIDING: readonly (readonly [where: string, decide: (diagnosis: KeptDiagnosis) => KeptDiagnosis])[] = [
  ["The HTTP status is a 4xx.", (diagnosis) => byCircumstance(diagnosis, { httpStatus: 418 })],
  [
    "The business code is 5002: the full key was not kept.",
    (diagnosis) => byCircumstance(diagnosis, { businessCode: 5002 }),
  ],
  [
    "The list was `up` within the last 24 hours, at the same address and with the same key: its proxy or route has changed.",
    (diagnosis) => judgeByHistory(diagnosis, NOW_MS, NOW_MS),
  ],
  [
    "The canary was `up` within the last 24 hours, at the same address and with the same key.",
    (diagnosis) => judgeByHistory(diagnosis, NOW_MS, NOW_MS, "canary"),
  ],
  ["A canary’s model is in the gateway’s list.", (diagnosis) => judgeByList(diagnosis, true)],
  [
    "A canary’s task was created, and is gone.",
    (diagnosis) => (diagnosis.cause === "not_found" ? goneTask(diagnosis) : diagnosis),
  ],
  [
    "Not one gateway could be reached in the same round: it is the monitoring’s own network.",
    (diagnosis) => (reachOf(diagnosis) === "unreached" ? withoutVerdict(diagnosis) : diagnosis),
  ],
  [
    "The monitoring broke off while a canary’s request was under way: nobody knows what became of it.",
    (diagnosis) => (diagnosis.cause === ofUnknownFate().cause ? ofUnknownFate() : diagnosis),
  ],
];

const NOW_MS = 0;

function byCircumstance(
  diagnosis: KeptDiagnosis,
  circumstance: Partial<Pick<KeptDiagnosis, "httpStatus" | "businessCode">>,
): KeptDiagnosis {
  const { cause, layer, httpStatus, businessCode, retry } = { ...diagnosis, ...circumstance };
  const told = { layer, httpStatus, businessCode, retryAllowed: retry.allowed, key: null };
  const { owner, health } = causeRow(cause, told);
  return { ...diagnosis, owner, health };
}

/** In the order of what decides. */
export function exceptions(): readonly Exception[] {
  return DECIDING.flatMap(([where, decide]) => {
    const decided = CAUSES.map((cause) => decide(diagnoseExample(CAUSE_EXAMPLES[cause])));
    const others = decided.filter(({ cause, owner, health }) => {
      const row = CAUSE_TABLE[cause];
      return owner !== row.owner || health !== row.health;
    });
    const [first] = others;
    if (first === undefined) return [];
    return [{ where, causes: others.map(({ cause }) => cause), owner: first.owner, health: first.health }];
  });
}

/** While the gateway's list shows one of these, its canaries are not asked. */
export function causesThatSkip({ sharesKey }: Pick<CanaryRules, "sharesKey">): readonly Cause[] {
  const rules = { isGeneration: true, sharesKey, retry: false, perDay: null };
  const sight = { isUnlisted: false, askedAtMs: null, left: null, nowMs: NOW_MS };
  return CAUSES.filter((listCause) => skipOf(rules, { ...sight, listCause }) !== null);
}

/** After these a monitor asks less and less often. */
export function causesOfRefusal(): readonly Cause[] {
  return CAUSES.filter(isRefusal);
}
