/** The shape of alert channels, and the same after its defaults are filled in. Pure. Messages as in fields.ts. */
import * as z from "zod/mini";
import { HAPPENING_TYPES } from "../domain/incident.ts";
import { CAUSE_TABLE } from "../protocol/causes.ts";
import { CAUSES, OWNERS } from "../protocol/diagnosis.ts";
import { judgeEndpoint } from "./base-url.ts";
import type { ChannelConfig, ChannelFilter, GatewayConfig } from "./config.ts";
import {
  address,
  bindingName,
  chosen,
  id,
  later,
  listOf,
  longest,
  oneOrMany,
  pattern,
  secretName,
} from "./fields.ts";
import { gatewayFilter } from "./gateway-names.ts";

const ONLY_FIX = "name owner, cause, gateway or event, or leave only out";

/** Whether the gateways are known is judged in relations.ts. */
export const only = later(() =>
  z
    .strictObject(
      {
        owner: z.optional(words(OWNERS, "caller", `write one of: ${OWNERS.join(", ")}`)),
        cause: z.optional(
          words(
            // No incident ever has these.
            CAUSES.filter((cause) => !["up", "unknown"].includes(CAUSE_TABLE[cause].health)),
            "insufficient_balance",
            "write the cause of an incident as pages and API name it, like insufficient_balance",
          ),
        ),
        gateway: z.optional(
          listOf(z.string("write a gateway's id"), 'write a list of gateway ids, like ["acme"]'),
        ),
        event: z.optional(
          words(HAPPENING_TYPES, "incident.opened", `write one of: ${HAPPENING_TYPES.join(", ")}`),
        ),
      },
      'write an object like { owner: ["caller"] }',
    )
    .check(
      z.refine((filter) => Object.values(filter).some((list) => list !== undefined), {
        error: ONLY_FIX,
        params: { problem: "is empty" },
        // A misspelled key is fault enough.
        when: ({ issues }) => issues.length === 0,
      }),
    ),
);

function words<const Word extends string>(known: readonly Word[], example: string, fix: string) {
  return listOf(z.enum(known, fix), `write a list like ["${example}"]`);
}

const shared = later(() => ({ id: z.optional(id()), only: z.optional(only()) }));

const MAIL_ADDRESS_FIX = "write one address like oncall@acme.example";
const mailAddress = later(() =>
  pattern(/^(?=.{3,254}$)[^\s@<>()",:;[\]\\]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i, MAIL_ADDRESS_FIX),
);

const PAGERDUTY = "https://events.pagerduty.com";
const TELEGRAM = "https://api.telegram.org";

function endpoint(usual: string) {
  return z._default(address(judgeEndpoint, `leave it out, or write an address like ${usual}`), usual);
}

const SECRET_FIX =
  'write the name of a secret like "ALERT_SECRET", or a list while it is rotated: ["NEW_SECRET", "OLD_SECRET"]';

const signingSecret = later(() => secretName("ALERT_SECRET"));

const CHAT_FIX = 'write the chat\'s number in quotes, like "-1001234567890", or its name, like "@channel"';

const chatWebhook = later(() =>
  z.strictObject({
    kind: z.enum(["slack", "discord", "teams"]),
    ...shared(),
    url: secretName("CHAT_URL"),
  }),
);

const openReceiver = later(() =>
  z.strictObject({
    kind: z.enum(["alertmanager", "ntfy"]),
    ...shared(),
    url: secretName("ALERT_URL"),
    token: z.optional(secretName("ALERT_TOKEN")),
  }),
);

const KINDS = {
  webhook: later(() =>
    z.strictObject({
      kind: z.literal("webhook"),
      ...shared(),
      url: secretName("ALERT_URL"),
      secret: oneOrMany(signingSecret(), listOf(signingSecret(), SECRET_FIX)),
    }),
  ),
  slack: chatWebhook,
  discord: chatWebhook,
  teams: chatWebhook,
  pagerduty: later(() =>
    z.strictObject({
      kind: z.literal("pagerduty"),
      ...shared(),
      routingKey: secretName("PAGERDUTY_KEY"),
      endpoint: endpoint(PAGERDUTY),
    }),
  ),
  alertmanager: openReceiver,
  telegram: later(() =>
    z.strictObject({
      kind: z.literal("telegram"),
      ...shared(),
      token: secretName("TELEGRAM_TOKEN"),
      chat: pattern(/^(?:-?\d{1,20}|@[A-Za-z]\w{3,31})$/, CHAT_FIX),
      endpoint: endpoint(TELEGRAM),
    }),
  ),
  ntfy: openReceiver,
  email: later(() =>
    z.strictObject({
      kind: z.literal("email"),
      ...shared(),
      from: mailAddress(),
      to: listOf(mailAddress(), 'write a list of addresses, like ["oncall@acme.example"]').check(
        longest(50, "name at most 50"),
      ),
      binding: z._default(bindingName("EMAIL"), "EMAIL"),
    }),
  ),
} satisfies Record<ChannelConfig["kind"], unknown>;

const KIND_NAMES = Object.keys(KINDS);

/** Where the kind is none of them, only what all have in common can be judged. Nothing passes it. */
const anyKind = later(() =>
  z.object(
    { kind: z.enum(KIND_NAMES as never[], `write one of: ${KIND_NAMES.join(", ")}`), ...shared() },
    'write an object like { kind: "slack", url: "SLACK_URL" }',
  ),
);

export const channel = chosen((value) => schemaOf((value as { kind?: unknown } | null)?.kind) ?? anyKind());

function schemaOf(kind: unknown) {
  return KIND_NAMES.some((name) => name === kind) ? KINDS[kind as keyof typeof KINDS]() : null;
}

/** The settings of a channel of this kind; none if there is no such kind. */
export function channelKeys(kind: unknown): readonly string[] {
  return Object.keys(schemaOf(kind)?.shape ?? {});
}

export function normaliseChannel(
  input: z.output<typeof channel>,
  gateways: readonly GatewayConfig[],
): ChannelConfig {
  const common = { id: input.id ?? input.kind, only: filterOf(input.only, gateways) };
  switch (input.kind) {
    case "webhook":
      return { ...common, kind: input.kind, urlSecret: input.url, signingSecrets: input.secret };
    case "slack":
    case "discord":
    case "teams":
      return { ...common, kind: input.kind, urlSecret: input.url };
    case "pagerduty":
      return { ...common, kind: input.kind, routingKeySecret: input.routingKey, endpoint: input.endpoint };
    case "alertmanager":
    case "ntfy":
      return { ...common, kind: input.kind, urlSecret: input.url, tokenSecret: input.token ?? null };
    case "telegram": {
      const { kind, token, chat, endpoint: base } = input;
      return { ...common, kind, tokenSecret: token, chat, endpoint: base };
    }
    case "email": {
      const { kind, from, to, binding } = input;
      return { ...common, kind, from, to: [...new Set(to)], binding };
    }
  }
}

function filterOf(
  input: z.output<ReturnType<typeof only>> | undefined,
  gateways: readonly GatewayConfig[],
): ChannelFilter {
  return {
    owners: once(input?.owner),
    causes: once(input?.cause),
    gateways: input?.gateway === undefined ? null : gatewayFilter(input.gateway, gateways),
    events: once(input?.event),
  };
}

function once<Word>(list: readonly Word[] | undefined): readonly Word[] | null {
  return list === undefined ? null : [...new Set(list)];
}
