/**
 * Every word that a reader of the pages and of the feed sees: a catalogue a language, each in one file. A sentence with
 * numbers, names or elements in it is a function of them, so that their order is the language's own; all of its arguments
 * are told. Words hold no markup, but for what stands out: some are written into HTML as they are.
 */
import type { Cause, Health, Owner } from "../../../protocol/diagnosis.ts";
import type { DayKind } from "../day-kinds.ts";
import { type Child, type Html, jsx } from "../../jsx/jsx-runtime.ts";
import type { CanaryWords } from "./canary-catalogue.ts";
import type { CausesWords } from "./causes-catalogue.ts";
import type { DayWords } from "./day-catalogue.ts";
import type { DocsWords } from "./docs-catalogue.ts";
import type { ExplainWords } from "./explain-catalogue.ts";
import type { RegionWords } from "./regions-catalogue.ts";
import type { OwnMessage } from "../../../protocol/thrown.ts";
import type {
  Counted,
  FeedWords,
  IncidentWords,
  Tensed,
  ReportWords,
  Sentence,
} from "./incident-catalogue.ts";

/** How a monitor or a gateway stands, as marks show it: of what was paused, or is worked on, neither up nor down is claimed. */
export type Shown = Health | "paused" | "maintenance";

/** What cannot be shown, and why. */
export type ProblemName =
  | "nothing"
  | "gateway"
  | "page"
  | "incident"
  | "report"
  | "method"
  | "posted"
  | "large"
  | "blank"
  | "garbled"
  | "media"
  | "absent"
  | "outage"
  | "unreadable"
  | "internal"
  | "locked"
  | "useless";

type CountedOf = (count: number, total: number) => string;

export interface Words {
  /** BCP 47: of the `lang` attribute. */
  readonly tag: string;
  /** As its speakers call it. */
  readonly name: string;
  /** Between two sentences. */
  readonly gap: string;
  readonly comma: string;
  /** Between names. */
  readonly list: string;
  readonly semicolon: string;
  readonly colon: string;
  readonly stop: string;
  /** In brackets, after other words. */
  readonly aside: Sentence;

  /** By themselves, on a mark or as a heading. */
  readonly shown: Readonly<Record<Shown, string>>;
  /** Within a sentence. */
  readonly within: Readonly<Record<Health, string>>;
  readonly causes: Readonly<Record<Cause, string>>;
  readonly causesPage: CausesWords;
  /** `authentication` where there was no key to send. */
  readonly noKey: string;
  readonly owners: Readonly<Record<Owner, string>>;
  /** Where no gateway at all can be reached, `network` is nobody else's. */
  readonly ownNetwork: string;
  readonly turn: Tensed<(owner: string) => Child>;
  /** What is stored in English; null: so is the page. What is not known here stays English. */
  readonly stored: {
    /** What is advised where a cause is as usual. */
    readonly advice: Readonly<Record<Cause, string>>;
    /** Of whole sentences; `$1` is what the first group of the pattern matched. */
    readonly sentences: readonly (readonly [pattern: RegExp, words: string])[];
    /** `$1` and `$2` are what the groups of the pattern matched. */
    readonly messages: Readonly<Record<OwnMessage, string>>;
  } | null;

  readonly units: Readonly<Record<"d" | "h" | "min" | "s" | "ms", string>>;
  readonly percent: (value: number) => string;
  readonly noData: string;
  readonly none: string;

  readonly frame: {
    readonly skip: string;
    readonly note: string;
    /** Of the feed, to feed readers. */
    readonly feed: string;
    readonly nav: string;
    readonly links: Readonly<Record<"feed" | "api" | "explain", string>>;
    readonly status: string;
    readonly madeBy: string;
  };
  readonly footer: {
    readonly lastRound: Sentence;
    readonly published: Sentence;
    readonly zone: (zone: string) => string;
    readonly uptime: string;
    readonly programs: (status: Child, incidents: Child, health: Child) => Child;
    readonly links: Readonly<Record<"status" | "incidents" | "health", string>>;
  };
  readonly failure: {
    readonly soon: Sentence;
    readonly again: string;
    readonly home: string;
  };
  readonly problems: Readonly<Record<ProblemName, { readonly title: string; readonly detail: string }>>;

