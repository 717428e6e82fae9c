/** The messages of Telegram, ntfy and mail. Those of one event are the examples of docs/alerts.md, word for word. */
import { describe, expect, test } from "vitest";
import { CHANNELS, render, SECRETS } from "./channel-configs.ts";
import { blocked, bodyOf, flappingReminder, letterOf, opened, resolved, resumed, tested } from "./telling.ts";

const INCIDENT_URL = "https://status.acme.example/incidents/acme.models-20261120t120000z";

describe("telegram", () => {
  test("the address has the token", async () => {
    const { url } = letterOf(await render(CHANNELS.telegram, [opened()]));
    expect(url).toBe("https://api.telegram.org/bot123456:ABC-DEF_ghi/sendMessage");
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
  test("the topic is in the body, and the token in a header", async () => {
    const { url, headers } = letterOf(await render(CHANNELS.ntfy, [opened()]));
    expect([url, headers]).toEqual([
      "https://ntfy.example/",
      { "content-type": "application/json", authorization: "Bearer token-of-the-proxy" },
    ]);
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
  test("it goes from the channel's sender to its receivers", async () => {
    expect(await render(CHANNELS.email, [blocked()])).toMatchObject({
      type: "mail",
      from: "gatepulse@acme.example",
      to: ["oncall@acme.example"],
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
