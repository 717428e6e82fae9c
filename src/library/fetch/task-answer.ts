/** The answer to the creation of a task, or to a question about it, as a client judges it (spec 3). */
import type { Asked } from "../../protocol/observation.ts";
import type { DiagnoseContext } from "../../protocol/diagnose.ts";
import type { KeptDiagnosis } from "../../protocol/diagnosis.ts";
import { examineCanary } from "../../protocol/examine-canary.ts";
import { readJson } from "../../protocol/json.ts";
import { headOf } from "./response-head.ts";

export interface TaskAnswer {
  /** As the task must be asked about; null: there is none. */
  readonly taskId: string | null;
  /** The answer, parsed; null where it is no JSON. */
  readonly record: unknown;
  readonly diagnosis: KeptDiagnosis;
}

export async function readTaskAnswer(
  response: Response,
  task: "creation" | "question",
  context: DiagnoseContext,
): Promise<TaskAnswer> {
  const head = headOf(response);
  const body = await response.text();
  const asked: Asked = { evidence: "media", isStreamed: false, task, pointers: {}, expect: [] };
  const answer = { type: "answer", kind: "task", ...head, body, bodyEnd: "complete" } as const;
  const { diagnosis, told } = examineCanary(answer, asked, context);
  return { taskId: told.taskId ?? diagnosis.taskId, record: readJson(body), diagnosis };
}
