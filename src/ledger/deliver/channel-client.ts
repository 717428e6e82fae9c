/** Sends one message to one channel, with its secrets, within its time limit, and reads the answer. */
import type * as z from "zod/mini";
import type { AlertEvent, Speaker } from "../../alert/alert-event.ts";
import { reception, type Answer, type ChannelKind, type Letter, type Mail } from "../../alert/channel.ts";
import type { Verdict } from "../../alert/delivery.ts";
import { parseUrl } from "../../config/base-url.ts";
import type { ChannelConfig } from "../../config/config.ts";
import { t } from "../../config/spoken.ts";
import { channelProblem, channelSecrets, secretValue, type ValueOf } from "../../config/secrets.ts";
import { inTime } from "../../domain/permits.ts";
import { sha256Hex } from "../../history/packing.ts";
import { createRedactor } from "../../protocol/redaction/redact.ts";
import type { testedAnswerSchema } from "../admin/admin-answers.ts";

export interface SendPorts extends Speaker {
  readonly secretOf: ValueOf;
  readonly fetch: CourierFetch;
  timeoutSignal(ms: number): AbortSignal;
  /** Hands a message to the platform's mail. Rejects where it fails, with `NoMailBinding` where there is none of this name. */
  sendMail(mail: Mail, binding: string): Promise<void>;
  now(): number;
  /** Reports a failure to operators. `error` says nothing about receivers, `what` contains no secret. */
  warn(what: string, error?: unknown): void;
}

/** What an administrator sees of a test. No text contains a secret. */
export type TestAnswer = NonNullable<z.infer<typeof testedAnswerSchema>["channels"][number]["answer"]>;

interface Sent {
  readonly answer: TestAnswer;
  readonly verdict: Verdict;
}

export interface Allowance {
  left: number;
}

/** Never rejects. */
export async function send(
  events: readonly AlertEvent[],
  channel: ChannelConfig,
  kind: ChannelKind<ChannelConfig>,
  ports: SendPorts,
): Promise<Sent> {
  const { secretOf } = ports;
  const fault = channelProblem(channel, secretOf);
  if (fault !== null) return failed(fault);
  const occasion = {
    ...ports,
    nowMs: ports.now(),
    secretOf: (name: string) => secretValue(name, secretOf),
  };
  let looked: Asked | undefined;
  try {
    looked = kind.lookUp && (await ask(kind.lookUp(events, channel, occasion), LONGEST_LOOK_UP));
    if (looked && looked.sent.verdict.type !== "delivered") return looked.sent;
    const message = await kind.render(events, channel, occasion, looked?.answer);
    if (message.type === "mail")
      return await sendMail(message, channel.kind === "email" ? channel.binding : "", ports);
    let last = looked;
    for (let letter = message.type === "nothing" ? undefined : message; letter; letter = letter.next) {
      last = await ask(letter, LONGEST_ANSWER);
      if (last.sent.verdict.type !== "delivered") break;
    }
    return last?.sent ?? failed(t`there is nothing to send`);
  } catch (error) {
    ports.warn(`no message could be made for the channel ${channel.id}`, nameOf(error));
    return failed(
      looked?.answer === undefined
        ? t`no message could be made of the event`
        : t`the answer, HTTP ${looked.answer.status}, is not what the service documents; check the address`,
    );
  }

  async function ask(letter: Letter, mostCharacters: number): Promise<Asked> {
    const answer = await sendLetter(letter, ports, mostCharacters);
    if (typeof answer === "string") return { sent: failed(answer) };
    // The body of a redirect may contain the final address, which may be a secret.
    const body = isRedirect(answer) ? REDIRECTED : excerptOf(answer, { channel, secretOf, url: letter.url });
    const outcome = reception(kind, answer, ports.now());
    const { status } = answer;
    const problem = `HTTP ${status}${body === "" ? "" : `: ${body}`}`;
    const verdict = outcome.type === "delivered" ? outcome : { ...outcome, problem };
    return { sent: { answer: { type: "answered", outcome: outcome.type, status, body }, verdict }, answer };
  }
}

interface Asked {
  readonly sent: Sent;
  readonly answer?: Answer;
}

function failed(problem: string): Sent {
  return { answer: { type: "failed", problem }, verdict: { type: "later", afterMs: null, problem } };
}

const REDIRECTED = t`a redirect is not followed: set the secret to the final address`;

function isRedirect({ status }: Answer): boolean {
  return status >= 300 && status <= 399;
}