  readonly headline: {
    readonly stale: string;
    readonly cutOff: string;
    /** `2 in planned maintenance`, in a list of how many stand how. */
    readonly counts: Readonly<
      Record<"up" | "degraded" | "down" | "unknown" | "maintenance" | "paused" | "waiting", Counted>
    >;
    readonly maintenance: Counted;
    readonly allUp: Counted;
    readonly someUp: CountedOf;
    readonly degraded: CountedOf;
    readonly down: CountedOf;
    readonly blocked: CountedOf;
    readonly allPaused: Counted;
    readonly unknown: string;
    /** After a headline about all others. @param gateways 0: how many they are is not known. */
    readonly missing: (gateways: number) => string;
    /** What can be read is up. */
    readonly partly: string;
    readonly nothing: string;
  };
  /** For the page's title. */
  readonly brief: {
    readonly stale: string;
    readonly cutOff: string;
    readonly maintenance: string;
    readonly allUp: string;
    readonly allPaused: string;
    readonly partly: string;
    readonly nothing: string;
    readonly blocked: Counted;
    readonly unknown: Counted;
  };
  /** That the checks have stopped, and what that means. */
  readonly stopped: {
    readonly never: string;
    readonly lastRound: Sentence;
    readonly page: string;
    readonly pageTurn: string;
    readonly feed: string;
    readonly feedTurn: string;
  };
  readonly banner: {
    readonly blocked: Counted;
    readonly more: Counted;
    readonly putOff: Counted;
    /** Of so many gateways, while others are checked. */
    readonly stopped: (count: number, names: Child) => Child;
    /** Gateways that cannot be read. @param count 0: which they are is not known. */
    readonly gaps: (count: number, names: Child) => Child;
    /** After a gateway's mark and name. */
    readonly planned: (until: Child, health: string) => Child;
  };
  readonly maintenance: {
    readonly until: Sentence;
    readonly uncounted: string;
    readonly headings: Readonly<Record<"underWay" | "planned", string>>;
    readonly everywhere: string;
    /** After its title and whom it concerns. */
    readonly underWay: (from: Child, to: Child) => Child;
    readonly planned: (from: Child, to: Child) => Child;
  };

  readonly overview: {
    readonly description: (headline: string, title: string) => string;
    readonly ofGateway: (standing: string, title: string) => string;
    readonly monitors: string;
    readonly noMonitors: string;
    readonly incidents: string;
    readonly recent: string;
    readonly noRecent: string;
    readonly open: Tensed<string>;
    readonly noOpen: Tensed<string>;
    /** Where open and recent ones are one list. */
    readonly noneOfGateway: Tensed<string>;
    /** Incidents that are not on the list for want of place. */
    readonly moreOpen: Counted;
  };
  /** Of the gateways on the overview, where they are many. */
  readonly paging: {
    readonly label: string;
    readonly range: (first: number, last: number, total: number) => string;
    readonly page: Counted;
    /** In a title. */
    readonly pageOf: CountedOf;
    readonly previous: string;
    readonly next: string;
  };
  readonly card: {
    readonly causesHidden: string;
    readonly noOutage: string;
    readonly noIncidentYet: string;
    readonly noIncidentInMaintenance: string;
    readonly paused: Sentence;
    readonly noEvidence: Tensed<string>;
    readonly lastVerdict: (health: string) => string;
    readonly lastCheck: (health: string) => string;
    readonly noVerdict: string;
    readonly notChecked: Tensed<string>;
    readonly lastFailure: (cause: string) => string;
    readonly missing: (models: string) => string;
    readonly maybe: Sentence;
    readonly waits: (length: string) => string;
    readonly code: Sentence;
    readonly businessCode: (code: number) => string;
    /** For those who hear a list of links. */
    readonly whose: Sentence;
    readonly incident: Sentence;
    readonly report: Sentence;
    readonly attempts: (count: number, waited: string) => string;
    readonly nothingSent: string;
    readonly never: string;
    readonly noneDue: string;
    /** In place of the instant of the next check. */
    /** What came of it is not published yet. */
    readonly wasDue: Sentence;
  };
  /** Names of what stands beside them. */
  readonly terms: {
    readonly since: Tensed<string>;
    readonly lastCheck: string;
    readonly nextCheck: Tensed<string>;
    readonly models: string;
    readonly turn: Tensed<string>;
    readonly advice: Tensed<string>;
    readonly message: string;
    /** A message of Gatepulse's own. */
    readonly finding: string;
    readonly firstFailure: string;
    readonly opened: string;
    readonly seen: string;
    readonly gateway: string;
    readonly monitor: string;
    readonly monitors: string;
    readonly id: string;
  };
  readonly uptime: {
    readonly "24h": (share: string) => string;
    readonly "7d": (share: string) => string;
    readonly "30d": (share: string) => string;
    readonly "90d": (share: string) => string;
    readonly since: (day: string, share: string) => string;
  };
  readonly days: {
    readonly last: Counted;
    readonly asTable: Counted;
    readonly columns: Readonly<Record<"days" | "worst" | "uptime", string>>;
    readonly kinds: Readonly<Record<DayKind, string>>;
    /** After a date. */
    readonly told: Readonly<Record<DayKind, string>>;
    readonly uptime: (share: string) => string;
    readonly notCounted: string;
    readonly range: (first: string, last: string) => string;
    readonly summary: (name: string, days: number) => string;
    readonly allUp: string;
    readonly failing: (days: number, health: string) => string;
    readonly planned: Counted;
    readonly empty: Counted;
    /** What the shapes of the bars mean. */
    readonly key: string;
  };

  readonly day: DayWords;
  readonly canary: CanaryWords;
  readonly regions: RegionWords;
  readonly incident: IncidentWords;
  readonly report: ReportWords;
  readonly feed: FeedWords;
  readonly docs: DocsWords;
  readonly explain: ExplainWords;
}

export function strong(words: Child): Html {
  return jsx("strong", { children: words });
}
