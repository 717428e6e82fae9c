/** The reference diagnostic: `GET /v1/models`, repeated where the answer allows it (spec 4.1, 7.3, 7.4). */
import { MODELS_PATH } from "../config/base-url.ts";
import type { ListedModels } from "../domain/canary.ts";
import type { ProbeOutcome, Probed } from "../domain/probe-outcome.ts";
import { examine, type Examination } from "../protocol/diagnose.ts";
import { judgeExpectations } from "../protocol/causes.ts";
import type { ModelList } from "../protocol/judge-good-status.ts";
import { MAX_ATTEMPTS } from "../protocol/retry.ts";
import { askWith, NOT_SENT, type ProbedKey, type RoundsDeps, type RoundsPlan } from "./rounds.ts";
import { USER_AGENT } from "./version.ts";

export interface ModelsTarget extends ProbedKey {
  /** Already validated. */
  readonly baseUrl: string;
  /** Model ids that the list must hold. */
  readonly expect: readonly string[];
  /** Model ids that the gateway's canaries ask for. The findings say which of them are in the list. */
  readonly watched: readonly string[];
  readonly slowerThanMs: number | null;
}

export interface ReadModels {
  readonly outcome: ProbeOutcome;
  /** Null: the answer is no list. */
  readonly models: ModelList | null;
}

const HEADERS = { accept: "application/json", "user-agent": USER_AGENT };

/** Runs the probe once. Never rejects for anything that a gateway does. */
export async function runModelsProbe(target: ModelsTarget, deps: RoundsDeps): Promise<Probed> {
  const read = await readModels(target, deps);
  if (read === null) return NOT_SENT;
  const { outcome, models } = read;
  if (models === null || target.watched.length === 0) return { type: "probed", outcome };
  return { type: "probed", outcome, findings: { type: "list", ...listedOf(models, target.watched) } };
}

/** The same probe, with the whole list; null: the platform sent nothing. */
export async function readModels(target: ModelsTarget, deps: RoundsDeps): Promise<ReadModels | null> {
  const plan: RoundsPlan<Examination> = {
    request: {
      kind: "models",
      method: "GET",
      url: target.baseUrl + MODELS_PATH,
      headers: { ...HEADERS, authorization: `Bearer ${target.apiKey}` },
    },
    needsKey: true,
    attempts: MAX_ATTEMPTS,
    examine,
  };
  const answered = await askWith(target, plan, deps);
  if (answered === null) return null;
  const { figures, examined } = answered;
  const { models, diagnosis } = examined;
  const judged = judgeExpectations(diagnosis, {
    modelIds: models?.ids ?? null,
    expect: target.expect,
    latencyMs: figures.latencyMs ?? 0,
    slowerThanMs: target.slowerThanMs,
  });
  const outcome = {
    ...figures,
    modelCount: models?.count ?? null,
    missingModels: judged.missingModels,
    diagnosis: judged.diagnosis,
    failingFrom: [],
  };
  return { outcome, models };
}

function listedOf({ ids }: ModelList, watched: readonly string[]): ListedModels {
  const held = new Set(ids);
  return {
    listed: watched.filter((model) => held.has(model)),
    unlisted: watched.filter((model) => !held.has(model)),
  };
}