/** Only the error's name: the message of an error in a channel's code may contain a secret. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown error";
}

export type CourierFetch = (url: string, init: CourierInit) => Promise<Response>;

interface CourierInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

export class NoMailBinding extends Error {}

/** How long a receiver may take, including its answer. */
const SEND_LIMIT_MS = 15_000;

const LONGEST_ANSWER = 4096;
const LONGEST_LOOK_UP = 2_000_000;

/** Never throws. @returns the answer, or why there is none. */
async function sendLetter(letter: Letter, ports: SendPorts, most: number): Promise<Answer | string> {
  const signal = ports.timeoutSignal(SEND_LIMIT_MS);
  const { method, url, headers, body, bytes } = letter;
  try {
    const init = {
      method,
      headers: { ...headers },
      ...(method !== "GET" && { body: bytes ?? body }),
      redirect: "manual",
      signal,
    } as const;
    const response = await ports.fetch(url, init);
    // Names come in lower case (Fetch standard, 5.1).
    const received = Object.fromEntries(response.headers);
    return { status: response.status, headers: received, body: await startOf(response.body, most) };
  } catch {
    // The error of fetch contains the address, which is a secret.
    return signal.aborted ? NO_ANSWER : t`the receiver could not be reached`;
  }
}

const NO_ANSWER = t`no answer within 15 seconds`;

/** Never throws. */
async function sendMail(mail: Mail, binding: string, ports: SendPorts): Promise<Sent> {
  const signal = ports.timeoutSignal(SEND_LIMIT_MS);
  try {
    await inTime(ports.sendMail(mail, binding), signal);
    return { answer: { type: "mailed" }, verdict: { type: "delivered" } };
  } catch (error) {
    if (signal.aborted) return failed(NO_ANSWER);
    if (error instanceof NoMailBinding)
      return failed(
        t`there is no send_email binding ${binding}: mail can be sent by a deployed Worker alone, with this binding in wrangler.toml`,
      );
    // The message may contain addresses, the code (Email Service, Workers API) does not.
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const named = /^E_[A-Z_]{1,40}$/u.test(code) ? `: ${code}` : "";
    return failed(t`the platform did not take the mail${named}`);
  }
}

/** As much of the body as comes. If it breaks off or hangs, the status still decides. */
async function startOf(body: Response["body"], most: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of body ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (text.length >= most) break;
    }
  } catch {
    // The text so far is enough.
  }
  return text.slice(0, most);
}

/** By channel, a salted digest of its configuration and secrets, without name and filter: they do not say where messages go. */
export async function identifyChannels(channels: readonly ChannelConfig[], salt: string, secretOf: ValueOf) {
  const entries = channels.map(async (channel) => {
    const values = channelSecrets(channel).map((name) => secretOf(name));
    return [
      channel.id,
      await sha256Hex(`${salt} channel ${JSON.stringify([{ ...channel, id: null, only: null }, values])}`, 8),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const LONGEST_EXCERPT = 200;

/** The beginning of an answer's body in one line, without the channel's secrets and the requested address. */
export function excerptOf(
  { body }: Answer,
  { channel, secretOf, url }: { channel: ChannelConfig; secretOf: ValueOf; url: string },
): string {
  const line = body
    .slice(0, LONGEST_ANSWER)
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .trim();
  if (line === "") return "";
  const secrets = channelSecrets(channel).flatMap((name) => secretOf(name) ?? []);
  const parts = secrets.flatMap((secret) => secretPartsOf(secret, channel.kind === "ntfy"));
  const shown = createRedactor([...secrets, ...parts, url])(line).slice(0, LONGEST_EXCERPT);
  // The limit may cut a surrogate pair in half.
  return shown.replace(/[\ud800-\udbff]$/u, "");
}

/**
 * What an address ends with, or has in its query, may be the whole secret, and shorter than what is found of a long one. Of a
 * topic any word is; elsewhere `webhook` and its like are what they are called. The redactor leaves what has less than 6 characters.
 */
function secretPartsOf(secret: string, isTopic: boolean): readonly string[] {
  const end = /^https?:\/\/[^/?#]+\/(?:[^?#]*\/)?([^/?#]+)\/*(?:[?#]|$)/iu.exec(secret.trim())?.[1];
  const values = [...(parseUrl(secret)?.searchParams.values() ?? [])];
  return end === undefined || (!isTopic && /^[a-z]*$/iu.test(end)) ? values : [end, ...values];
}
