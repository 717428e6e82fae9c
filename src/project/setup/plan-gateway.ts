/** Asks for a gateway, checks it, and suggests what to watch there. */
import { t } from "../../config/spoken.ts";
import { MAX_TOKENS, USUAL_PER_DAY } from "../../config/canary-config.ts";
import type { GatewayConfig } from "../../config/config.ts";
import type { GatewayInput } from "../../config/define-config.ts";
import { isSecretName, looksLikeSecret } from "../../config/secret-shape.ts";
import { keyProblem } from "../../config/secrets.ts";
import { quoted, type Talk, addressProblem, nameProblem, withoutV1, type Wishes } from "./talk.ts";
import { firstFree } from "./plan-channel.ts";
import { slug } from "../project.ts";
import type { Io, Output } from "../../cli/command.ts";
import {
  adviceWords,
  diagnosisText,
  filled,
  joined,
  messageWords,
  painterFor,
  progressWords,
} from "../../cli/terminal.ts";
import { MODELS_PATH } from "../../config/base-url.ts";
import type { Attempt, ProbeOutcome } from "../../domain/probe-outcome.ts";
import { readModels, type ReadModels } from "../../probe/models-probe.ts";
import { causeDocs, completed } from "../../protocol/causes.ts";
import { shownNames } from "../../protocol/synonyms.ts";
import { createRedactor } from "../../protocol/redaction/redact.ts";
import { readThrown } from "../../protocol/thrown.ts";

/** The one of these gateways that the flags ask for again; undefined: none. */
export function knownGateway(
  { name, baseUrl, keyName }: Wishes,
  gateways: readonly GatewayConfig[],
): GatewayConfig | undefined {
  return gateways.find(
    (known) =>
      known.baseUrl === baseUrl &&
      known.name === (name ?? known.name) &&
      known.apiKey === (keyName ?? known.apiKey),
  );
}

/** @param gateways those that are there. Null: no gateway is wanted. */
export async function planGateway(
  talk: Talk,
  gateways: readonly GatewayConfig[],
): Promise<GatewayInput | null> {
  const { prompts, wishes } = talk;
  if (prompts === null && wishes.baseUrl === null) return null;
  let baseUrl = wishes.baseUrl ?? (await askAddress(talk));
  const name = wishes.name ?? (await askName(talk, baseUrl, gateways));
  const id = firstFree(slug(name, LONGEST_ID) || "gateway", (one) =>
    gateways.every((known) => known.id !== one),
  );
  const keyName = wishes.keyName ?? keyNameOf(id);
  await learnKey(talk, keyName);
  const gateway = { id, name, baseUrl, apiKey: keyName };
  for (;;) {
    const checked = await checkOnce(talk, baseUrl, keyName);
    if (checked === null) return watched({ ...gateway, baseUrl }, talk, []);
    if (!checked.isGood && prompts === null)
      talk.failures.push(
        t`the first check of ${name} failed, as shown above. Correct ${keyName} in .dev.vars, or baseUrl in the configuration; npm start checks again`,
      );
    if (checked.isGood || prompts === null) return watched({ ...gateway, baseUrl }, talk, checked.ids);
    switch (await prompts.choose(t`What do you want to do?`, AFTER_FAILURE)) {
      case "again":
        break;
      case "key":
        talk.secrets.set(keyName, await askKey(talk, keyName, t`Another key (${keyName})`));
        if ((talk.io.env[keyName] ?? "") !== "")
          talk.say(
            t`${keyName} is also set in the environment, where it wins over .dev.vars: unset it there.`,
          );
        break;
      case "address":
        baseUrl = await askAddress(talk);
        break;
      case "continue":
        return watched({ ...gateway, baseUrl }, talk, checked.ids);
    }
  }
}

const AFTER_FAILURE = [
  { value: "again", label: t`Try again` },
  { value: "key", label: t`Enter another key` },
  { value: "address", label: t`Enter another address` },
  { value: "continue", label: t`Continue; gatepulse check and npm start show the fault again` },
] as const;

async function askAddress({ prompts, say }: Talk): Promise<string> {
  const written = await prompts?.text({
    message: t`Base address of the gateway`,
    example: "https://api.acme.example",
    problemOf: (text) => {
      const problem = addressProblem(text);
      return problem === null ? null : t`This ${problem}`;
    },
  });
  const baseUrl = withoutV1(written ?? "");
  if (baseUrl !== (written ?? "").replace(/\/+$/, "")) say(t`/v1 is left out: Gatepulse adds it.`);
  return baseUrl;
}

