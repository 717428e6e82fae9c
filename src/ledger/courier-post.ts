/** One channel as it sends: what its kind makes of events, and what an answer means for them. Nothing here is stored. */
import type { AlertEvent } from "../alert/alert-event.ts";
import type { Answer, ChannelKind, Letter, Mail, Reception, Rendered, SecretOf } from "../alert/channel.ts";
import type { Verdict } from "../alert/delivery.ts";
import type { ChannelConfig } from "../config/channels.ts";
import { excerptOf } from "./courier-secrets.ts";
import { type SendPorts, sendLetter, sendMail, type Sent } from "./courier-send.ts";

export interface PostWorld extends SendPorts {
  /** The title of the configuration. */
  readonly title: string;
  readonly secretOf: SecretOf;
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

/** Whose answer takes longer must not keep others waiting. */
const SLOW_MS = 3000;

export class Post {
  readonly channel: ChannelConfig;
  readonly kind: ChannelKind<ChannelConfig>;
  readonly #world: PostWorld;
  #lags = false;

  constructor(channel: ChannelConfig, kind: ChannelKind<ChannelConfig>, world: PostWorld) {
    this.channel = channel;
    this.kind = kind;
    this.#world = world;
  }

  /** The last message that was sent from here had no answer, or a slow one. */
  get lags(): boolean {
    return this.#lags;
  }

  /** Null: nothing was sent, as no further request may begin. Never rejects. */
  async send(events: readonly AlertEvent[], allowance: Allowance): Promise<Verdict | null> {
    if (allowance.left <= 0) return null;
    const message = await this.#render(events);
    if (message.type === "misconfigured") return { type: "unsent", problem: message.problem };
    if (allowance.left <= 0) return null;
    allowance.left -= 1;
    const sent = await this.#dispatch(message);
    if (sent.type === "mailed") return { type: "delivered" };
    if (sent.type === "failed") {
      const { problem, isFinal } = sent;
      return isFinal ? { type: "refused", problem } : { type: "later", afterMs: null, problem };
    }
    const reception = this.#read(sent.answer);
    if (reception.type === "delivered") return reception;
    const said = this.#excerpt(sent.answer, message);
    return { ...reception, problem: `HTTP ${sent.answer.status}${said === "" ? "" : `: ${said}`}` };
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

  async #render(events: readonly AlertEvent[]): Promise<Rendered> {
    const { title, secretOf } = this.#world;
    try {
      return await this.kind.render(events, this.channel, { nowMs: this.#world.now(), title, secretOf });
    } catch (error) {
      this.#world.warn(`no message could be made for the channel ${this.channel.id}`, nameOf(error));
      return { type: "misconfigured", problem: "no message could be made of the event" };
    }
  }

  async #dispatch(message: Letter | Mail): Promise<Sent> {
    const beganMs = this.#world.now();
    const sent =
      message.type === "http"
        ? await sendLetter(message, this.#world)
        : await sendMail(message, this.channel.kind === "email" ? this.channel.binding : "", this.#world);
    this.#lags = sent.type === "failed" || this.#world.now() - beganMs >= SLOW_MS;
    return sent;
  }

  /** A redirect is a failed try, whatever the kind of channel takes it for. */
  #read(answer: Answer): Reception {
    try {
      const reception = this.kind.read(answer, this.#world.now());
      return isRedirect(answer) && reception.type !== "later" ? LATER : reception;
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
