/** English: what all pages share, the status pages and the feed. The rest is in `en-reference.ts`. */
import { type Child, say } from "../../jsx/jsx-runtime.ts";

const UNAVAILABLE = "Service unavailable";
const BAD_REQUEST = "Bad request";
const NOT_FOUND = "Not found";
const PRIVATE = "This page is private";
/** Answers to programs have them too. */
export const PROBLEMS = {
  nothing: { title: NOT_FOUND, detail: "There is nothing at this address." },
  gateway: { title: NOT_FOUND, detail: "There is no such gateway here." },
  page: { title: NOT_FOUND, detail: "There is no such page of gateways here." },
  incident: { title: NOT_FOUND, detail: "There is no such incident here." },
  report: { title: NOT_FOUND, detail: "There is no such report here." },
  method: { title: "Method not allowed", detail: "This address can be read only: use GET or HEAD." },
  posted: { title: "Method not allowed", detail: "This address takes other methods." },
  large: { title: "Content too large", detail: "At most 262,144 bytes can be explained at once." },
  blank: { title: BAD_REQUEST, detail: "There is nothing to explain: the text is blank." },
  garbled: { title: BAD_REQUEST, detail: "What the form sent cannot be read." },
  media: { title: "Unsupported media type", detail: "This address takes a form, in UTF-8." },
  absent: { title: UNAVAILABLE, detail: "There is no result yet: the first check runs within a minute." },
  outage: {
    title: UNAVAILABLE,
    detail: "The store of results does not answer. The checks themselves may well go on.",
  },
  unreadable: {
    title: UNAVAILABLE,
    detail: "The stored result is damaged or of another version. The next publication replaces it.",
  },
  internal: {
    title: "Internal error",
    detail: "Something here is broken. It has nothing to do with the gateways.",
  },
  locked: {
    title: PRIVATE,
    detail: "It asks for a token: as a bearer token, or as the password with any user name.",
  },
  useless: {
    title: PRIVATE,
    detail: "The token that was set for it is of no use, so nobody can see it. The log says why.",
  },
};

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function standing(state: string) {
  return {
    one: `The monitor is ${state}`,
    all: (total: number) => `All ${total} monitors are ${state}`,
    some: (count: number, total: number) =>
      `${count} of ${total} monitors ${count === 1 ? "is" : "are"} ${state}`,
  };
}

