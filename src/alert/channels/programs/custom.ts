/** Any HTTP request, made of a template of the configuration. Pure. */
import type { CustomField } from "../../../config/channel-schema.ts";
import type { ChannelOf } from "../../../config/config.ts";
import { instant } from "../../../domain/calendar.ts";
import { turnOf } from "../../../protocol/causes.ts";
import { operatorOf, type AlertEvent } from "../../alert-event.ts";
import type { ChannelKind, Letter, Occasion } from "../../channel.ts";
import { linesOf, MARKS, PLAIN, storyOf } from "../../story.ts";
import { matterOf } from "../../wording.ts";

export const custom: ChannelKind<ChannelOf<"custom">> = {
  bundles: false,
  render,
  // Anything else may be the receiver's passing fault.
  answers: { refused: [] },
};

function render(
  [event]: readonly AlertEvent[],
  { url, method, secret, headers, query, json, form }: ChannelOf<"custom">,
  occasion: Occasion,
): Letter {
  if (event === undefined) throw new RangeError("no event to send");
  const key = secret === undefined ? "" : occasion.secretOf(secret);
  const told: Readonly<Record<string, string>> = { ...fieldsOf(event, occasion), key };
  const fill = (template: string): string =>
    template.replace(/\{(\w+)\}/g, (written, name: string) => told[name] ?? written).toWellFormed();
  const filled = (templates: Readonly<Record<string, string>> = {}) =>
    Object.entries(templates).map(([name, template]) => [name, fill(template)] as const);
  const address = new URL(occasion.secretOf(url));
  for (const [name, value] of filled(query)) address.searchParams.append(name, value);
  const types = { ...(json !== undefined && { "content-type": "application/json" }), ...(form && FORM) };
  const own = filled(headers).map(([name, value]) => [name.toLowerCase(), inHeader(value)] as const);
  return {
    type: "http",
    method,
    url: address.href,
    headers: { ...types, ...Object.fromEntries(own) },
    body: form ? new URLSearchParams(Object.fromEntries(filled(form))).toString() : filledJson(json, fill),
  };
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Headers hold visible ASCII: what is beyond it is percent-encoded. */
function inHeader(value: string): string {
  return value.replaceAll(/\p{Cc}+/gu, " ").replaceAll(/[^\u0020-\u007e]/gu, encodeURIComponent);
}

/** Each text in it, names of members apart. Empty: there is none. */
function filledJson(json: unknown, fill: (template: string) => string): string {
  return JSON.stringify(json, (_, value: unknown) => (typeof value === "string" ? fill(value) : value)) ?? "";
}

/** Empty: the event has none. docs/channels.md lists them. */
function fieldsOf(event: AlertEvent, occasion: Occasion): Record<CustomField, string> {
  const story = storyOf(event, occasion);
  const { incident, gateway } = event;
  const matter = incident && matterOf(event, incident);
  return {
    headline: story.headline,
    details: linesOf([...story.facts, ...story.more], PLAIN).join("\n"),
    mark: MARKS[story.severity],
    severity: story.severity,
    type: event.type,
    event: event.id,
    time: instant(event.atMs),
    title: occasion.title,
    gateway: gateway?.id ?? "",
    monitor: event.monitor ?? "",
    incident: incident?.id ?? "",
    health: matter?.health ?? "",
    cause: matter?.cause ?? "",
    turn: matter?.owner ? turnOf(matter.owner, operatorOf(event)) : "",
    url: event.url,
  };
}
