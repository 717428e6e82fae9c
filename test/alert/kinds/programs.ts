/** Channels whose messages are read by programs. */
import { expect } from "vitest";
import { letterOf } from "../telling.ts";
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
  type Body,
  type ChannelEntry,
  type Kind,
} from "./entry.ts";

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
