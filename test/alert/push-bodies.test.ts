/** The exact messages of Telegram, ntfy and mail. */
import { describe, expect, test } from "vitest";
import { CHANNELS, render, SECRETS } from "./channel-configs.ts";
import { blocked, bodyOf, flappingReminder, letterOf, opened, resolved, resumed, tested } from "./telling.ts";

const INCIDENT_URL = "https://status.acme.example/incidents/acme.models-20261120t120000z";
const REPORT_URL = "https://status.acme.example/reports/acme.models-20261120t120000z-2";

describe("telegram", () => {
  test("one event", async () => {
    const letter = letterOf(await render(CHANNELS.telegram, [opened()]));
    expect(letter.url).toBe("https://api.telegram.org/bot123456:ABC-DEF_ghi/sendMessage");
    expect(JSON.parse(letter.body)).toEqual({
      chat_id: "-1001234567890",
      text: [
        "<b>Acme is down: its upstream is unavailable</b>",
        "",
        "<b>Whose turn:</b> the provider behind the gateway",
        "<b>What to do:</b> Send the report to the gateway's support and see its status page.",
        "<b>Since:</b> 2026-11-20 11:59:00 UTC",
        "<b>Incident id:</b> acme.models-20261120t120000z",
        "<b>Monitors:</b> acme/models",
        "<b>Answer:</b> <code>HTTP 503, upstream_error, request req_8f2a</code>",
        "<b>It says:</b> <code>no channel is available for this model</code>",
        "",
        `<a href="${INCIDENT_URL}">Incident</a> · <a href="${REPORT_URL}">Report</a>`,
      ].join("\n"),
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
    });
  });

  test("several events", async () => {
    expect(bodyOf(await render(CHANNELS.telegram, [opened(), resolved()]))).toMatchObject({
      text: [
        "<b>2 events: Acme is down: its upstream is unavailable</b>",
        `<b>Acme is down: its upstream is unavailable</b>\nWhose turn: the provider behind the gateway\nIncident id: acme.models-20261120t120000z\n<a href="${INCIDENT_URL}">Incident</a>`,
        `<b>Acme is up again, after 31 min</b>\nIncident id: acme.models-20261120t120000z\n<a href="${INCIDENT_URL}">Incident</a>`,
      ].join("\n\n"),
    });
  });

  test("a test without a page is one line", async () => {
    expect(bodyOf(await render(CHANNELS.telegram, [{ ...tested(), url: "/" }]))).toMatchObject({
      text: "<b>Acme gateways: a test of this channel; nothing is wrong</b>",
    });
  });
});

describe("ntfy", () => {
  test("one event", async () => {
    const letter = letterOf(await render(CHANNELS.ntfy, [opened()]));
    expect(letter.url).toBe("https://ntfy.example/");
    expect(letter.headers).toEqual({
      "content-type": "application/json",
      authorization: "Bearer token-of-the-proxy",
    });
    expect(JSON.parse(letter.body)).toEqual({
      topic: "acme-4f9a",
      title: "Acme is down: its upstream is unavailable",
      message: [
        "Whose turn: the provider behind the gateway",
        "What to do: Send the report to the gateway's support and see its status page.",
        "Since: 2026-11-20 11:59:00 UTC",
        "Incident id: acme.models-20261120t120000z",
        "Monitors: acme/models",
        "Answer: HTTP 503, upstream_error, request req_8f2a",
        "It says: no channel is available for this model",
      ].join("\n"),
      tags: ["rotating_light"],
      priority: 5,
      click: INCIDENT_URL,
      actions: [{ action: "view", label: "Report", url: REPORT_URL }],
    });
  });

  test("without a report, and for several events, nothing but the page is linked", async () => {
    for (const events of [[opened({ report: null })], [opened(), resolved()]]) {
      const body = bodyOf(await render(CHANNELS.ntfy, events));
      expect(body).toMatchObject({ click: INCIDENT_URL });
      expect(body).not.toHaveProperty("actions");
    }
  });

  test("a reminder of what flaps wakes nobody", async () => {
    expect(bodyOf(await render(CHANNELS.ntfy, [flappingReminder()]))).toMatchObject({
      title: "Acme is flapping since 12:20:00 UTC; last failure: its upstream is unavailable",
      tags: ["warning"],
      priority: 3,
    });
  });

  test("that checks run again says more than its title", async () => {
    expect(bodyOf(await render(CHANNELS.ntfy, [resumed()]))).toMatchObject({
      title: "Acme gateways: the monitoring runs again; it stood still for 1 h 3 min",
      message:
        "Checks stood still from 2026-11-20 11:57:00 UTC to 2026-11-20 13:00:00 UTC: what happened meanwhile nobody saw.",
    });
  });

  test("without a token nothing is said of one", async () => {
    const channel = { ...CHANNELS.ntfy, tokenSecret: null };
    expect(letterOf(await render(channel, [opened()])).headers).toEqual({
      "content-type": "application/json",
    });
  });

  test("a server below a path keeps it", async () => {
    const secrets = { ...SECRETS, TOPIC_URL: "https://acme.example/push/topic_1/" };
    const letter = letterOf(await render(CHANNELS.ntfy, [tested()], secrets));
    expect(letter.url).toBe("https://acme.example/push/");
    expect(JSON.parse(letter.body)).toMatchObject({
      topic: "topic_1",
      message: "Acme gateways: a test of this channel; nothing is wrong",
      priority: 2,
    });
  });
});

describe("email", () => {
  test("one event", async () => {
    expect(await render(CHANNELS.email, [blocked()])).toEqual({
      type: "mail",
      from: "gatepulse@acme.example",
      to: ["oncall@acme.example"],
      subject: "Acme: our key's balance is used up",
      text: [
        "Acme: our key's balance is used up",
        "",
        "This is no outage of the gateway: the monitor cannot see whether it works.",
        "Whose turn: ours (the owner of the monitor's key)",
        "What to do: Top up the account of the key: waiting does not help.",
        "Since: 2026-11-20 11:59:00 UTC",
        "Next check: less and less often, every 15 minutes at last; at once when the key is changed. Topped up? Probe now: POST /api/v1/admin/gateways/acme/monitors/models/probe",
        "Incident id: acme.models-20261120t120000z",
        "Monitors: acme/models",
        'Answer: "HTTP 402, insufficient_balance, request req_8f2b"',
        'It says: "balance is not enough"',
        `Incident: ${INCIDENT_URL}`,
        `Report: ${REPORT_URL}`,
        "",
        "Acme gateways",
        "",
      ].join("\n"),
    });
  });

  test("several events are told whole", async () => {
    const mail = await render(CHANNELS.email, [opened(), resolved()]);
    expect(mail).toMatchObject({ subject: "2 events: Acme is down: its upstream is unavailable" });
    const parts = (mail as { text: string }).text.split("\n\n\n");
    expect(parts.map((part) => part.split("\n")[0])).toEqual([
      "Acme is down: its upstream is unavailable",
      "Acme is up again, after 31 min",
    ]);
    expect(parts[0]).toContain('It says: "no channel is available for this model"');
  });
});
