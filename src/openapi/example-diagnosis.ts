/** What Gatepulse says of the example of a cause. Pure. */
import { balanceLow, stalledTask } from "../protocol/canary-verdicts.ts";
import type { CauseExample, ExampleAnswer } from "../protocol/cause-examples.ts";
import { examine } from "../protocol/diagnose.ts";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { examineCanary } from "../protocol/examine-canary.ts";
import { judgeExpectations } from "../protocol/expectations.ts";
import type { Answer } from "../protocol/observation.ts";

/** 2026-11-20T12:00:00Z. */
const CONTEXT = { nowMs: Date.UTC(2026, 10, 20, 12), redact: (text: string): string => text };

export function diagnoseExample(example: CauseExample): KeptDiagnosis {
  switch (example.type) {
    case "answer":
      return examine(observed(example.answer), CONTEXT).diagnosis;
    case "failure": {
      const { stage, detail } = example;
      const failure = { kind: "models", stage, detail, status: null, headers: {} } as const;
      return examine({ type: "network_failure", ...failure }, CONTEXT).diagnosis;
    }
    case "late":
      return judged(example.answer, { expect: [], ...example });
    case "expecting":
      return judged(example.answer, { latencyMs: 0, slowerThanMs: null, ...example });
    case "balance":
      return judgedBalance(example);
    case "deadline":
      return stalledTask(examine(observed(example.answer), CONTEXT).diagnosis);
  }
}

function observed({ kind, status, headers, body }: ExampleAnswer): Answer {
  return { type: "answer", bodyEnd: "complete", kind, status, headers, body };
}

interface Wishes {
  readonly expect: readonly string[];
  readonly latencyMs: number;
  readonly slowerThanMs: number | null;
}

function judged(answer: ExampleAnswer, wishes: Wishes): KeptDiagnosis {
  const { diagnosis, models } = examine(observed(answer), CONTEXT);
  return judgeExpectations(diagnosis, { modelIds: models?.ids ?? null, ...wishes }).diagnosis;
}

function judgedBalance({
  answer,
  pointer,
  warnBelow,
}: Extract<CauseExample, { type: "balance" }>): KeptDiagnosis {
  const asked = { evidence: "nothing", isStreamed: false, task: null, expect: [] } as const;
  const { diagnosis, told } = examineCanary(
    observed(answer),
    { ...asked, pointers: { balance: pointer } },
    CONTEXT,
  );
  return told.balance === null ? diagnosis : balanceLow(diagnosis, { balance: told.balance, warnBelow });
}
