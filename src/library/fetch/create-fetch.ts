/**
 * A `fetch` for clients of model gateways: what it hands over is no failure, and what it sends again was not accepted
 * (spec 3, 6, 7.3, 7.4).
 */
import type { Diagnosis } from "../../protocol/diagnosis.ts";
import { createRedactor, type Redact } from "../../protocol/redaction/redact.ts";
import { discard, exchange, judgeBreak, type Outcome } from "./exchange.ts";
import { GatewayError } from "./gateway-error.ts";
import {
  type AttemptEvent,
  type Fetch,
  type FetchedResponse,
  type FetchInit,
  type FetchInput,
  type FetchOptions,
  type RequestRules,
  type Settings,
  settingsOf,
} from "./options.ts";
import { type Budget, Origin, Pauses } from "./origin.ts";
import { retryDelay } from "../retry.ts";
import { type Init, type Input, mayBeAccepted, readRequest, type SentRequest } from "./sent-request.ts";

/** `fetch` as the platform has it; an init may carry rules for its one request. */
export type GatewayFetch = Fetch &
  ((input: FetchInput, init?: FetchInit & { readonly gatepulse?: RequestRules }) => Promise<FetchedResponse>);

/** @throws TypeError where an option is a number that cannot be meant, or a secret no text. */
export function createFetch(options: FetchOptions = {}): GatewayFetch {
  const settings = settingsOf(options);
  const origins = new Map<string, Origin>();
  return async (input: Input, init: Init = {}): Promise<Response> => {
    const request = readRequest(input, init, settings);
    const { maxConcurrent, sharesWaits } = settings;
    const origin = origins.get(request.origin) ?? new Origin(maxConcurrent, new Pauses(settings));
    origins.set(request.origin, origin);
    const pauses = sharesWaits ? origin.pauses : new Pauses(settings);
    return new Call(request, settings, origin, pauses).run();
  };
}

type Bad = Extract<Outcome, { type: "bad" }>;

/** One call of the `fetch`: its attempts, and what they have used up. */
class Call {
  readonly #request: SentRequest;
  readonly #settings: Settings;
  readonly #origin: Origin;
  readonly #pauses: Pauses;
  readonly #budget: Budget;
  #redactor: Redact | null = null;
  #requests = 0;
  /** By any of them: a refusal of the second says nothing about the first. */
  #mayBeAccepted = false;
  #told: AttemptEvent | null = null;

  constructor(request: SentRequest, settings: Settings, origin: Origin, pauses: Pauses) {
    this.#request = request;
    this.#settings = settings;
    this.#origin = origin;
    this.#pauses = pauses;
    this.#budget = { leftMs: settings.maxWaitMs };
  }

  async run(): Promise<Response> {
    try {
      return await this.#answer();
    } catch (error) {
      if (this.#request.client !== null && error instanceof GatewayError) return asResponse(error);
      throw error;
    }
  }

  async #answer(): Promise<Response> {
    const { client } = this.#request;
    if (client?.isRepeat === true) throw this.#givenUp();
    const isAsIs = !this.#settings.throwHttpErrors && client === null;
    for (;;) {
      const outcome = await this.#inTurn();
      if (outcome.type === "good") return outcome.response;
      if (this.#mayRepeat(outcome)) continue;
      if (isAsIs && outcome.response !== null) return outcome.response;
      discard(outcome.response);
      throw this.#errorOf(outcome.diagnosis, outcome);
    }
  }

  /** Whether to repeat was decided already: an official client only repeats what its own time limit ended. */
  #givenUp(): GatewayError {
    const { kind } = this.#request;
    this.#requests = 1;
    const redact: Redact = (text) => this.#redact(text);
    const diagnosis = judgeBreak("timeout", "The client's own time limit ended the request.", null, {
      kind,
      redact,
      nowMs: this.#settings.clock.now(),
    });
    return this.#errorOf(diagnosis, { headers: {} });
  }