async function askName(
  { prompts, wishes }: Talk,
  baseUrl: string,
  gateways: readonly GatewayConfig[],
): Promise<string> {
  const suggested = suggestedName(baseUrl);
  if (prompts === null) return suggested;
  const problemOf = (text: string): string | null => {
    if (knownGateway({ ...wishes, name: text, baseUrl }, gateways) !== undefined)
      return t`${text} is there already, with this address: write another name, or stop with Ctrl-C`;
    const problem = nameProblem(text);
    return problem === null ? null : t`The name ${problem}`;
  };
  return prompts.text({ message: t`Name of the gateway, for the page and alerts`, suggested, problemOf });
}

/** `https://api.acme.example` is Acme's. */
function suggestedName(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  const label = hostname.split(".").find((part) => !/^(?:api|www|gateway|llm|ai|open)$/.test(part));
  if (label === undefined || /^[\d[]/.test(hostname)) return hostname;
  return label.slice(0, 1).toUpperCase() + label.slice(1);
}

const LONGEST_ID = 38;

function keyNameOf(id: string): string {
  const name = `${id.toUpperCase().replaceAll("-", "_")}_API_KEY`;
  return isSecretName(name) ? name : `GATEWAY_${name}`;
}

/** Asked for, unless it is set already. */
async function learnKey(talk: Talk, name: string): Promise<void> {
  const known = talk.valueOf(name);
  if (known !== null) talk.say(t`The key is ${name}, which is set already.`);
  const message = t`API key, stored in .dev.vars as ${name}; leave it empty to set it later`;
  talk.secrets.set(name, known ?? (await askKey(talk, name, message)));
}

async function askKey({ prompts }: Talk, name: string, message: string): Promise<string | null> {
  const problemOf = (key: string): string | null => {
    const problem = key === "" ? null : keyProblem(name, key, true);
    if (problem !== null) return t`This cannot be the key: ${problem}`;
    return quoted(key) === null ? t`.dev.vars cannot hold a key with all three kinds of quotes` : null;
  };
  return (await prompts?.secret({ message, problemOf })) || null;
}

/** Null: there is nothing to learn without a key. */
async function checkOnce({ io, wishes, valueOf, say }: Talk, baseUrl: string, keyName: string) {
  const key = valueOf(keyName);
  if (wishes.noCheck) return null;
  if (key === null) {
    say(t`The gateway was not checked: ${keyName} is not set yet.`);
    return null;
  }
  const problem = keyProblem(keyName, key, true);
  if (problem !== null) say(t`The key cannot be right: ${problem}.`);
  const checked = await firstCheck({ baseUrl, key, keyName }, io);
  const ids =
    checked?.models?.ids.filter((id) => /^[^\s\p{Cc}]{1,200}$/u.test(id) && !looksLikeSecret(id)) ?? [];
  return { isGood: checked?.isGood === true, ids: [...new Set(ids)] };
}

/** With its monitors, from the ids of its list. */
async function watched(gateway: GatewayInput, talk: Talk, ids: readonly string[]): Promise<GatewayInput> {
  const expect = await askExpected(talk, ids);
  const model = await askCanary(talk, ids);
  if (expect.length === 0 && model === null) return gateway;
  const hasPrefix = [...expect, model ?? ""].some((id) => id.includes("/"));
  return {
    ...gateway,
    ...(hasPrefix && { vendorPrefix: true }),
    monitors: [
      { kind: "models", ...(expect.length > 0 && { expect: [...expect] }) },
      ...(model === null ? [] : [{ kind: "chat", model } as const]),
    ],
  };
}

async function askExpected({ prompts, say }: Talk, ids: readonly string[]): Promise<readonly string[]> {
  const suggested = mainModels(ids);
  if (suggested.length === 0) return [];
  if (prompts === null) {
    say(
      t`To be alerted when a model is missing, write expect: ${JSON.stringify(suggested)} into its monitor.`,
    );
    return [];
  }
  const others = ids.filter((id) => !suggested.includes(id));
  return prompts.chooseMany(
    t`Which models must always be in its list?`,
    [...suggested, ...others],
    suggested,
  );
}

async function askCanary({ prompts, say }: Talk, ids: readonly string[]): Promise<string | null> {
  const suggested = smallChatModel(ids);
  if (suggested === null) return null;
  say(canaryWords(suggested));
  if (prompts === null) {
    say(t`To add it, write { kind: "chat", model: "${suggested}" } into its monitors.`);
    return null;
  }
  const question = t`Send this small chat request? It shows what a list of models cannot.`;
  return (await prompts.choose(question, CANARY)) === "yes" ? suggested : null;
}

/** What costs money is not the first choice. */
const CANARY = [
  { value: "no", label: t`No` },
  { value: "yes", label: t`Yes` },
] as const;

/** What a canary of a model sends in a day. */
function canaryWords(model: string): string {
  const most = (USUAL_PER_DAY * MAX_TOKENS).toLocaleString("en");
  return t`A canary of ${model} sends ${USUAL_PER_DAY} requests a day, which cost money: each has a prompt of a few words and at most ${MAX_TOKENS} output tokens, so at most ${most} a day. The usual answer is one word.`;
}

/** Words in the names of models that do not chat. */
const NO_CHAT =
  /embed|rerank|moderation|guard|whisper|tts|audio|speech|transcri|voice|realtime|image|dall-?e|flux|diffusion|midjourney|\bmj\b|sora|video|\bveo\b|kling|ocr|search|\bbge\b/i;

const SMALL =
  /(?:^|[-_.:/])(?:mini|nano|tiny|micro|small|lite|haiku|flash|turbo|instant|air|[1-9]b)(?:$|[-_.:/@])/i;

/** Others go away sooner. */
const PASSING = /preview|beta|\bexp(?:erimental)?\b|latest|\d{8}|\d{4}-\d{2}-\d{2}|-\d{4}$/i;

/** Null: none looks like one. */
export function smallChatModel(ids: readonly string[]): string | null {
  return best(ids.filter((id) => SMALL.test(id) && !NO_CHAT.test(id)));
}

const MOST_EXPECTED = 3;

/** One of each family, such as gpt and claude. */
export function mainModels(ids: readonly string[]): readonly string[] {
  const families: Record<string, string[]> = {};
  for (const id of ids) {
    const family = /[a-z]+/i.exec(id.slice(id.lastIndexOf("/") + 1))?.[0].toLowerCase() ?? "";
    if (!NO_CHAT.test(id)) (families[family] ??= []).push(id);
  }
  return Object.values(families)
    .map(best)
    .filter((id) => id !== null)
    .slice(0, MOST_EXPECTED);
}

/** The shortest of those that stay, and of these the first. */
function best(ids: readonly string[]): string | null {
  const staying = ids.filter((id) => !PASSING.test(id));
  const candidates = staying.length > 0 ? staying : ids;
  return candidates.reduce<string | null>((a, b) => (a === null || b.length < a.length ? b : a), null);
}

export interface Checked extends ReadModels {
  readonly isGood: boolean;
}

export interface CheckedGateway {
  readonly baseUrl: string;
  readonly key: string;
  readonly keyName: string;
}

/** Null: nothing was sent. @param progress null: it is not shown. */
export function readGateway(
  { baseUrl, key, keyName }: CheckedGateway,
  io: Io,
  progress: Output | null,
): Promise<ReadModels | null> {
  return readModels(
    { baseUrl, apiKey: key, secretName: keyName, expect: [], watched: [], slowerThanMs: null },
    {
      ...io,
      random: () => io.random(),
      readFailure: readThrown,
      onProgress: (state) => progress?.write(`${progressWords(state)}\n`),
    },
  );
}

/** Prints the result, too. Null: nothing was sent. */
async function firstCheck(gateway: CheckedGateway, io: Io): Promise<Checked | null> {
  const read = await readGateway(gateway, io, io.stdout);
  if (read === null) return null;
  io.stdout.write(`\n${checkText(gateway, read, io)}\n`);
  return { ...read, isGood: read.outcome.diagnosis.ok };
}

function checkText({ baseUrl, key }: CheckedGateway, { outcome }: ReadModels, io: Io): string {
  const diagnosis = completed(outcome.diagnosis, null);
  const rows = checkRows(createRedactor([key])(baseUrl + MODELS_PATH), outcome);
  return diagnosisText(diagnosis, rows, [adviceWords(diagnosis)], painterFor(io.stdout.isTTY, io.env));
}

/** What is shown of a check. */
export function checkRows(endpoint: string, outcome: ProbeOutcome): readonly (readonly [string, string])[] {
  const { diagnosis, modelCount, attempts } = outcome;
  const names = shownNames(diagnosis);
  return filled([
    ["endpoint", endpoint],
    ["status", diagnosis.httpStatus],
    ["models", modelCount],
    ["error", joined([names.errorType, names.errorCode], " / ")],
    ["code", names.businessCode],
    ["request id", diagnosis.requestId],
    ["message", messageWords(diagnosis)],
    ["rule", diagnosis.rule],
    ["ambiguous", joined(diagnosis.ambiguous, ", ")],
    ["attempts", attempts.length === 0 ? t`none` : attemptsLine(outcome)],
    ["more", causeDocs(diagnosis.cause)],
  ]);
}

function attemptsLine({ attempts, latencyMs, waitedMs }: ProbeOutcome): string {
  const seen = attempts
    .map(({ httpStatus, error }: Attempt) => [httpStatus, error?.code].filter(Boolean).join(" "))
    .join(", ");
  const waits = waitedMs === 0 ? "" : t`; waited ${(waitedMs / 1000).toFixed(1)} s between them`;
  return t`${attempts.length} (${seen}); the last took ${latencyMs ?? 0} ms${waits}`;
}
