/** Sends one message to one channel, with its secrets, within its time limit, and reads the answer. */
import type { AlertEvent } from "../../alert/alert-event.ts";
import {
  reception,
  type Answer,
  type ChannelKind,
  type Letter,
  type Mail,
  type Reception,
  type Rendered,
} from "../../alert/channel.ts";
import type { Verdict } from "../../alert/delivery.ts";
import type { ChannelConfig } from "../../config/config.ts";
import { channelProblem, channelSecrets, secretValue, type ValueOf } from "../../config/secrets.ts";
import { sha256Hex } from "../../history/packing.ts";
import { createRedactor } from "../../protocol/redaction/redact.ts";

export interface PostWorld {
  /** The title of the configuration. */
  readonly title: string;
  readonly secretOf: ValueOf;
  readonly fetch: CourierFetch;
  /** Aborts after so long. */
  timeoutSignal(ms: number): AbortSignal;
  /**
   * Hands a message to the platform's mail; `binding`: the name that the configuration gives. Rejects where it fails, with
   * `NoMailBinding` where there is none of this name.
   */
  sendMail(mail: Mail, binding: string): Promise<void>;
  now(): number;
  /** Reports a failure that was survived, for operators. `error` says nothing of receivers; `what` no secret. */
  warn(what: string, error?: unknown): void;
}

/** `outcome`: what the queue would take it for. */
export type TestAnswer =
  | {
      readonly type: "answered";
      readonly outcome: Reception["type"];
      readonly status: number;
      /** At most 200 characters, without secrets; of a redirect what is to be done. */
      readonly body: string;
    }
  | { readonly type: "mailed" }
  | { readonly type: "not_tried"; readonly problem: string }
  | { readonly type: "failed"; readonly problem: string };

/** Requests that may still begin, of whatever was begun in an invocation. */
export interface Allowance {
  left: number;
}

export class Post {
  readonly channel: ChannelConfig;
  readonly kind: ChannelKind<ChannelConfig>;
  readonly #world: PostWorld;

  constructor(channel: ChannelConfig, kind: ChannelKind<ChannelConfig>, world: PostWorld) {
    this.channel = channel;
    this.kind = kind;
    this.#world = world;
  }

  /** Null: nothing was sent, as no further request may begin. Never rejects. */
  async send(events: readonly AlertEvent[], allowance: Allowance): Promise<Verdict | null> {
    if (allowance.left <= 0) return null;
    const message = await this.#render(events);
    if (message.type === "misconfigured") return { type: "later", afterMs: null, problem: message.problem };
    if (allowance.left <= 0) return null;
    allowance.left -= 1;
    const sent = await this.#dispatch(message);
    if (sent.type === "mailed") return { type: "delivered" };
    if (sent.type === "failed") {
      const { problem, isFinal } = sent;
      return isFinal ? { type: "refused", problem } : { type: "later", afterMs: null, problem };
    }
    const received = this.#read(sent.answer);
    if (received.type === "delivered") return received;
    const said = this.#excerpt(sent.answer, message);
    return { ...received, problem: `HTTP ${sent.answer.status}${said === "" ? "" : `: ${said}`}` };
  }

  /** Sends one event and tells what came back. Never rejects. */
  async test(event: AlertEvent): Promise<TestAnswer> {
    const message = await this.#render([event]);
    if (message.type === "misconfigured") return { type: "failed", problem: message.problem };
    const sent = await this.#dispatch(message);
    switch (sent.type) {
      case "failed":
        return { type: "failed", problem: sent.problem };
      case "mailed":
        return sent;
      case "answered": {
        const { answer } = sent;
        const outcome = this.#read(answer).type;
        return { type: "answered", outcome, status: answer.status, body: this.#excerpt(answer, message) };
      }
    }
  }

  async #render(
    events: readonly AlertEvent[],
  ): Promise<Rendered | { readonly type: "misconfigured"; readonly problem: string }> {
    const { title, secretOf } = this.#world;
    const problem = channelProblem(this.channel, secretOf);
    if (problem !== null) return { type: "misconfigured", problem };
    const occasion = {
      nowMs: this.#world.now(),
      title,
      secretOf: (name: string) => secretValue(name, secretOf),
    };
    try {
      return await this.kind.render(events, this.channel, occasion);
    } catch (error) {
      this.#world.warn(`no message could be made for the channel ${this.channel.id}`, nameOf(error));
      return { type: "misconfigured", problem: "no message could be made of the event" };
    }
  }

