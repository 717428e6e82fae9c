/** The settings of alert channels, and what they mean. Pure. */
import * as z from "zod/mini";
import { HAPPENING_TYPES } from "../domain/incident.ts";
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
  must,
  oneOf,
  oneOrMany,
  pattern,
  secretName,
  setOf,
  settings,
} from "./fields.ts";
import { gatewayFilter } from "./placement.ts";

/** An event must pass each list that is there. A list of owners does not stop an event without an owner; so with the others. */
const only = settings(
  {
    /** Whose turn it is, or was. `["us"]`: what you must fix. */
    turn: z.optional(setOf(oneOf(TURNS, "a turn"), 'write a list like ["us"]')),
    /** Who must act, or had to. `["caller"]`: the owner of the API key. */
    owner: z.optional(setOf(oneOf(OWNERS, "an owner"), 'write a list like ["caller"]')),
    /** Causes that the incident has, or had. Example: `["insufficient_balance", "quota_exceeded"]`. */
    cause: z.optional(
      setOf(
        // No incident ever has the others.
        oneOf(
          CAUSES.filter((cause) => !["up", "unknown"].includes(CAUSE_TABLE[cause].health)),
          `a cause of incidents, see ${CAUSES_DOCUMENT}`,
        ),
        'write a list like ["insufficient_balance"]',
      ),
    ),
    /** Ids of gateways. */
    gateway: z.optional(
      setOf(z.string("write a gateway's id"), 'write a list of gateway ids, like ["acme"]'),
    ),
    /** What happened. A test passes in any case. */
    event: z.optional(setOf(oneOf(HAPPENING_TYPES, "an event"), 'write a list like ["incident.opened"]')),
  },
  'write an object like { turn: ["us"] }',
).check(
  must(
    (filter) => Object.values(filter).some((list) => list !== undefined),
    "is empty",
    "add turn, owner, cause, gateway or event, or leave only out",
  ),
);

const shared = {
  /** 1 to 40 of `a-z`, `0-9` and `-`, unique among the alerts. Default: the kind. */
  id: z.optional(id()),
  /** Send these alone. Default: everything. */
  only: z.optional(only),
};

const CHANNEL_FIX = 'write an object like { kind: "slack", url: "SLACK_URL" }';

function channelOf<const Kind extends string, Shape extends z.core.$ZodShape>(kind: Kind, own: Shape) {
  return settings({ kind: z.literal(kind), ...shared, ...own }, CHANNEL_FIX);
}

/** @param usual the service's own, which is the default. */
function endpoint(usual: string) {
  return z._default(address(judgeEndpoint, `leave it out, or write an address like ${usual}`), usual);
}

const SECRET_FIX = `write the name of a secret like "ALERT_SECRET", or a list while it is rotated: ["NEW_SECRET", "OLD_SECRET"]; ${SET_SECRET}`;
const SECRET = secretName("ALERT_SECRET");
const CHAT_FIX = 'write the chat\'s number in quotes, like "-1001234567890", or its name, like "@channel"';

const mailAddress = pattern(
  /^(?=.{3,254}$)[^\s@<>()",:;[\]\\]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i,
  "write one address like oncall@acme.example",
);

const chatWebhook = {
  /** The name of the secret that holds the address of the incoming webhook. Example: `"SLACK_URL"`. */
  url: secretName("CHAT_URL", true),
};

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
    /** Mail by the platform; it needs a `send_email` binding in wrangler.toml. */
    channelOf("email", {
      /** Of a domain that the account may send from. */
      from: mailAddress,
      /** 1 to 50 addresses. */
      to: setOf(mailAddress, 'write a list of addresses, like ["oncall@acme.example"]').check(
        z.maxLength(50, "use at most 50"),
      ),
      /** The name of the binding. Default `"EMAIL"`. */
      binding: z._default(bindingName("EMAIL"), "EMAIL"),
    }),
  ],
  "a kind of channel",
  CHANNEL_FIX,
);

/** Types what all that use channels take: addresses and keys are names of secrets, endpoints have no trailing slash. */
export function normaliseChannel(input: z.output<typeof channel>, gateways: readonly GatewayConfig[]) {
  return { ...input, id: input.id ?? input.kind, only: filterOf(input.only, gateways) };
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
