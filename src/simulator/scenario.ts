/** A scenario: one way in which a gateway answers, and what a correct monitor concludes from it. Pure types and builders. */
import { causeRow } from "../protocol/causes.ts";
import type { Cause, Health, Owner } from "../protocol/diagnosis.ts";
import type { Kind } from "../protocol/observation.ts";
import type { Gateway } from "./gateways.ts";
import type { Route } from "./api.ts";
import type { Wire } from "./wire.ts";

export interface Call {
  readonly method: string;
  /** Below the gateway's base URL, with a leading slash, without the query. */
  readonly path: string;
  readonly route: Route;
  /** The credentials of `Authorization: Bearer`, or of `x-goog-api-key`; empty without either header. */
  readonly key: string;
  readonly body: string;
  readonly requestId: string;
  /** 1 for the first request to this route of the gateway since it began to play its scenario. */
  readonly count: number;
  readonly nowMs: number;
}

/** What surrounds a request: the gateway's own memory, and the rest of the simulated world. */
export interface World {
  readonly gateway: Gateway;
  readonly elsewhere: string;
  readonly serve: (call: Call) => Wire;
}

export interface Expectation {
  readonly cause: Cause;
  readonly owner: Owner;
  readonly health: Health;
  /** HTTP exchanges of one probe by the reference behaviour (spec 7.4). */
  readonly attempts: number;
  /** The last attempt's; null when no headers came. */
  readonly httpStatus: number | null;
  /** `retry.afterSeconds` of the diagnosis. */
  readonly afterSeconds: number | null;
  /** Of a good model listing; null elsewhere. */
  readonly modelCount: number | null;
  /** Only the prober's time limit ends an attempt. */
  readonly hangs: boolean;
}

/** Where a scenario is played: below a path of the simulator, or at an address of its own. */
export type Place = "path" | "refused" | "unresolvable" | "tls_garbage" | "tls_untrusted";

export interface Scenario {
  readonly name: string;
  /** What must be asked for `expect` to hold. */
  readonly kind: Kind;
  readonly place: Place;
  /** The routes that it takes over; the others work. Null: every one. */
  readonly takes: readonly Route[] | null;
  readonly expect: Expectation;
  /** How polling a task ends, at its deadline at the latest; null: there is no task to poll. */
  readonly outcome: Expectation | null;
  readonly delayMs: number;
  readonly play: (call: Call, world: World) => Wire | Promise<Wire>;
}

type Play = Wire | Scenario["play"];
type Extras = Partial<Pick<Scenario, "kind" | "place" | "takes" | "outcome" | "delayMs">>;

/** A scenario with what must be concluded from it: first the cause and the HTTP status. */
export type Row = readonly [
  cause: Cause,
  httpStatus: number | null,
  name: string,
  play: Play,
  details?: Partial<Expectation>,
];

export function scenarios(rows: readonly Row[], extras: Extras = {}): readonly Scenario[] {
  return rows.map(([cause, httpStatus, name, play, details]) => ({
    name,
    kind: "models",
    place: "path",
    takes: null,
    outcome: null,
    delayMs: 0,
    ...extras,
    expect: expects(cause, httpStatus, details),
    play: typeof play === "function" ? play : () => play,
  }));
}

const NO_CIRCUMSTANCE = { layer: null, businessCode: null, retryAllowed: false, key: null, via: null };

/** One attempt, and the owner and health that belong to the cause, unless `details` says otherwise. */
export function expects(cause: Cause, httpStatus: number | null, details: Partial<Expectation> = {}) {
  const { owner, health } = causeRow(cause, { ...NO_CIRCUMSTANCE, httpStatus });
  return {
    cause,
    owner,
    health,
    attempts: 1,
    httpStatus,
    afterSeconds: null,
    modelCount: null,
    hangs: false,
    ...details,
  };
}
