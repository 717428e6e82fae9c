/** `gatepulse alert`: an example event, sent to a channel or shown as its request. */
import { t } from "../config/spoken.ts";
import { dirname } from "node:path";
import { identified, type AlertEvent } from "../alert/alert-event.ts";
import type { Occasion, Rendered } from "../alert/channel.ts";
import { channelKind } from "../alert/channels.ts";
import { Refusal, EXIT, command, flag, option, type ExitCode } from "../cli/command.ts";
import { CONFIG, readNamedConfig, readSecrets } from "../cli/config-file.ts";
import { harmless } from "../cli/terminal.ts";
import type { ChannelConfig, Config } from "../config/config.ts";
import { channelSecrets, fitToken } from "../config/secrets.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../domain/calendar.ts";
import {
  endIncident,
  EVENT_TYPES,
  openIncident,
  updateIncident,
  type Happening,
} from "../domain/incident.ts";
import { answerOf } from "../explain/pasted.ts";
import { draftOf, testEvent } from "../ledger/deliver/announce.ts";
import type { TestAnswer } from "../ledger/deliver/channel-client.ts";
import { diagnose } from "../protocol/diagnose.ts";
import { jsonInString } from "../protocol/json.ts";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { redact } from "../protocol/redaction/redact.ts";
import { sendFromHere } from "../project/setup/plan-channel.ts";

/** A reminder is an update. */
const EVENTS = [...EVENT_TYPES, "reminder"] as const;

const OPTIONS = {
  ...CONFIG,
  channel: option("ID", t`the channel's id in the configuration`),
  event: option("KIND", t`the event: ${EVENTS.join(", ")}; opened, updated and resolved for short`),
  "dry-run": flag(t`print the request, and send nothing`),
};

export const alert = command("alert", OPTIONS, async (line) => {
  const { io, values } = line;
  const read = await readNamedConfig(line);
  const { config } = read;
  // A notification is for a browser, and this machine knows none.
  const channels = config.alerts.filter(({ kind: of }) => of !== "push");
  const channel = channels.find(({ id }) => id === values.channel);
  const ids = channels.map(({ id }) => id).join(", ");
  if (channel === undefined)
    throw new Refusal(t`--channel is one of those in ${read.name}: ${ids || t`none`}`);
  const kind = EVENTS.find((of) => of === values.event || of === `incident.${values.event}`);
  if (kind === undefined) throw new Refusal(t`--${"event"} is one of ${EVENTS.join(", ")}`);
  if (channel.kind === "otlp" && kind !== "incident.resolved" && kind !== "test")
    throw new Refusal(t`${channel.id} only takes the end of an incident: write --event resolved`);
  const { secrets } = await readSecrets(config, dirname(read.path), io.env);
  const valueOf = (name: string): string | null => secrets[name] ?? null;
  const { title, timeZone, language } = config;
  const speaker = { title, timeZone, language, isAdministered: fitToken(valueOf("ADMIN_TOKEN")) !== null };
  const nowMs = io.clock.now();
  const event = exampleEvent(kind, config, nowMs);
  if (values["dry-run"] === true) {
    const occasion = { ...speaker, nowMs, secretOf: standInOf(channel) };
    const opened = exampleEvent("incident.opened", config, nowMs);
    const shown = await requestsOf(event, channel, occasion, opened);
    io.stdout.write(withNames(shown.map(requestText).join("\n"), channel));
    return EXIT.ok;
  }
  const answer = await sendFromHere(event, channel, speaker, valueOf);
  const [exit, result] = resultOf(answer);
  io.stdout.write(`${result}\n`);
  return exit;
});

/** What a gateway answers. */
function failed(status: number, code: string, message: string, nowMs: number): KeptDiagnosis {
  const body = JSON.stringify({ error: { code, message } });
  return diagnose(answerOf("models", status, {}, body), { nowMs, redact });
}

const MODEL = "example-model";

