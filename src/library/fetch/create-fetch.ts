/** A `fetch` for clients: what it hands over is no failure, what it sends again was not accepted (spec 3, 6, 7.3, 7.4). */
import type { Cause, Diagnosis } from "../../protocol/diagnosis.ts";
import { createRedactor, type Redact } from "../../protocol/redaction/redact.ts";
import { discard, exchange, judgeBreak, type Outcome } from "./exchange.ts";
import { type FailedAttempt, GatewayError } from "./gateway-error.ts";
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
import { type Choice, Route } from "./route.ts";
import { type Init, type Input, mayBeAccepted, readRequest, type SentRequest } from "./sent-request.ts";

/** `fetch` as the platform has it; an init may carry rules for its one request. */
export type GatewayFetch = Fetch &
  ((input: FetchInput, init?: FetchInit & { readonly gatepulse?: RequestRules }) => Promise<FetchedResponse>);

/** @throws TypeError where an option is a number that cannot be meant, or a secret no text. */
export function createFetch(options: FetchOptions = {}): GatewayFetch {
  const settings = settingsOf(options);
  const route = options.route === undefined ? null : new Route(options.route, settings);
  const origins = new Map<string, Origin>();
  const targetOf = (choice: Choice): Target => {
    // Gateways on one host have limits of their own.
    const name = choice.gateway?.id ?? choice.request.origin;
    const origin = origins.get(name) ?? new Origin(settings);
    origins.set(name, origin);
    return { ...choice, origin, pauses: settings.sharesWaits ? origin.pauses : new Pauses(settings) };
  };
  return async (input: Input, init: Init = {}): Promise<Response> => {
    const request = readRequest(input, init, settings);
    const choices = (await route?.choicesFor(input, init, request)) ?? [];
    const [target = targetOf({ request, gateway: null }), ...others] = choices
      .map(targetOf)
      .toSorted((a, b) => a.pauses.restMs - b.pauses.restMs);
    return new Call(target, others, settings).run();
  };
}

type Bad = Extract<Outcome, { type: "bad" }>;

interface Target extends Choice {
  readonly origin: Origin;
  readonly pauses: Pauses;
}

/** What is used up is gone for all keys of the account. */
const OF_THE_ACCOUNT: ReadonlySet<Cause> = new Set(["insufficient_balance", "quota_exceeded"]);

/** One call of the `fetch`: its attempts, and what they have used up. */
class Call {
  #target: Target;
  /** They may be asked if it fails. */
  #others: readonly Target[];
  readonly #settings: Settings;
  readonly #budget: Budget;
  readonly #attempts: FailedAttempt[] = [];
  readonly #redact: Redact;
  #requests = 0;
  /** By any of them: a refusal of the second says nothing about the first. */
  #mayBeAccepted = false;
  #told: AttemptEvent | null = null;

  constructor(target: Target, others: readonly Target[], settings: Settings) {
    this.#target = target;
    this.#others = others;
    this.#settings = settings;
    this.#budget = { leftMs: settings.maxWaitMs };
    this.#redact = createRedactor([target, ...others].flatMap(({ request }) => request.secrets));
  }