export const ENGLISH_STATUS = {
  tag: "en",
  /** Between two sentences. */
  gap: " ",
  comma: ", ",
  list: ", ",
  semicolon: "; ",
  colon: ": ",
  stop: ".",
  aside: (words: Child) => say` (${words})`,

  shown: {
    up: "Up",
    degraded: "Degraded",
    down: "Down",
    blocked: "Blocked",
    unknown: "Unknown",
    paused: "Paused",
    maintenance: "Maintenance",
  },
  owners: {
    caller: "the owner of the monitor’s key",
    operator: "the gateway’s operator",
    upstream: "the provider behind the gateway",
    network: "the people who run the network or its DNS",
    nobody: "nobody’s: it passes by itself",
  },
  /** `network` where no gateway can be reached. */
  ownNetwork: "the people who run the monitoring",
  whoseTurn: "Whose turn:",
  /** `label`: the words before. */
  turn: (label: Child, owner: string) => say`${label} ${owner}.`,

  underMinute: "under 1\u00a0min",
  ago: (age: string) => `${age} ago`,
  units: { d: "d", h: "h", min: "min", s: "s", ms: "ms" },
  percent: (value: number) => `${value}\u00a0%`,
  noData: "no data",
  none: "none",

  frame: {
    skip: "Skip to the content",
    note: "Note:",
    nav: "This site",
    links: { feed: "Feed", api: "API", explain: "Explain" },
    status: "Status",
    madeBy: "Made by Gatepulse.",
  },
  footer: {
    lastRound: (at: Child) => say`Last round of checks: ${at}.`,
    published: (at: Child) => say`Published: ${at}.`,
    zone: (zone: string) => `Times and days are those of ${zone}.`,
    uptime: "Uptime counts neither what the monitor could not see nor maintenance.",
    programs: (links: Child) => say`For programs: ${links}.`,
    links: { status: "status", incidents: "incidents", health: "health" },
  },
  failure: {
    soon: (link: Child) =>
      say`What an alert reports appears here a few seconds later, or a few minutes on a day with a lot of news: ${link}.`,
    again: "load this page again",
    home: "To the status page",
  },
  problems: PROBLEMS,

  headline: {
    stale: "The checks have stopped",
    cutOff: "The monitoring itself can reach no gateway",
    counts: {
      up: (count: number) => `${count} up`,
      degraded: (count: number) => `${count} degraded`,
      down: (count: number) => `${count} down`,
      blocked: (count: number) => `${count} blocked`,
      unknown: (count: number) => `${count} without fresh evidence`,
      maintenance: (count: number) => `${count} in planned maintenance`,
      paused: (count: number) => `${count} paused`,
      waiting: (count: number) => `${count} waiting`,
    },
    maintenance: (count: number) => `${counted(count, "monitor")} in planned maintenance`,
    up: standing("up"),
    degraded: standing("degraded"),
    down: standing("down"),
    blocked: standing("blocked, no outage seen"),
    paused: standing("paused"),
    unknown: "Not everything is known yet",
    partly: "Some gateways cannot be read; all others are up",
    nothing: "Nothing is monitored yet",
  },
  stopped: {
    never: "No check has run yet, though one was due.",
    lastRound: (at: Child) => say`The last round of checks whose results arrived here is that of ${at}.`,
    now: "Nothing here says how the gateways are now.",
    turn: "The people who run the monitoring must act.",
    gateways: (count: number, names: Child) =>
      say`The checks of ${counted(count, "gateway")} have stopped, so ${count === 1 ? "its" : "their"} present state is not known: ${names}.`,
    /** `names`: an aside, or empty. */
    gaps: (names: Child) =>
      say`Some gateways are missing from this page${names}: what was published about them cannot be read now. That says nothing about how they are.`,
  },
  turns: {
    heading: "What fails, and whose turn it is",
    whose: {
      caller: "Your turn",
      own: "The people who run the monitoring",
      operator: "The gateway’s operator",
      upstream: "The provider behind the gateway",
      network: "The network or the name",
      hidden: "Causes not published",
      nobody: "Passes by itself",
      planned: "In planned maintenance",
      stopped: "Open when the checks stopped",
    },
    notes: {
      caller: "The owner of the monitor’s key must act.",
      own: "The monitoring itself is cut off.",
      operator: "Send them the report.",
      upstream: "Wait, or use another gateway.",
      network: "Check the route and the DNS records.",
      hidden: "These gateways publish only their health.",
      nobody: "Send fewer requests until it does.",
      planned: "No incident opens meanwhile.",
      stopped: "How they are now is not known.",
    },
    yet: "No incident yet: one opens if the next checks fail too.",
    more: (count: number) => `And ${count} more: see the rows below.`,
  },
  rows: {
    caption: "All monitors",
    columns: {
      monitor: "Monitor",
      days: "90 days",
      uptime: "Uptime",
      hours: "24 hours",
      median: "Median",
      checked: "Checked",
    },
    none: "No monitor of this gateway has been planned yet.",
  },
  maintenance: {
    until: (at: Child) => say`In planned maintenance until ${at}.`,
    uncounted: "What is seen meanwhile does not count in the uptime.",
    heading: "Planned maintenance",
    everywhere: "all gateways",
    underWay: (from: Child, to: Child) => say`under way since ${from} until ${to}`,
    planned: (from: Child, to: Child) => say`planned from ${from} until ${to}`,
  },

  overview: {
    description: (headline: string, title: string) => `${headline}. Status of ${title}.`,
    ofGateway: (standing: string, title: string) => `${standing}. One of ${title}.`,
    incidents: "Incidents",
    recent: "Recent incidents",
    noIncidents: "None recently.",
  },
  paging: {
    label: "Pages of gateways",
    range: (first: number, last: number, total: number) =>
      `Gateways ${first} to ${last} of ${total}; those in trouble come first.`,
    pageOf: (number: number, count: number) => `page ${number} of ${count}`,
    previous: "Previous page",
    next: "Next page",
  },
  card: {
    causesHidden: "The causes of this gateway are not published.",
    noOutage: "This is no outage of the gateway.",
    paused: (at: Child) =>
      say`A person paused this monitor at ${at}. Until it is resumed nothing is checked here, and nothing is said about how it is.`,
    noEvidence: "There is no fresh evidence.",
    lastVerdict: (health: string) => `The last verdict was “${health}”.`,
    noVerdict: "There is no verdict yet.",
    lastFailure: (cause: string) => `Last failure: ${cause}`,
    missing: (models: string) => `Missing models: ${models}`,
    maybe: (causes: Child) => say`It may also be: ${causes}.`,
    waits: (length: string) => `The gateway asks to wait ${length}.`,
    code: (code: Child) => say`code ${code}`,
    businessCode: (code: number) => `business code ${code}`,
    incident: "The incident",
    report: "Problem report",
    attempts: (count: number, waited: string) => `${count} attempts with ${waited} of waiting`,
    nothingSent: "nothing was sent",
    never: "never",
    noneDue: "none planned",
  },
  terms: {
    since: "Since",
    lastCheck: "Last check",
    nextCheck: "Next check",
    models: "Models listed",
    turn: "Whose turn",
    advice: "What to do",
    message: "The service’s own words",
    finding: "What was found",
    firstFailure: "First failure seen",
    opened: "Opened",
    seen: "Seen by a person",
    gateway: "Gateway",
    monitor: "Monitor",
    monitors: "Monitors",
    id: "Id",
  },
  days: {
    last: (count: number) => `Uptime, last ${counted(count, "day")}`,
    asTable: (days: number) => `The last ${days} days as a table`,
    columns: { days: "Day", worst: "Worst", uptime: "Uptime" },
    uptime: (share: string) => `uptime ${share}`,
    uptimeSince: (day: string, share: string) => `since ${day} ${share}`,
    notCounted: "not counted",
    summary: (name: string, days: number) => `${name}, the last ${counted(days, "day")}`,
    allUp: "up on every day",
    count: (kind: string, days: number) => `${kind} on ${counted(days, "day")}`,
    key: "A bar for each day: full is up; lower is degraded; split is down; half is blocked; short is unknown; a dash is maintenance or no data.",
  },

  day: {
    latency: "Latency, last 24 hours",
    /** `range`: `percentiles` or `noData`. */
    latencyOf: (monitor: string, range: string) => `Latency of ${monitor} in the last 24 hours: ${range}`,
    percentiles: (p50: string, p95: string, p99: string) => `p50 ${p50}, p95 ${p95}, p99 ${p99}`,
    median: "half of the answers came within (p50)",
    high: "95\u00a0% came within (p95)",
    now: "now",
    table: "The 24 hours as a table",
    columns: { halfHour: "Half hour from", p50: "p50", p95: "p95" },
    probes: "Newest checks",
    probeColumns: { at: "Time", result: "Result", latency: "Latency", http: "HTTP" },
    noProbes: "No check of the last half hour came to a verdict that is published.",
    attempts: (count: number, waited: string) => `${count}, waited ${waited}`,
    inMaintenance: "(maintenance)",
    models: "Models",
    modelsListed: (count: number) => `${counted(count, "model")} in the list.`,
    vanished: (models: string) => `Gone: ${models}.`,
    returned: (models: string) => `Back: ${models}.`,
    /** `ago` is kept up to date by the script. */
    fresh: (ago: Child) => say`Checked ${ago}.`,
    /** Shown by the script. */
    lost: "Nothing new has come for a long time: what this page shows may be out of date. Load it again.",
    lostTitle: "Out of date · ",
    /** The script puts it in place of `footer.zone`. */
    localTimes: "Times are those of your device; days are those of the site.",
  },

  regions: {
    names: {
      wnam: "Western North America",
      enam: "Eastern North America",
      sam: "South America",
      weur: "Western Europe",
      eeur: "Eastern Europe",
      apac: "Asia-Pacific",
      "apac-ne": "Northeast Asia-Pacific",
      "apac-se": "Southeast Asia-Pacific",
      oc: "Oceania",
      afr: "Africa",
      me: "Middle East",
    },
    heading: "Seen from",
    columns: { region: "Region", uptime: "Uptime, 24 h" },
    failing: (regions: string) => `It fails as seen from ${regions}.`,
    mostWork: "From most regions it works.",
    failingFrom: (regions: string) => `fails from ${regions}`,
  },
  canary: {
    notAsked: (since: Child, why: string) => say`Not asked since ${since}: ${why}`,
    cap: (perDay: number) => `the limit of ${counted(perDay, "request")} a day is reached.`,
    gateway: (cause: string) => `the gateway’s list fails (${cause}), and this would fail too.`,
    gatewayFails: "the gateway’s list fails, and this would fail too.",
    unlisted: "the list does not name this model. It is tried once a day.",
    task: (created: Child, deadline: Child) =>
      say`Its task, created at ${created}, may run until ${deadline}.`,
    taskState: (state: Child) => say`The gateway calls its state “${state}”.`,
    whenThatChanges: "as soon as that changes",
    terms: {
      firstToken: "First token",
      speed: "Tokens a second",
      duration: "Duration of the task",
      tokens: "Tokens",
      taskId: "Task",
      today: "Today",
      balance: "Balance",
    },
    range: (p50: string, p95: string) => `24\u00a0h: p50 ${p50}, p95 ${p95}`,
    tokens: (input: number, output: number) => `${counted(input, "token")} in, ${output} out`,
    requests: (count: number) => counted(count, "request"),
    requestsOf: (count: number, perDay: number) => `${count} of ${counted(perDay, "request")}`,
    warnsBelow: (limit: string) => `warns below ${limit}`,
  },

  incident: {
    itself: "The monitoring itself",
    ended: {
      resolved: "Resolved",
      removed: "Monitor removed",
      paused: "Monitor paused",
      unseen: "Ended unseen",
    },
    blocked:
      "A blocked monitor cannot see whether its gateway works. That alone is no outage of the gateway.",
    recovering: "The last check was good; the incident ends when good checks go on.",
    flapping: "Flapping: checks succeed and fail so often that not every change is reported.",
    flaps: "Flapping",
    opensBlocked: "Monitor blocked",
    hidden: "not published",
    endedAfter: (at: Child, length: string) => say`${at} (after ${length})`,
    timeline: "Timeline",
    types: {
      opened: "opened",
      updated: "updated",
      joined: "another monitor joined",
      left: "a monitor left",
      flapping: "began to flap",
      steady: "flaps no more",
      resolved: "resolved",
      removed: "removed",
      paused: "paused",
    },
    turnThen: (owner: string) => `Whose turn then: ${owner}`,
    notes: "Notes",
    firstReport: "Report of the failure that opened it",
    latestReport: "Report of the latest failure",
    openFor: (age: Child) => say`open for ${age}`,
    over: (age: Child, length: string) => say`ended ${age} ago, after ${length}`,
    neverSeen: "Nobody saw it recover.",
    seen: "A person has seen it.",
  },
  report: {
    noneSent: "Nothing was sent:",
    /** `label`: the words before. */
    nothingSent: (label: Child, cause: string) => say`${label} ${cause.toLowerCase()}.`,
    about: (incident: Child, json: Child) =>
      say`What happened, without any secret, for the people you ask for help. It belongs to ${incident}; also as ${json}.`,
    thisIncident: "this incident",
    hiddenAddress: (address: Child, key: Child) =>
      say`The address is not published: ${address} stands for it, and ${key} for the key.`,
    reproduce: "To reproduce",
    heading: "Problem report",
    copy: "To copy, as Markdown",
    yes: "yes",
    no: "no",
    noAttempt: "0: nothing was sent",
    cause: (cause: string, id: string) => `${cause} (${id})`,
    /** In the order of spec 7.5. */
    fields: {
      endpoint: "Endpoint",
      modelId: "Model",
      requestedAt: "Requested at",
      timeZone: "Time zone",
      httpStatus: "HTTP status",
      errorType: "Error type",
      errorCode: "Error code",
      businessCode: "Business code",
      requestId: "Request id",
      taskId: "Task id",
      streaming: "Streaming",
      retried: "Already retried",
      attempts: "Attempts",
      client: "Client",
      cause: "Cause",
      message: "Message",
      regions: "Seen from",
      id: "Report id",
    },
  },
  feed: {
    subtitle: "Incidents and planned maintenance.",
    note: (at: Child, words: Child) => say`Note of ${at}: ${words}`,
    earlier: (count: number) =>
      `The timeline begins with ${count} earlier changes, which the incident’s page shows.`,
    window: (title: Child, from: Child, to: Child) => say`${title}: from ${from} to ${to}.`,
    concerns: (gateways: Child) => say`It concerns ${gateways}.`,
    planned: (title: string) => `Planned maintenance: ${title}`,
    underWay: (title: string) => `Planned maintenance, under way: ${title}`,
    over: (title: string) => `Planned maintenance, over: ${title}`,
    resumed: {
      title: "The checks run again",
      unseen: (from: Child, to: Child) =>
        say`From ${from} to ${to} nothing was checked: how the gateways were then is not known.`,
    },
  },
};
