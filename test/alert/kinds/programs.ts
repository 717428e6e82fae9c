/** Channels whose messages are read by programs. */
import { expect } from "vitest";
import { letterOf, opened, resolved } from "../telling.ts";
import { lineOf } from "./people.ts";
import {
  bytes,
  GONE,
  isPlain,
  isWithin,
  LATER,
  FORBIDS_FOR_NOW,
  NO_TOKEN,
  parsed,
  REFUSED,
  UNLINKED,
  type Body,
  type ChannelEntry,
  type Kind,
} from "./entry.ts";

/** A configuration leaves it as it is. */
const TEMPLATE = {
  url: "CUSTOM_URL",
  method: "PUT",
  secret: "CUSTOM_KEY",
  headers: { Authorization: "Bearer {key}", "x-title": "{headline}" },
  query: { cause: "{cause}", turn: "{turn}" },
  json: { text: "{mark} {headline}", more: [{ details: "{details}", "{key}": 1 }] },
} as const;

export const PROGRAMS = {
  webhook: {
    least: { kind: "webhook", url: "HOOK_URL", secret: "HOOK_SECRET" },
    config: { url: "HOOK_URL", secret: ["HOOK_SECRET"] },
    examples: { url: "ALERT_URL", secret: "ALERT_SECRET" },
    secrets: {
      HOOK_URL: "https://hooks.example/services/T00/B00/x1y2z3",
      HOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    },
    judge: (rendered) => {
      const { body, headers } = letterOf(rendered);
      expect(() => JSON.parse(body) as unknown).not.toThrow();
      expect(() => new Headers(headers)).not.toThrow();
    },
    answers: [[[100, 300, 304, 400, 401, 403, 404, 405, 413, 422, 599], "", LATER]],
  },
  custom: {
    least: { kind: "custom", url: "CUSTOM_URL" },
    full: {
      kind: "custom",
      ...TEMPLATE,
    },
    config: TEMPLATE,
    usual: { method: "POST", secret: undefined, headers: undefined, query: undefined, json: undefined },
    examples: { url: "ALERT_URL", secret: "ALERT_TOKEN" },
    secrets: {
      CUSTOM_URL: "https://hooks.example/custom/x1y2z3?a=b",
      CUSTOM_KEY: "custom-key-of-the-receiver",
    },
    badSecrets: [["CUSTOM_KEY", "hünter2", NO_TOKEN]],
    messages: [
      [
        "each part is escaped for where it stands",
        [
          opened({
            gateway: {
              id: "acme",
              name: 'Ac"me\r\nx: 1 界 &a=b',
              monitors: 1,
              operator: "them",
              usedBy: "monitor",
            },
          }),
        ],
        {
          method: "PUT",
          url: "https://hooks.example/custom/x1y2z3?a=b&cause=upstream_unavailable&turn=upstream",
          headers: {
            "content-type": "application/json",
            authorization: "Bearer custom-key-of-the-receiver",
            "x-title": expect.stringMatching(/^Down: Ac"me x: 1 %E7%95%8C &a=b: [ -~]+$/),
          },
          body: {
            text: expect.stringMatching(/^🔴 Down: Ac"me x: 1 界 &a=b: /u),
            more: [{ details: expect.stringContaining("\n"), "{key}": 1 }],
          },
        },
      ],
    ],
    judge: (rendered) => {
      const { headers, url, body } = letterOf(rendered);
      expect(() => new Headers(headers)).not.toThrow();
      expect(new URL(url).searchParams.get("a")).toBe("b");
      expect(() => JSON.parse(body) as unknown).not.toThrow();
    },
    answers: [[[100, 300, 304, 400, 401, 403, 404, 405, 413, 422, 599], "", LATER]],
  },
  opsgenie: {
    least: { kind: "opsgenie", token: "OPSGENIE_KEY" },
    config: { token: "OPSGENIE_KEY", endpoint: "https://api.opsgenie.com" },
    examples: { token: "OPSGENIE_KEY" },
    secrets: { OPSGENIE_KEY: "key-of-the-integration" },
    badSecrets: [["OPSGENIE_KEY", "hünter2", NO_TOKEN]],
    messages: [
      [
        "the end closes what the start created",
        [resolved()],
        {
          url: "https://api.opsgenie.com/v2/alerts/acme.models-20261120t120000z/close?identifierType=alias",
          body: { note: expect.stringMatching(/^Recovered: /) },
        },
      ],
      [
        "the start has the id of the incident",
        [opened()],
        {
          url: "https://api.opsgenie.com/v2/alerts",
          headers: { "content-type": "application/json", authorization: "GenieKey key-of-the-integration" },
          body: expect.objectContaining({ alias: "acme.models-20261120t120000z", priority: "P1" }),
        },
      ],
    ],
    judge: (rendered) => {
      const { message = "", alias = "", description = "" } = parsed(rendered);
      isPlain(message, 130);
      isWithin(alias.length, 512);
      isWithin(description.length, 15_000);
    },
    answers: [[[400, 422], '{"message":"Request body is not processable"}', REFUSED]],
  },
  github: {
    least: { kind: "github", repo: "acme/status", token: "GITHUB_TOKEN" },
    config: {
      repo: "acme/status",
      token: "GITHUB_TOKEN",
      labels: ["gatepulse"],
      endpoint: "https://api.github.com",
    },
    examples: { token: "GITHUB_TOKEN" },
    secrets: { GITHUB_TOKEN: "github_pat_of-the-bot" },
    badSecrets: [["GITHUB_TOKEN", "hünter2", NO_TOKEN]],
    messages: [
      [
        "the start of an incident opens an issue, with marks by which it is found",
        [opened()],
        {
          url: "https://api.github.com/repos/acme/status/issues",
          headers: {
            "content-type": "application/json",
            authorization: "Bearer github_pat_of-the-bot",
            accept: "application/vnd.github+json",
            "x-github-api-version": "2022-11-28",
            "user-agent": "gatepulse",
          },
          body: {
            title: "🔴 Down: Acme: the provider behind the gateway is unavailable, for 1 min",
            body: expect.stringMatching(
              /^\*\*The provider's turn:\*\* [^]*\n\n<!-- gatepulse:acme\.models-20261120t120000z -->\n<!-- gatepulse:acme-models-20261120t120000z-incident-opened-7 -->$/,
            ),
            labels: ["gatepulse"],
          },
        },
      ],
    ],
    said: {
      at: ({ body }: Body) => lineOf(body),
      quoted: [
        [
          "@org/team &#64;you #12 acme/x#1 GH-7 <!-- y --> **b** [x](y) `c` $d$ <img>",
          "**Answer:** HTTP 503: @\u200borg/team \\&#\u200b64;you #\u200b12 acme/x#\u200b1 GH-\u200b7 \\<\\!-- y --\\> \\*\\*b\\*\\* \\[x\\](y) \\`c\\` \\$d\\$ \\<img\\>",
        ],
      ],
      unlinked: UNLINKED,
    },
    judge: (rendered) => {
      // An end whose issue nobody opened.
      if (rendered.type === "nothing") return;
      const { title, body } = parsed(rendered);
      isPlain(title, 256, 1);
      isPlain(body, 65_536, 1);
      // Markup is ours alone, and nobody is mentioned.
      expect(body.replaceAll(/\n<!-- [\w.:%-]+ -->/g, "")).not.toMatch(
        /(?<!\\)[<>`~|_]|@(?!\u200b)|#(?!\u200b)/,
      );
    },
    answers: [
      [[401, 404], '{"message":"Bad credentials"}', GONE],
      [[422], '{"message":"Validation Failed"}', REFUSED],
      [[403], '{"message":"Resource not accessible by personal access token"}', LATER],
    ],
  },
  oncall: {
    least: { kind: "oncall", url: "ONCALL_URL" },
    config: { url: "ONCALL_URL" },
    examples: { url: "CHAT_URL" },
    secrets: { ONCALL_URL: "https://oncall.acme.example/integrations/v1/formatted_webhook/x1y2z3/" },
    messages: [
      [
        "the end resolves what the start opened",
        [resolved()],
        { body: expect.objectContaining({ alert_uid: "acme.models-20261120t120000z", state: "ok" }) },
      ],
    ],
    judge: (rendered) => {
      const { alert_uid: id, state } = parsed(rendered);
      isWithin(id.length, 1000, 1);
      expect(["alerting", "ok"]).toContain(state);
    },
    answers: FORBIDS_FOR_NOW,
  },
  pagerduty: {
    least: { kind: "pagerduty", routingKey: "PAGERDUTY_KEY" },
    config: { routingKey: "PAGERDUTY_KEY", endpoint: "https://events.pagerduty.com" },
    examples: { routingKey: "PAGERDUTY_KEY" },
    secrets: { PAGERDUTY_KEY: "0123456789abcdef0123456789ABCDEF" },
    badSecrets: [["PAGERDUTY_KEY", "hunter2", "is not an integration key of 32 letters and digits"]],
    judge: (rendered) => {
      const { dedup_key: key, event_action: action, payload } = parsed(rendered);
      isWithin(key.length, 255, 1);
      expect(bytes(letterOf(rendered).body)).toBeLessThan(512_000);
      if (action === "resolve") return;
      isPlain(payload?.summary ?? "\0", 1024);
      expect(["critical", "error", "warning", "info"]).toContain(payload.severity);
      expect(payload.source).not.toBe("");
    },
    answers: [
      [[400], '{"status":"invalid event","errors":["\'payload.summary\' is too long"]}', REFUSED],
      [
        [400],
        '{"status":"invalid event","message":"Event object is invalid","errors":["Length of \'routing_key\' is incorrect (should be 32 characters)"]}',
        GONE,
      ],
      [[400], '{"message":"Invalid routing key"}', GONE],
    ],
  },
  alertmanager: {
    least: { kind: "alertmanager", url: "ALERTMANAGER_URL" },
    full: { kind: "alertmanager", url: "ALERTMANAGER_URL", token: "BEARER" },
    config: { url: "ALERTMANAGER_URL", token: "BEARER" },
    usual: { token: undefined },
    examples: { url: "ALERT_URL", token: "ALERT_TOKEN" },
    secrets: { ALERTMANAGER_URL: "https://alerts.acme.example/am/", BEARER: "token-of-the-proxy" },
    badSecrets: [["BEARER", "hun\nter2", NO_TOKEN]],
    judge: (rendered) => {
      const alerts: readonly Body[] = parsed(rendered);
      const identities = alerts.map(({ labels }) => JSON.stringify(labels));
      expect(new Set(identities).size).toBe(identities.length);
      for (const { labels, annotations, startsAt, endsAt } of alerts) {
        expect(labels.alertname).toMatch(/^Gatepulse/);
        for (const name of [...Object.keys(labels), ...Object.keys(annotations)]) {
          expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_]*$/);
        }
        expect(Date.parse(endsAt)).toBeGreaterThanOrEqual(Date.parse(startsAt));
        isPlain(annotations.summary ?? "\0");
      }
    },
    answers: FORBIDS_FOR_NOW,
  },
} as const satisfies { readonly [Of in Kind]?: ChannelEntry<Of> };