  get #request(): SentRequest {
    return this.#target.request;
  }

  async run(): Promise<Response> {
    try {
      return await this.#answer();
    } catch (error) {
      if (this.#request.repetitions !== null && error instanceof GatewayError) return asResponse(error);
      throw error;
    }
  }

  async #answer(): Promise<Response> {
    const { repetitions } = this.#request;
    if (repetitions !== null && repetitions > 0) throw this.#givenUp();
    const isAsIs = !this.#settings.throwHttpErrors && repetitions === null;
    for (;;) {
      const outcome = await this.#inTurn();
      if (outcome.type === "good") return outcome.response;
      this.#attempts.push(this.#attemptOf(outcome.diagnosis));
      if (this.#isRepeated(outcome)) continue;
      if (isAsIs && outcome.response !== null) return outcome.response;
      discard(outcome.response);
      throw this.#errorOf(outcome.diagnosis, outcome);
    }
  }

  /** Whether to repeat was decided already: an official client only repeats what its own time limit ended. */
  #givenUp(): GatewayError {
    const { kind } = this.#request;
    this.#requests = 1;
    const diagnosis = judgeBreak("timeout", "The client's own time limit ended the request.", null, {
      kind,
      redact: this.#redact,
      nowMs: this.#settings.clock.now(),
    });
    return this.#errorOf(diagnosis, { headers: {} });
  }

  /** One attempt; its place is free again when its answer is over. */
  async #inTurn(): Promise<Outcome> {
    const { signal } = this.#request;
    const leave = await this.#target.origin.enter(signal);
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
    return this.#target.pauses.waitOut(this.#budget, this.#request.signal, (diagnosis, waitMs) => {
      // Its own wait was reported with its attempt.
      if (diagnosis === this.#told?.diagnosis) return;
      const event = { ...this.#event(), status: null, durationMs: 0 };
      this.#settings.onRetry({ ...event, diagnosis, waitMs, heldBack: true });
    });
  }

  async #attempt(over: () => void): Promise<Outcome> {
    const { clock } = this.#settings;
    const startedAtMs = clock.now();
    this.#requests += 1;
    const outcome = await exchange(this.#request, {
      settings: this.#settings,
      judge: { kind: this.#request.kind, redact: this.#redact, nowMs: startedAtMs },
      errorOf: (diagnosis, headers, thrown) => this.#errorOf(diagnosis, { headers, thrown }),
      over,
      isAskedElsewhere: this.#others.length > 0 ? (diagnosis) => this.#elsewhere(diagnosis).length > 0 : null,
    });
    const isGood = outcome.type === "good";
    this.#told = {
      ...this.#event(),
      status: isGood ? outcome.response.status : outcome.diagnosis.httpStatus,
      durationMs: clock.now() - startedAtMs,
      diagnosis: isGood ? null : outcome.diagnosis,
    };
    try {
      this.#settings.onAttempt(this.#told);
    } catch (error) {
      discard(outcome.response);
      throw error;
    }
    return outcome;
  }

  /** Those that may be asked instead: it was certainly not accepted, or is safe to repeat (spec 7.3.5). */
  #elsewhere(diagnosis: Diagnosis): readonly Target[] {
    const { gateway, request } = this.#target;
    const { cause, relayed } = diagnosis;
    const isSafe = request.isIdempotent || !mayBeAccepted(request.method, diagnosis);
    const isSpent = this.#requests >= this.#settings.maxAttempts;
    if (!isSafe || !request.isResendable || isSpent || cause === "malformed_request") return [];
    const account = gateway?.account ?? null;
    const isOurs = OF_THE_ACCOUNT.has(cause) && relayed === null && account !== null;
    return isOurs ? this.#others.filter((other) => other.gateway?.account !== account) : this.#others;
  }

  /** It is sent again at once to the next gateway; if there is none, to the same one after a wait. */
  #isRepeated({ diagnosis, response }: Bad): boolean {
    // Any gateway would refuse a malformed request.
    if (diagnosis.cause !== "malformed_request") this.#target.putLast?.();
    const [next, ...others] = this.#elsewhere(diagnosis);
    const waitMs = next === undefined ? this.#waitMs(diagnosis) : null;
    this.#hold(diagnosis, waitMs);
    if (next === undefined && waitMs === null) return false;
    discard(response);
    this.#mayBeAccepted ||= mayBeAccepted(this.#request.method, diagnosis);
    if (this.#told !== null)
      this.#settings.onRetry({ ...this.#told, diagnosis, waitMs: waitMs ?? 0, heldBack: false });
    if (next !== undefined) {
      this.#target = next;
      this.#others = others;
    }
    return true;
  }

  /** A wait that is asked of this call holds for other calls too, unless it is longer than they may wait. */
  #hold(diagnosis: Diagnosis, waitMs: number | null): void {
    const { clock, maxWaitMs } = this.#settings;
    const { allowed, afterSeconds } = diagnosis.retry;
    const heldMs = waitMs ?? (allowed ? (afterSeconds ?? 0) * 1000 : 0);
    if (heldMs > 0 && heldMs <= maxWaitMs) this.#target.pauses.hold(clock.now() + heldMs, diagnosis);
  }

  #attemptOf(diagnosis: Diagnosis): FailedAttempt {
    return { gateway: this.#target.gateway?.id ?? null, diagnosis };
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
    const isKnown = this.#attempts.length >= requests;
    const attempts = isKnown ? this.#attempts : [...this.#attempts, this.#attemptOf(diagnosis)];
    const failure = { diagnosis, headers, requests, mayHaveBeenAccepted, attempts };
    return new GatewayError({ ...failure, thrown }, this.#redact);
  }

  #event(): Pick<AttemptEvent, "attempt" | "method" | "url"> {
    const { method, url } = this.#request;
    return { attempt: this.#requests, method, url: this.#redact(url) };
  }
}

/** For official clients: they repeat what is thrown, and no answer that says `x-should-retry: false`. */
function asResponse(error: GatewayError): Response {
  const { diagnosis, message, requests, mayHaveBeenAccepted, attempts, status } = error;
  const { cause, errorType, errorCode, requestId } = diagnosis;
  const own = { type: errorType ?? cause, code: errorCode ?? cause, param: null, message };
  const body = {
    type: "error",
    message,
    error: { ...own, requests, mayHaveBeenAccepted, attempts, diagnosis },
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
