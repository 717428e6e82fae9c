/** The settings of alert channels, and what they mean. Pure. */
import { t } from "./spoken.ts";
import * as z from "zod/mini";
import { HAPPENING_TYPES } from "../domain/incident.ts";
import type { Subscription } from "../domain/stored.ts";
import { CAUSES_DOCUMENT } from "../protocol/causes.ts";
import { CAUSE_TABLE, CAUSES, OWNERS, TURNS } from "../protocol/diagnosis.ts";
import { judgeEndpoint } from "./base-url.ts";
import type { GatewayConfig } from "./config.ts";
import {
  SET_SECRET,
  address,
  bindingName,
  byKind,
  id,
  judged,
  must,
  oneOf,
  oneOrMany,
  pattern,
  secretName,
  setOf,
  settings,
  text,
  type Report,
} from "./fields.ts";
import { gatewayFilter } from "./plan-limits.ts";
import { judgeHeaders, judgeJson } from "./request.ts";

/** An event must pass every list. A list passes events that lack what it names: a list of owners passes one without an owner. */
const only = settings(
  {
    /** Whose turn it is, or was. `["us"]`: what you must fix. */
    turn: z.optional(setOf(oneOf(TURNS, t`a turn`), t`write a list like ["us"]`)),
    /** Who must act, or had to. `["caller"]`: the owner of the API key. */
    owner: z.optional(setOf(oneOf(OWNERS, t`an owner`), t`write a list like ["caller"]`)),
    /** Causes that the incident has, or had. Example: `["insufficient_balance", "quota_exceeded"]`. */
    cause: z.optional(
      setOf(
        // No incident ever has the others.
        oneOf(
          CAUSES.filter((cause) => !["up", "unknown"].includes(CAUSE_TABLE[cause].health)),
          t`a cause of incidents, see ${CAUSES_DOCUMENT}`,
        ),
        t`write a list like ["insufficient_balance"]`,
      ),
    ),
    /** Ids of gateways. */
    gateway: z.optional(
      setOf(z.string(t`write a gateway's id`), t`write a list of gateway ids, like ["acme"]`),
    ),
    /** What happened. A test passes in any case. */
    event: z.optional(setOf(oneOf(HAPPENING_TYPES, t`an event`), t`write a list like ["incident.opened"]`)),
  },
  t`write an object like { turn: ["us"] }`,
).check(
  must(
    (filter) => Object.values(filter).some((list) => list !== undefined),
    t`is empty`,
    t`add turn, owner, cause, gateway or event, or leave only out`,
  ),
);

const shared = {
  /** 1 to 40 of `a-z`, `0-9` and `-`, unique among the alerts. Default: the kind. */
  id: z.optional(id()),
  /** Send these alone. Default: everything. */
  only: z.optional(only),
};

const CHANNEL_FIX = t`write an object like { kind: "slack", url: "SLACK_URL" }`;

function channelOf<const Kind extends string, Shape extends z.core.$ZodShape>(kind: Kind, own: Shape) {
  return settings({ kind: z.literal(kind), ...shared, ...own }, CHANNEL_FIX);
}

/** @param usual the service's own, which is the default. */
function endpoint(usual: string) {
  return z._default(address(judgeEndpoint, t`leave it out, or write an address like ${usual}`), usual);
}

const SECRET_FIX = t`write the name of a secret like "ALERT_SECRET", or a list while it is rotated: ["NEW_SECRET", "OLD_SECRET"]; ${SET_SECRET}`;
const SECRET = secretName("ALERT_SECRET");
const CHAT_FIX = t`write the chat's number in quotes, like "-1001234567890", or its name, like "@channel"`;

