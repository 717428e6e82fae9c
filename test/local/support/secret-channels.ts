/** A channel of each kind that goes out by HTTP, with secrets of its own. Two receivers repeat everything they get. */
import type { AlertInput } from "../../../src/config/define-config.ts";
import { ENTRIES, KINDS } from "../../alert/channel-configs.ts";
import type { Kind } from "../../alert/kinds/entry.ts";
import { urlSecretOf } from "./alerting.ts";
import type { Random } from "../../fixtures/random.ts";
import type { Haystack } from "./leaks.ts";
import type { Arrival, Receiver, Reply } from "./receiver.ts";

export interface SecretChannels {
  readonly alerts: readonly AlertInput[];
  /** Values by the name of the secret. */
  readonly secrets: Readonly<Record<string, string>>;
  /** What nobody may see, by the channel that may send it. */
  readonly needles: Readonly<Record<string, readonly string[]>>;
}

/** What several channels use stands in no body. */
const SHARED = "several";

/** Written one by one below. The others need the secret of an address, and perhaps a token. */
const SPECIAL = [
  "webhook",
  "slack",
  "pagerduty",
  "telegram",
  "email",
  "pushover",
  "opsgenie",
  "github",
] as const;
type ByAddress = Exclude<Kind, (typeof SPECIAL)[number]>;
const BY_ADDRESS = KINDS.filter((kind): kind is ByAddress => !SPECIAL.some((name) => name === kind));

const DIGITS = "0123456789abcdef";

/** @param gateways those whose events go to all but `hook` and `chat`. */
export function secretChannels(of: Random, receiver: Receiver, gateways: readonly string[]): SecretChannels {
  const word = (): string => Array.from({ length: 40 }, () => of.pick(DIGITS.split(""))).join("");
  const ids = ["hook", "chat", ...BY_ADDRESS, "echo-hook", "echo-chat"];
  const words = ids.map((id) => [id, word()] as const);
  const [token, routing, bot] = [word(), word().slice(0, 32), `123456789:${word().slice(0, 35)}`];
  const signing = Buffer.from(`${word()}${word()}`.slice(0, 64), "hex");
  const whsec = `whsec_${signing.toString("base64")}`;
  const only = { gateway: gateways };
  const signed = (id: "hook" | "echo-hook") =>
    ({ kind: "webhook", id, url: urlSecretOf(id), secret: "SIGNING" }) as const;
  return {
    alerts: [
      signed("hook"),
      { kind: "slack", id: "chat", url: urlSecretOf("chat") },
      ...BY_ADDRESS.map((kind) => byAddress(kind, only)),
      { kind: "pagerduty", routingKey: "ROUTING", endpoint: base(receiver, "pagerduty"), only },
      { kind: "telegram", token: "BOT", chat: "-1001234567890", endpoint: base(receiver, "telegram"), only },
      { ...signed("echo-hook"), only },
      { kind: "slack", id: "echo-chat", url: urlSecretOf("echo-chat"), only },
    ],
    secrets: {
      ...Object.fromEntries(words.map(([id, of_]) => [urlSecretOf(id), receiver.url(id, of_)])),
      SIGNING: whsec,
      TOKEN: token,
      ROUTING: routing,
      BOT: bot,
    },
    needles: {
      ...Object.fromEntries(words.map(([id, of_]) => [id, [of_]])),
      pagerduty: [routing],
      telegram: [bot],
      [SHARED]: [token, whsec, signing.toString("latin1")],
    },
  };
}

function byAddress(kind: ByAddress, only: AlertInput["only"]): AlertInput {
  const { least, examples } = ENTRIES[kind];
  return { ...least, url: urlSecretOf(kind), ...("token" in examples && { token: "TOKEN" }), only };
}

/** From now on these two repeat what they were sent: one is asked again and again, the other refuses for good. */
export function makeEchoes(receiver: Receiver): void {
  receiver.answer("echo-hook", (arrival) => repeated(500, arrival));
  receiver.answer("echo-chat", (arrival) => repeated(400, arrival));
}

function repeated(status: number, { path, headers, body }: Arrival): Reply {
  return { status, body: `${path} ${JSON.stringify(headers)} ${body}`, headers: { "x-asked": path } };
}

/** What was said to the channels, each with what must not stand in it: the secrets of all others. */
export function* everyMessage(
  receiver: Receiver,
  { needles }: SecretChannels,
): Iterable<{ readonly haystacks: readonly Haystack[]; readonly needles: readonly string[] }> {
  for (const channel of Object.keys(needles).filter((id) => id !== SHARED)) {
    const own = receiver.at(channel);
    const others = Object.entries(needles).filter(([id]) => id !== channel);
    yield {
      haystacks: own.map(({ body }, n) => ({ name: `message ${n} to ${channel}`, bytes: Buffer.from(body) })),
      needles: others.flatMap(([, of]) => of),
    };
  }
}

function base(receiver: Receiver, channel: string): string {
  return receiver.url(channel, "").replace(/\/$/u, "");
}