  async #dispatch(message: Letter | Mail): Promise<Sent> {
    return message.type === "http"
      ? await sendLetter(message, this.#world)
      : await sendMail(message, this.channel.kind === "email" ? this.channel.binding : "", this.#world);
  }

  #read(answer: Answer): Reception {
    try {
      return reception(this.kind, answer, this.#world.now());
    } catch (error) {
      this.#world.warn(`an answer of the channel ${this.channel.id} could not be read`, nameOf(error));
      return LATER;
    }
  }

  #excerpt(answer: Answer, message: Letter | Mail): string {
    // Its body names the final address, which may be a secret.
    if (isRedirect(answer)) return REDIRECTED;
    const url = message.type === "http" ? message.url : "";
    return excerptOf(answer, { channel: this.channel, secretOf: this.#world.secretOf, url });
  }
}

const REDIRECTED = "a redirect is not followed: set the secret to the final address";

function isRedirect({ status }: Answer): boolean {
  return status >= 300 && status <= 399;
}

const LATER: Reception = { type: "later", afterMs: null };

/** What the code of a channel throws may quote a message or a secret: its kind alone is told. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown error";
}

/** What a fetch can do and this module needs. */
export type CourierFetch = (url: string, init: CourierInit) => Promise<Response>;

interface CourierInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

export class NoMailBinding extends Error {}

type Sent =
  | { readonly type: "answered"; readonly answer: Answer }
  | { readonly type: "mailed" }
  /** `isFinal`: no further try can help. `problem` holds no secret. */
  | { readonly type: "failed"; readonly problem: string; readonly isFinal: boolean };

/** A receiver may take so long, with its answer. */
const SEND_LIMIT_MS = 15_000;

const MOST_ANSWER_BYTES = 4096;

/** Never throws. */
async function sendLetter(letter: Letter, ports: PostWorld): Promise<Sent> {
  const signal = ports.timeoutSignal(SEND_LIMIT_MS);
  const { method, url, headers, body } = letter;
  try {
    const init = { method, headers: { ...headers }, body, redirect: "manual", signal } as const;
    const response = await within(signal, ports.fetch(url, init));
    // Names come in lower case (Fetch standard, 5.1).
    const received = Object.fromEntries(response.headers);
    const text = response.body === null ? "" : await startOf(response.body.getReader(), signal);
    return { type: "answered", answer: { status: response.status, headers: received, body: text } };
  } catch {
    // What fetch says names the address, which is a secret.
    const problem = signal.aborted ? "no answer within 15 seconds" : "the receiver could not be reached";
    return { type: "failed", problem, isFinal: false };
  }
}

/** Never throws. */
async function sendMail(mail: Mail, binding: string, ports: PostWorld): Promise<Sent> {
  const signal = ports.timeoutSignal(SEND_LIMIT_MS);
  try {
    await within(signal, ports.sendMail(mail, binding));
    return { type: "mailed" };
  } catch (error) {
    if (signal.aborted) return { type: "failed", problem: "no answer within 15 seconds", isFinal: false };
    return error instanceof NoMailBinding ? noBinding(binding) : readMailFailure(error);
  }
}

/** A deploy may bring it. */
function noBinding(name: string): Sent {
  const problem = `there is no send_email binding ${name}: mail can be sent by a deployed Worker alone, with this binding in wrangler.toml`;
  return { type: "failed", problem, isFinal: false };
}

/** The platform's codes (Email Service, Workers API), and what it says where there is none. */
const UNVERIFIED =
  /E_SENDER_NOT_VERIFIED|E_SENDER_DOMAIN_NOT_AVAILABLE|E_RECIPIENT_NOT_ALLOWED|E_RECIPIENT_SUPPRESSED|not (?:a )?verified/u;

function readMailFailure(error: unknown): Sent {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const said = error instanceof Error ? `${code} ${error.message}` : "";
  if (UNVERIFIED.test(said)) {
    return { type: "failed", problem: "an address is not verified, or not allowed", isFinal: true };
  }
  const named = /^E_[A-Z_]{1,40}$/u.test(code) ? `: ${code}` : "";
  return { type: "failed", problem: `the platform did not take the mail${named}`, isFinal: false };
}

/** The status has told already what counts: a body that breaks off or hangs is read as far as it came. */
async function startOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let room = MOST_ANSWER_BYTES;
  try {
    while (room > 0) {
      const { done, value } = await within(signal, reader.read());
      if (done || value === undefined) return text + decoder.decode();
      text += decoder.decode(value.subarray(0, room), { stream: true });
      room -= value.byteLength;
    }
  } catch {
    // The text so far is what is left of it.
  }
  reader.cancel().catch(() => undefined);
  return text;
}

/** Not every receiver of a signal heeds it. */
async function within<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  let onAbort = (): void => undefined;
  const limit = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error("the time is over"));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/**
 * By channel: a digest of its configuration and the values of its secrets, under a salt of this Ledger. Its filter says
 * nothing of where messages go, and is left out: it changes with the gateways of the configuration.
 */
export async function identifyChannels(
  channels: readonly ChannelConfig[],
  salt: string,
  secretOf: ValueOf,
): Promise<Readonly<Record<string, string>>> {
  const entries = channels.map(async (channel) => {
    const values = channelSecrets(channel).map((name) => secretOf(name));
    return [
      channel.id,
      await sha256Hex(`${salt} channel ${JSON.stringify([{ ...channel, only: null }, values])}`, 8),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Characters of an answer that a person is shown. */
const LONGEST_EXCERPT = 200;

/** The beginning of an answer's body in one line, without the channel's secrets and the address that was asked. */
export function excerptOf(
  { body }: Answer,
  { channel, secretOf, url }: { channel: ChannelConfig; secretOf: ValueOf; url: string },
): string {
  const line = body.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
  if (line === "") return "";
  const secrets = channelSecrets(channel).flatMap((name) => secretOf(name) ?? []);
  const parts = secrets.flatMap((secret) => secretEndOf(secret, channel.kind === "ntfy"));
  const shown = createRedactor([...secrets, ...parts, url])(line).slice(0, LONGEST_EXCERPT);
  // A surrogate pair that the limit cuts leaves its first half behind.
  return shown.replace(/[\ud800-\udbff]$/u, "");
}

/**
 * What an address ends with may be the whole secret, and shorter than what is found of a long one. Of a topic any word
 * is; elsewhere `webhook` and its like are what they are called. The redactor leaves what has less than 6 characters.
 */
function secretEndOf(secret: string, isTopic: boolean): readonly string[] {
  const end = /^https?:\/\/[^/?#]+\/(?:[^?#]*\/)?([^/?#]+)\/*(?:[?#]|$)/iu.exec(secret.trim())?.[1];
  return end === undefined || (!isTopic && /^[a-z]*$/iu.test(end)) ? [] : [end];
}