const mailAddress = pattern(
  /^(?=.{3,254}$)[^\s@<>()",:;[\]\\]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i,
  t`write one address like oncall@acme.example`,
);

const chatWebhook = {
  /** The name of the secret that holds the address of the incoming webhook. Example: `"SLACK_URL"`. */
  url: secretName("CHAT_URL", true),
};

const bot = {
  ...chatWebhook,
  /** The name of the secret that holds the bot's signing secret. Default: its messages are not signed. */
  secret: z.optional(secretName("BOT_SECRET")),
  /** A word that the bot wants in each message. */
  keyword: z.optional(text(40)),
};

const LABELS_FIX = t`write a list of labels without commas, like ["gatepulse"]`;
const TEMPLATES_FIX = t`write an object of texts like { text: "{headline}" }`;
const SERVICES_FIX = t`write a list like ["push.acme.example"]`;
const JSON_FIX = t`write an object like { text: "{headline}" }`;

/** What templates may contain; docs/channels.md says what each is. */
const CUSTOM_FIELDS = [
  "headline",
  "details",
  "mark",
  "severity",
  "type",
  "event",
  "time",
  "title",
  "gateway",
  "monitor",
  "incident",
  "health",
  "cause",
  "turn",
  "url",
] as const;
export type CustomField = (typeof CUSTOM_FIELDS)[number];

function judgeFields(template: string, report: Report, ...below: readonly PropertyKey[]): void {
  const known: readonly string[] = [...CUSTOM_FIELDS, "key"];
  for (const [written, name = ""] of template.matchAll(/\{(\w+)\}/g))
    if (!known.includes(name)) report(t`contains ${written}`, t`use one of ${known.join(", ")}`, ...below);
}

/** By name, texts with fields. */
function templates() {
  return judged(z.record(z.string(), z.string(TEMPLATES_FIX), TEMPLATES_FIX), (written, report) => {
    for (const [name, template] of Object.entries(written)) judgeFields(template, report, name);
  });
}

export const channel = byKind(
  [
    /** JSON, signed as Standard Webhooks ask. */
    channelOf("webhook", {
      /** The name of the secret that holds the receiver's address. Example: `"ALERT_URL"`. */
      url: secretName("ALERT_URL", true),
      /**
       * The name of the secret that holds the signing secret, `whsec_…`; a list while it is rotated.
       * Example: `["NEW_SECRET", "OLD_SECRET"]`.
       */
      secret: oneOrMany(SECRET, z.array(SECRET, SECRET_FIX).check(z.minLength(1, SECRET_FIX)), SECRET_FIX),
    }),
    channelOf("slack", chatWebhook),
    channelOf("discord", chatWebhook),
    channelOf("teams", chatWebhook),
    channelOf("pagerduty", {
      /** The name of the secret that holds the integration's routing key (Events API v2). Example: `"PAGERDUTY_KEY"`. */
      routingKey: secretName("PAGERDUTY_KEY"),
      /** Default `"https://events.pagerduty.com"`; in the EU `"https://events.eu.pagerduty.com"`. */
      endpoint: endpoint("https://events.pagerduty.com"),
    }),
    channelOf("alertmanager", {
      /** The name of the secret that holds its base address, before `/api/v2/alerts`. Example: `"ALERTMANAGER_URL"`. */
      url: secretName("ALERT_URL", true),
      /** The name of the secret that holds a bearer token. Default: none is sent. */
      token: z.optional(secretName("ALERT_TOKEN")),
    }),
    channelOf("telegram", {
      /** The name of the secret that holds the bot's token. Example: `"TELEGRAM_TOKEN"`. */
      token: secretName("TELEGRAM_TOKEN"),
      /** The chat's number, or the name of a public one. Examples: `"-1001234567890"`, `"@channel"`. */
      chat: pattern(/^(?:-?\d{1,20}|@[A-Za-z]\w{3,31})$/, CHAT_FIX),
      /** Default `"https://api.telegram.org"`. */
      endpoint: endpoint("https://api.telegram.org"),
    }),
    channelOf("ntfy", {
      /** The name of the secret that holds the topic's address, like `https://ntfy.sh/<topic>`. Example: `"NTFY_URL"`. */
      url: secretName("ALERT_URL", true),
      /** The name of the secret that holds an access token. Default: none is sent. */
      token: z.optional(secretName("ALERT_TOKEN")),
    }),
    channelOf("feishu", bot),
    channelOf("dingtalk", bot),
    channelOf("wecom", chatWebhook),
    channelOf("googlechat", chatWebhook),
    channelOf("mattermost", chatWebhook),
    channelOf("bark", chatWebhook),
    channelOf("serverchan", chatWebhook),
    channelOf("oncall", chatWebhook),
    channelOf("gotify", {
      /** The name of the secret that holds the server's base address. Example: `"GOTIFY_URL"`. */
      url: secretName("ALERT_URL", true),
      /** The name of the secret that holds the application's token. */
      token: secretName("GOTIFY_TOKEN"),
    }),
    channelOf("pushover", {
      /** The name of the secret that holds the application's token. */
      token: secretName("PUSHOVER_TOKEN"),
      /** The name of the secret that holds the key of a user or group. */
      user: secretName("PUSHOVER_USER"),
    }),
    channelOf("matrix", {
      /** The name of the secret that holds the homeserver's base address. Example: `"MATRIX_URL"`. */
      url: secretName("ALERT_URL", true),
      /** The name of the secret that holds an access token of a user in the room. */
      token: secretName("MATRIX_TOKEN"),
      /** The room's id. Example: `"!abc:acme.example"`. */
      room: pattern(/^![^\s/?#]{1,250}$/, t`write the room's id, like "!abc:acme.example"`),
    }),
    channelOf("opsgenie", {
      /** The name of the secret that holds the key of an API integration. */
      token: secretName("OPSGENIE_KEY"),
      /** Default `"https://api.opsgenie.com"`; in the EU `"https://api.eu.opsgenie.com"`. */
      endpoint: endpoint("https://api.opsgenie.com"),
    }),
    /** An issue for each incident, with comments, closed at its end. */
    channelOf("github", {
      /** Example: `"acme/status"`. */
      repo: pattern(/^[\w-]{1,60}\/(?!\.{1,2}$)[\w.-]{1,100}$/, t`write owner and name, like "acme/status"`),
      /** The name of the secret that holds a token that may write issues. */
      token: secretName("GITHUB_TOKEN"),
      /** The first one finds the issues again. Default `["gatepulse"]`. */
      labels: z._default(setOf(pattern(/^[^,\p{Cc}\p{Cs}]{1,50}$/u, LABELS_FIX), LABELS_FIX), ["gatepulse"]),
      /** Default `"https://api.github.com"`; of GitHub Enterprise `"https://github.acme.example/api/v3"`. */
      endpoint: endpoint("https://api.github.com"),
    }),
    /** Any HTTP request. `{headline}` and other fields of the event stand in its templates; `{key}` is the secret. */
    channelOf("custom", {
      /** The name of the secret that holds the address. Example: `"ALERT_URL"`. */
      url: secretName("ALERT_URL", true),
      /** Default `"POST"`. */
      method: z._default(oneOf(["POST", "PUT", "PATCH", "GET"], t`a method`), "POST"),
      /** The name of the secret that `{key}` stands for. */
      secret: z.optional(secretName("ALERT_TOKEN")),
      /** Example: `{ authorization: "Bearer {key}" }`. */
      headers: z.optional(judged(templates(), (headers, report) => judgeHeaders(headers, report, "secret"))),
      /** Added to the address. */
      query: z.optional(templates()),
      /** Sent as JSON. Example: `{ text: "{headline}" }`. */
      json: z.optional(
        judged(z.record(z.string(), z.unknown(), JSON_FIX), (json, report) => {
          judgeFields(judgeJson(json, JSON_FIX, report), report);
        }),
      ),
      /** Sent as a form. */
      form: z.optional(templates()),
    }).check(
      must(({ json, form }) => !json || !form, t`has json and form`, t`keep one of them`),
      must(
        ({ method, json, form }) => method !== "GET" || !(json ?? form),
        t`is GET and has a body`,
        t`write POST`,
      ),
    ),
    /** Mail by the platform; it needs a `send_email` binding in wrangler.toml. */
    channelOf("email", {
      /** Of a domain that the account may send from. */
      from: mailAddress,
      /** 1 to 50 addresses. */
      to: setOf(mailAddress, t`write a list of addresses, like ["oncall@acme.example"]`).check(
        z.maxLength(50, t`use at most ${50}`),
      ),
      /** The name of the binding. Default `"EMAIL"`. */
      binding: z._default(bindingName("EMAIL"), "EMAIL"),
    }),
  ],
  t`a kind of channel`,
  CHANNEL_FIX,
);

/** Types what all that use channels take: addresses and keys are names of secrets, endpoints have no trailing slash. */
export function normaliseChannel(input: z.output<typeof channel>, gateways: readonly GatewayConfig[]) {
  return { ...input, id: input.id ?? input.kind, only: filterOf(input.only, gateways) };
}

/** What `otlp` means for incidents: a channel that hears their end. */
export function otlpChannel(written: { endpoint: string; headers?: string | undefined }) {
  return {
    kind: "otlp" as const,
    id: "otlp",
    endpoint: written.endpoint,
    secret: written.headers,
    only: onlyEvents(["incident.resolved"]),
  };
}

/** Browsers that subscribe on the page. */
export const push = settings(
  {
    /** The public key of a pair. `npx web-push generate-vapid-keys` makes one. */
    publicKey: pattern(/^B[\w-]{86}$/, t`write a public key, 87 characters that begin with B`),
    /** The name of the secret that holds the private key. Example: `"PUSH_KEY"`. */
    privateKey: secretName("PUSH_KEY"),
    /** How a push service reaches you. Example: `"mailto:oncall@acme.example"`. */
    subject: pattern(
      /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
      t`write an address like mailto:oncall@acme.example`,
    ),
    /** Hosts of push services: other addresses are not taken. Default: those of Chrome, Firefox, Edge and Safari. */
    services: z._default(
      setOf(pattern(/^[a-z0-9.-]{1,253}$/, t`write a host like push.acme.example`), SERVICES_FIX),
      ["fcm.googleapis.com", "push.services.mozilla.com", "notify.windows.com", "push.apple.com"],
    ),
  },
  t`write an object like { publicKey: "B…", privateKey: "PUSH_KEY", subject: "mailto:oncall@acme.example" }`,
);

/** What `push` means: a channel for each browser that subscribed. */
export function pushChannel({ publicKey, privateKey, subject }: z.output<typeof push>) {
  return {
    kind: "push" as const,
    id: "push",
    publicKey,
    secret: privateKey,
    subject,
    /** Of one browser; null: what all have in common. */
    subscription: null as Subscription | null,
    only: onlyEvents(["incident.opened", "incident.resolved"]),
  };
}

function onlyEvents(events: NonNullable<ReturnType<typeof filterOf>["events"]>) {
  return { ...filterOf(undefined, []), events };
}

/** Null: no filter. */
function filterOf(filter: z.output<typeof only> | undefined, gateways: readonly GatewayConfig[]) {
  const { turn = null, owner = null, cause = null, gateway = null, event = null } = filter ?? {};
  return {
    turns: turn,
    owners: owner,
    causes: cause,
    gateways: gateway && gatewayFilter(gateway, gateways),
    /** A test has no filter to pass: it goes where a person sends it. */
    events: event,
  };
}
