/** What the gateways of the year do: spells of trouble, each of one kind, and now and then a single bad answer. */
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import type { Cause, Health, KeptDiagnosis } from "../../src/protocol/diagnosis.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import type { Random } from "../fixtures/random.ts";

const NO_HEADERS = { layer: "network", httpStatus: null } as const;

function failure(
  cause: Cause,
  health: Health,
  httpStatus: number,
  over: Partial<KeptDiagnosis> = {},
): KeptDiagnosis {
  return diagnosis(cause, health, { httpStatus, ...over });
}

/** Every cause that a list of models may have. */
const TROUBLES: readonly KeptDiagnosis[] = [
  diagnosis("slow", "degraded", { ok: true, layer: null }),
  diagnosis("model_missing", "degraded", { ok: true, layer: null }),
  ...(["dns_failure", "connection_failed", "tls_failure", "timeout", "network_error"] as const).map((cause) =>
    diagnosis(cause, "down", NO_HEADERS),
  ),
  failure("edge_blocked", "blocked", 403),
  failure("wrong_url", "blocked", 404),
  failure("malformed_request", "blocked", 400),
  failure("authentication", "blocked", 401, { owner: "caller" }),
  failure("insufficient_balance", "blocked", 402, { owner: "caller" }),
  failure("quota_exceeded", "blocked", 429, { owner: "caller" }),
  failure("permission_denied", "blocked", 403, { owner: "caller" }),
  failure("not_found", "blocked", 404),
  failure("rate_limited", "degraded", 429, { retry: { allowed: true, afterSeconds: 240, hint: null } }),
  failure("service_misconfigured", "down", 500),
  failure("upstream_unavailable", "down", 503, { owner: "upstream" }),
  failure("http_error", "down", 500),
  failure("business_error", "down", 200, { layer: "business" }),
  failure("api_error", "down", 200, { layer: "api" }),
  failure("unexpected_response", "down", 200, { layer: "body" }),
];

export class Weather {
  readonly #random: Random;
  /** By the gateway's number: until when it has which trouble. */
  readonly #spells = new Map<number, { untilMs: number; trouble: KeptDiagnosis }>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** @param isCalm it never fails: it shows that the monitoring's own network works. */
  outcome(who: number, atMs: number, isCalm: boolean): ProbeOutcome {
    const latencyMs = 40 + this.#random.whole(900);
    const trouble = isCalm ? null : this.#troubleOf(who, atMs);
    const base = { startedAtMs: atMs, durationMs: latencyMs, latencyMs, modelCount: 3 };
    if (trouble === null) return outcome({ ...base, diagnosis: diagnosis("ok", "up") });
    const tries = trouble.retry.allowed ? 3 : 1;
    const attempt = {
      httpStatus: trouble.httpStatus,
      error: null,
      durationMs: 20,
      retryAfter: null,
      waitedMs: 0,
    };
    return outcome({
      ...base,
      modelCount: trouble.ok ? 3 : null,
      waitedMs: tries > 1 ? 1500 : 0,
      attempts: Array.from({ length: tries }, () => attempt),
      diagnosis: trouble,
    });
  }

  #troubleOf(who: number, atMs: number): KeptDiagnosis | null {
    const spell = this.#spells.get(who);
    if (spell && atMs < spell.untilMs) return this.#random.happens(0.97) ? spell.trouble : null;
    if (this.#random.happens(0.004)) return this.#random.pick(TROUBLES);
    if (!this.#random.happens(0.0008)) return null;
    const trouble = this.#random.pick(TROUBLES);
    this.#spells.set(who, { untilMs: atMs + (10 + this.#random.whole(600)) * 60_000, trouble });
    return trouble;
  }
}