  /** One attempt; its place is free again when its answer is over. */
  async #inTurn(): Promise<Outcome> {
    const { signal } = this.#request;
    const leave = await this.#origin.enter(signal);
    let isHandedOver = false;
    try {
      const paused = await this.#waitOut();
      if (paused !== null) throw this.#errorOf(paused, { headers: {} });
      const outcome = await this.#attempt(leave);
      isHandedOver = outcome.type === "good";
      return outcome;
    } finally {
      if (!isHandedOver) leave();
    }
  }

  async #waitOut(): Promise<Diagnosis | null> {
    const { method, url, signal } = this.#request;
    return this.#pauses.waitOut(this.#budget, signal, (diagnosis, waitMs) => {
      // Its own wait was reported with its attempt.
      if (diagnosis === this.#told?.diagnosis) return;
      const event = { attempt: this.#requests, method, url: this.#redact(url), status: null, durationMs: 0 };
      this.#settings.onRetry({ ...event, diagnosis, waitMs, heldBack: true });
    });
  }

  async #attempt(over: () => void): Promise<Outcome> {
    const { clock } = this.#settings;
    const startedAtMs = clock.now();
    this.#requests += 1;
    const redact: Redact = (text) => this.#redact(text);
    const outcome = await exchange(this.#request, {
      settings: this.#settings,
      judge: { kind: this.#request.kind, redact, nowMs: startedAtMs },
      errorOf: (diagnosis, headers, thrown) => this.#errorOf(diagnosis, { headers, thrown }),
      over,
    });
    this.#told = this.#eventOf(outcome, clock.now() - startedAtMs);
    try {
      this.#settings.onAttempt(this.#told);
    } catch (error) {
      discard(outcome.response);
      throw error;
    }
    return outcome;
  }

  #mayRepeat({ diagnosis, response }: Bad): boolean {
    const { clock, maxWaitMs, onRetry } = this.#settings;
    const { allowed, afterSeconds } = diagnosis.retry;
    const waitMs = this.#waitMs(diagnosis);
    // A wait that is asked of this call holds for other calls too, unless it is longer than they may wait.
    const heldMs = waitMs ?? (allowed ? (afterSeconds ?? 0) * 1000 : 0);
    if (heldMs > 0 && heldMs <= maxWaitMs) this.#pauses.hold(clock.now() + heldMs, diagnosis);
    if (waitMs === null) return false;
    discard(response);
    this.#mayBeAccepted ||= mayBeAccepted(this.#request.method, diagnosis);
    if (this.#told !== null) onRetry({ ...this.#told, diagnosis, waitMs, heldBack: false });
    return true;
  }

  /** Before it is sent again; null: it is not. A wait beyond what is left is none. */
  #waitMs(diagnosis: Diagnosis): number | null {
    const { isResendable, isIdempotent } = this.#request;
    if (!isResendable) return null;
    if (diagnosis.cause !== "rate_limited" && !isIdempotent) return null;
    const { maxAttempts } = this.#settings;
    const { leftMs } = this.#budget;
    const maxRetryAfterSeconds = leftMs / 1000;
    const attempt = this.#requests - 1;
    const waitMs = retryDelay(diagnosis, { attempt, maxAttempts, maxRetryAfterSeconds, random: 0 });
    return waitMs === null || waitMs > leftMs ? null : waitMs;
  }

  #errorOf(diagnosis: Diagnosis, { headers, thrown }: Pick<Bad, "headers" | "thrown">): GatewayError {
    const requests = this.#requests;
    const isLastOne = requests > 0 && mayBeAccepted(this.#request.method, diagnosis);
    const mayHaveBeenAccepted = this.#mayBeAccepted || isLastOne;
    const failure = { diagnosis, headers, requests, mayHaveBeenAccepted };
    const redact: Redact = (text) => this.#redact(text);
    return new GatewayError(thrown === undefined ? failure : { ...failure, thrown }, redact);
  }

  #eventOf(outcome: Outcome, durationMs: number): AttemptEvent {
    const { method, url } = this.#request;
    const isGood = outcome.type === "good";
    return {
      attempt: this.#requests,
      method,
      url: this.#redact(url),
      status: isGood ? outcome.response.status : outcome.diagnosis.httpStatus,
      durationMs,
      diagnosis: isGood ? null : outcome.diagnosis,
    };
  }

  /** Building one takes longer than most answers that need none. */
  #redact(text: string): string {
    this.#redactor ??= createRedactor(this.#request.secrets);
    return this.#redactor(text);
  }
}

/** For official clients: they repeat what is thrown, and no answer that says `x-should-retry: false`. */
function asResponse(error: GatewayError): Response {
  const { diagnosis, message, requests, mayHaveBeenAccepted, status } = error;
  const { cause, errorType, errorCode, requestId } = diagnosis;
  const own = { type: errorType ?? cause, code: errorCode ?? cause, param: null, message };
  const body = {
    type: "error",
    message,
    error: { ...own, requests, mayHaveBeenAccepted, diagnosis },
    request_id: requestId,
  };
  const sendable = Object.entries(error.headers).filter(
    ([name, value]) => !OF_THE_BODY.has(name) && /^[\x20-\x7e]*$/.test(name + value),
  );
  const headers = [...sendable, ["content-type", "application/json"], ["x-should-retry", "false"]];
  const instead = cause === "timeout" ? 504 : 502;
  return new Response(JSON.stringify(body), {
    status: status !== null && status >= 400 ? status : instead,
    headers: Object.fromEntries(headers),
  });
}

const OF_THE_BODY = new Set(["content-length", "content-encoding", "transfer-encoding"]);
