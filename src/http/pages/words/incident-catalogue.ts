/**
 * The words that tell of incidents: their pages and lists, problem reports, and the feed.
 */
import type { TimelineType } from "../../../domain/incident.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";

export type Sentence = (slot: Child) => Child;
export type Counted = (count: number) => string;

/** Where a thing is told of now, and of what is over. */
export interface Tensed<Words> {
  readonly now: Words;
  readonly past: Words;
}

export interface IncidentWords {
  readonly itself: string;
  /** What is the matter with what was named before. */
  readonly matter: (what: string) => string;
  readonly unreached: Tensed<(cause: string) => string>;
  readonly reachesNone: Tensed<(cause: string) => string>;
  readonly later: (first: string, now: string) => string;
  readonly laterHealth: string;
  readonly thenHealth: string;
  readonly ended: Readonly<Record<"resolved" | "removed" | "paused" | "unseen", string>>;
  readonly endedWas: (ended: string, healths: string) => string;
  readonly phases: Readonly<
    Record<
      "open" | "uncertain" | "resolved" | "removed" | "paused" | "lastRemoved" | "lastPaused" | "unseen",
      string
    >
  >;
  readonly blocked: Tensed<string>;
  readonly course: (last: string, before: string) => string;
  readonly last: Readonly<Record<"told" | "now" | "stopped" | "ended", (health: string) => string>>;
  readonly stage: (health: string, cause: string) => string;
  readonly notRecorded: string;
  readonly recovering: string;
  readonly flapping: Tensed<string>;
  readonly flaps: string;
  readonly opensBlocked: string;
  readonly countedFrom: (length: string) => string;
  readonly hidden: string;
  readonly openStill: Tensed<Sentence>;
  readonly endedAfter: (at: Child, length: string) => Child;
  readonly gone: Sentence;
  readonly timeline: string;
  readonly types: Readonly<Record<TimelineType, string>>;
  readonly turnThen: (owner: string) => string;
  readonly notes: string;
  readonly reports: string;
  readonly firstReport: string;
  readonly latestReport: string;
  /** In lists. */
  readonly stretch: (from: Child, to: Child, length: string) => Child;
  readonly opened: Tensed<Sentence>;
  readonly neverSeen: string;
  readonly seen: string;
  readonly noteCount: Counted;
}

export interface ReportWords {
  readonly title: Sentence;
  readonly titleWith: (subject: string, cause: string) => string;
  readonly description: (subject: string, cause: string) => string;
  readonly nothingSent: (cause: string) => Child;
  readonly about: (incident: Child, json: Child) => Child;
  readonly thisIncident: string;
  readonly hiddenAddress: (address: Child, key: Child) => Child;
  readonly reproduce: string;
  /** Of the report as Markdown. */
  readonly heading: string;
  readonly copy: string;
  readonly yes: string;
  readonly no: string;
  readonly noAttempt: string;
  readonly cause: (cause: string, id: string) => string;
  readonly fields: Readonly<
    Record<
      | "endpoint"
      | "modelId"
      | "requestedAt"
      | "timeZone"
      | "httpStatus"
      | "errorType"
      | "errorCode"
      | "businessCode"
      | "requestId"
      | "taskId"
      | "streaming"
      | "retried"
      | "attempts"
      | "client"
      | "cause"
      | "message"
      | "regions"
      | "id",
      string
    >
  >;
}

export interface FeedWords {
  readonly subtitle: string;
  readonly stoppedSubtitle: string;
  readonly message: Sentence;
  /** A message of Gatepulse's own. */
  readonly finding: Sentence;
  readonly opened: Sentence;
  readonly seen: Sentence;
  readonly ended: (ended: string, at: Child, length: string) => Child;
  readonly note: (at: Child, text: Child) => Child;
  readonly earlier: Counted;
  readonly window: (title: Child, from: Child, to: Child) => Child;
  readonly concerns: (gateways: Child) => Child;
  readonly planned: (title: string) => string;
  readonly underWay: (title: string) => string;
  readonly over: (title: string) => string;
  /** After a time without checks. */
  readonly resumed: { readonly title: string; readonly unseen: (from: Child, to: Child) => Child };
}