/** Of the first gateway, as the Ledger would report it. */
function exampleEvent(kind: (typeof EVENTS)[number], config: Config, atMs: number): AlertEvent {
  if (kind === "test") return testEvent(config, atMs);
  const gatewayId = config.gateways[0]?.id ?? "example";
  const monitorId = config.gateways[0]?.monitors[0]?.id ?? `${gatewayId}/models`;
  const diagnosis = failed(503, "upstream_error", "no channel is available", atMs);
  const other = failed(402, "insufficient_balance", "balance is not enough", atMs);
  const subject = { gatewayId, monitorIds: [monitorId], name: monitorId };
  const incident = openIncident(subject, diagnosis, null, atMs - MINUTE_MS);
  const told = {
    "incident.updated": {
      reason: "cause",
      incident: updateIncident(incident, other, atMs, true),
      diagnosis: other,
    },
    "incident.resolved": { reason: null, incident: endIncident(incident, "resolved", atMs), diagnosis: null },
    reminder: { reason: "reminder", incident, diagnosis },
  }[kind as string] ?? { reason: null, incident, diagnosis };
  const type = kind === "reminder" ? "incident.updated" : kind;
  const models = { vanished: [MODEL], returned: [], missing: [MODEL] };
  const pauses = [{ monitor: monitorId, sinceMs: atMs - DAY_MS, untilMs: null, by: null }];
  // `draftOf` takes what the type of the event has.
  const all = { type, atMs, gatewayId, monitorId, ...told, models, pauses, lastTickMs: atMs - HOUR_MS };
  return identified(draftOf(all as Happening, { config, tickMs: atMs }), atMs);
}

/** In place of a secret: what no message contains, and every kind of channel can work with. */
const standIn = (index: number): string => `gatepulsesecret${String.fromCharCode(97 + index)}`;

function standInOf(channel: ChannelConfig): (name: string) => string {
  const names = channelSecrets(channel);
  return (name) => {
    const word = standIn(names.indexOf(name));
    return "url" in channel && channel.url === name ? `https://${word}.invalid/${word}` : word;
  };
}

/** Shows a signature as the name of its secret: one made with a stand-in would be wrong. */
function withNames(text: string, channel: ChannelConfig): string {
  const signing = "secret" in channel ? [channel.secret ?? []].flat() : [];
  const signed = text.replaceAll(/(?:[A-Za-z0-9+/]|%2[BF]){43}(?:=|%3D)/g, () => `$${signing.shift()}`);
  return channelSecrets(channel).reduce((all, name, index) => {
    const word = standIn(index);
    const written = new RegExp(`https://${word}\\.invalid(?:/${word})?|${word}`, "g");
    return all.replaceAll(written, () => `$${name}`);
  }, signed);
}

/** All that a message takes. What is looked up is what the start of the incident has created. */
async function requestsOf(event: AlertEvent, channel: ChannelConfig, occasion: Occasion, opened: AlertEvent) {
  const kind = channelKind(channel);
  const created = kind.lookUp && event.id !== opened.id && (await kind.render([opened], channel, occasion));
  const found = created &&
    created.type === "http" && { number: 1, state: "open", ...Object(jsonInString(created.body)) };
  const body = JSON.stringify(found ? [found] : []);
  const rendered = await kind.render([event], channel, occasion, { status: 200, headers: {}, body });
  const next = rendered.type === "http" ? (rendered.next ?? []) : [];
  return [kind.lookUp?.([event], channel, occasion) ?? [], rendered, next].flat();
}

function requestText(rendered: Rendered): string {
  if (rendered.type === "mail") {
    const { from, to, subject, text } = rendered;
    return `From: ${from}\nTo: ${to.join(", ")}\nSubject: ${subject}\n\n${text}`;
  }
  if (rendered.type === "nothing") return "";
  const { method, url, headers, body } = rendered;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  const json = jsonInString(body);
  const shown = json ? JSON.stringify(json, null, 2) : body;
  return `${method} ${url}\n${lines.join("")}${method === "GET" || body === "" ? "" : `\n${shown}\n`}`;
}

function resultOf(answer: TestAnswer): readonly [ExitCode, string] {
  if ("problem" in answer) return [EXIT.others, t`Not sent: ${harmless(answer.problem)}.`];
  if (answer.type === "mailed") return OUTCOMES.delivered;
  const [exit, words] = OUTCOMES[answer.outcome];
  return [exit, `${words}\n${t`The answer: HTTP ${answer.status} ${answer.body}`}`.trimEnd()];
}

const OUTCOMES = {
  delivered: [EXIT.ok, t`Delivered.`],
  later: [EXIT.later, t`Not delivered now: Gatepulse would try again.`],
  refused: [EXIT.others, t`Refused: Gatepulse would set this message aside, and send the next one.`],
  gone: [
    EXIT.caller,
    t`The channel is gone: Gatepulse would send nothing there until you change its configuration or secret.`,
  ],
} as const;
