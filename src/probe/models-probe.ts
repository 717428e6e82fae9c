/**
 * The reference diagnostic: `GET /v1/models`, repeated where the answer allows it (spec 4.1, 7.3, 7.4). Everything
 * that leaves here is redacted with the key that was sent.
 */
import { endpointUrl, MODELS_PATH } from "../config/base-url.ts";
import type { ListedModels } from "../domain/canary.ts";
import type { Probed } from "../domain/probe-outcome.ts";
import { examine, type Examination } from "../protocol/diagnose.ts";
import { judgeExpectations } from "../protocol/expectations.ts";
import type { ModelList } from "../protocol/judge-good-status.ts";
import { MAX_ATTEMPTS } from "../protocol/retry.ts";
import type { ExchangeRequest } from "./exchange.ts";
import { isTokenShaped, judgeKey, probeRedactor, type RedactionDeps } from "./probe-secrets.ts";
import { type Answered, figuresOf, type RoundsDeps, type RoundsPlan, runRounds } from "./rounds.ts";
import { USER_AGENT } from "./version.ts";

export interface ModelsTarget {
  /** A judged base address. */
  readonly baseUrl: string;
  /** Null: the secret is not set. */
  readonly apiKey: string | null;
  /** The name of the secret, for the advice. */
  readonly secretName: string;
  /** Model ids that the list must hold. */
  readonly expect: readonly string[];
  /** Model ids that canaries of the gateway ask for: whether the list holds them is a finding. */
  readonly watched: readonly string[];
  readonly slowerThanMs: number | null;
}

export interface ModelsProbeDeps extends RoundsDeps, RedactionDeps {}

/** Runs the probe once. Never rejects for anything that a gateway does. */
export async function runModelsProbe(target: ModelsTarget, deps: ModelsProbeDeps): Promise<Probed> {
  const askedAtMs = deps.clock.now();
  const judge = judgeFor(target.apiKey, deps);
  const key = judgeKey(target.apiKey);
  const plan = { ...judge, request: requestFor(target), attempts: MAX_ATTEMPTS };
  const answered = key === "usable" ? (await runRounds(plan, deps)).answered : notSent(key, target, judge);
  // A list that nobody could read is asked for again: that costs nothing.
  if (answered === null) return { type: "not_sent_by_platform" };
  const { models, diagnosis } = answered.examined;
  const figures = figuresOf(answered, askedAtMs);
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
  if (models === null || target.watched.length === 0) return { type: "probed", outcome };
  return { type: "probed", outcome, findings: { type: "list", ...listedOf(models, target.watched) } };
}

function listedOf({ ids }: ModelList, watched: readonly string[]): ListedModels {
  const held = new Set(ids);
  return {
    listed: watched.filter((model) => held.has(model)),
    unlisted: watched.filter((model) => !held.has(model)),
  };
}

type Judge = Pick<RoundsPlan<Examination>, "redact" | "examine">;

function judgeFor(apiKey: string | null, deps: ModelsProbeDeps): Judge {
  const redact = probeRedactor(apiKey, deps);
  const key = apiKey !== null && isTokenShaped(apiKey) ? ({ key: "jwt" } as const) : {};
  return {
    redact,
    examine: (observation) => examine(observation, { nowMs: deps.clock.now(), redact, ...key }),
  };
}

function notSent(
  reason: "secret_missing" | "secret_malformed",
  { secretName }: ModelsTarget,
  judge: Judge,
): Answered<Examination> {
  const examined = judge.examine({ type: "not_sent", kind: "models", reason, secretName });
  return { attempts: [], sentAtMs: null, endedAtMs: null, examined };
}

function requestFor({ baseUrl, apiKey }: ModelsTarget): ExchangeRequest {
  return {
    kind: "models",
    method: "GET",
    url: endpointUrl(baseUrl, MODELS_PATH),
    headers: { authorization: `Bearer ${apiKey}`, accept: "application/json", "user-agent": USER_AGENT },
  };
}
