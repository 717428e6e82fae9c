/** Whatever is told, each message is within the limits of its service, and is what the service can read. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import type { Rendered } from "../../src/alert/channel.ts";
import { channelKind } from "../../src/alert/channels.ts";
import { anyEvent, anyEvents, anyTitle, fullest } from "./any-event.ts";
import { CHANNELS, SECRETS } from "./channel-configs.ts";
import { letterOf, occasion } from "./telling.ts";
import { rounds, spread } from "../extent.ts";

const bytes = (text: string) => new TextEncoder().encode(text).length;
/** Line ends are only ours. */
// oxlint-disable-next-line no-control-regex -- these are what must not be there
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/;

async function every(
  kind: keyof typeof CHANNELS,
  events: fc.Arbitrary<readonly AlertEvent[]>,
  check: (rendered: Rendered) => void,
): Promise<void> {
  const channel = CHANNELS[kind];
  const judge = async (some: readonly AlertEvent[], title: string): Promise<void> => {
    check(await channelKind(channel).render(some, channel, occasion(SECRETS, { title })));
  };
  for (const event of fullest) await judge([event], "&".repeat(120));
  for (const event of channelKind(channel).bundles ? spread(fullest, 5) : []) {
    await judge(
      Array.from({ length: 200 }, () => event),
      "x",
    );
  }
  await fc.assert(fc.asyncProperty(events, anyTitle, judge), { numRuns: rounds(6, 60) });
}

function parsed(rendered: Rendered): unknown {
  const { body } = letterOf(rendered);
  expect(body.isWellFormed()).toBe(true);
  return JSON.parse(body);
}

function isPlain(text: string): void {
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(CONTROL);
}

interface SlackText {
  readonly text: string;
}

test("slack", async () => {
  await every("slack", anyEvents, (rendered) => {
    const { text, blocks } = parsed(rendered) as {
      text: string;
      blocks: { type: string; text?: SlackText; elements?: SlackText[] }[];
    };
    expect(text.length).toBeLessThanOrEqual(4000);
    expect(blocks.length).toBeLessThanOrEqual(50);
    for (const block of blocks) {
      const texts = [...(block.text ? [block.text] : []), ...(block.elements ?? [])];
      expect(texts.length).toBeGreaterThan(0);
      expect(texts.length).toBeLessThanOrEqual(10);
      for (const { text: content } of texts) {
        isPlain(content);
        expect(content.length).toBeGreaterThan(0);
        expect(content.length).toBeLessThanOrEqual(block.type === "header" ? 150 : 3000);
      }
    }
  });
});

test("discord", async () => {
  await every("discord", anyEvents, (rendered) => {
    const { embeds } = parsed(rendered) as {
      embeds: [
        { title: string; description?: string; url?: string; fields?: { name: string; value: string }[] },
      ];
    };
    const { title, description = "", url = "https://none.example", fields = [] } = embeds[0];
    expect(title.length).toBeLessThanOrEqual(256);
    expect(description.length).toBeLessThanOrEqual(4096);
    expect(fields.length).toBeLessThanOrEqual(25);
    expect(url).toMatch(/^https:\/\/\S+$/);
    let all = title.length + description.length;
    for (const { name, value } of fields) {
      expect(name.length).toBeGreaterThan(0);
      expect(value.length).toBeGreaterThan(0);
      expect(name.length).toBeLessThanOrEqual(256);
      expect(value.length).toBeLessThanOrEqual(1024);
      isPlain(value);
      all += name.length + value.length;
    }
    expect(all).toBeLessThanOrEqual(6000);
    isPlain(title);
    isPlain(description);
  });
});

test("teams", async () => {
  await every("teams", anyEvents, (rendered) => {
    const { attachments } = parsed(rendered) as {
      attachments: [{ content: { body: { type: string; text?: string }[]; actions: { url: string }[] } }];
    };
    expect(bytes(letterOf(rendered).body)).toBeLessThanOrEqual(28_000);
    for (const { type, text } of attachments[0].content.body) {
      if (type === "TextBlock") isPlain(text ?? "\0");
    }
    for (const { url } of attachments[0].content.actions) expect(url).toMatch(/^https:\/\/\S+$/);
  });
});

/** Text outside tags has no `<`, `>` or `"`, and `&` only of the four entities; tags are ours, and are closed in order. */
function isTelegramHtml(text: string): void {
  const open: string[] = [];
  const rest = text.replaceAll(
    /<(\/?)(b|code|a)( href="https?:\/\/[^"<>]*")?>/g,
    (_, slash: string, tag: string) => {
      if (slash === "") open.push(tag);
      else expect(open.pop()).toBe(tag);
      return "";
    },
  );
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>"]/);
  expect(rest.replaceAll(/&(?:amp|lt|gt|quot);/g, "")).not.toContain("&");
}

test("telegram", async () => {
  await every("telegram", anyEvents, (rendered) => {
    const { text } = parsed(rendered) as { text: string };
    expect(text.length).toBeLessThanOrEqual(4096);
    isPlain(text);
    isTelegramHtml(text);
  });
});

test("ntfy", async () => {
  await every("ntfy", anyEvents, (rendered) => {
    const { title, message, click = "https://none.example" } = parsed(rendered) as Record<string, string>;
    expect(bytes(message ?? "")).toBeLessThan(4096);
    expect(message).not.toBe("");
    expect(title).not.toMatch(/[\r\n]/);
    expect(bytes(letterOf(rendered).body)).toBeLessThan(8192);
    expect(click).toMatch(/^https:\/\/\S+$/);
    isPlain(message ?? "");
  });
});

test("mail", async () => {
  await every("email", anyEvents, (rendered) => {
    if (rendered.type !== "mail") throw new Error("no mail");
    expect(rendered.subject.length).toBeLessThanOrEqual(998);
    expect(rendered.subject).not.toMatch(/[\r\n]/);
    isPlain(rendered.subject);
    isPlain(rendered.text);
    expect(bytes(rendered.text)).toBeLessThan(1_000_000);
  });
});

test.each(["slack", "discord", "teams", "telegram", "ntfy", "email"] as const)(
  "%s: the incident's id is told, however long all else is",
  async (kind) => {
    const channel = CHANNELS[kind];
    for (const event of fullest) {
      const rendered = await channelKind(channel).render([event], channel, occasion(SECRETS));
      // No link of these events has it.
      expect(JSON.stringify(rendered)).toContain("acme.models-20261120t120000z");
    }
  },
);

const oneEvent = anyEvent.map((event) => [event]);

test("pagerduty", async () => {
  await every("pagerduty", oneEvent, (rendered) => {
    const body = parsed(rendered) as {
      dedup_key: string;
      event_action: string;
      payload?: Record<string, string>;
    };
    expect(body.dedup_key.length).toBeLessThanOrEqual(255);
    expect(body.dedup_key.length).toBeGreaterThan(0);
    expect(bytes(letterOf(rendered).body)).toBeLessThan(512_000);
    if (body.event_action === "resolve") return;
    expect(body.payload?.["summary"]?.length).toBeLessThanOrEqual(1024);
    isPlain(body.payload?.["summary"] ?? "\0");
    expect(["critical", "error", "warning", "info"]).toContain(body.payload?.["severity"]);
    expect(body.payload?.["source"]).not.toBe("");
  });
});

test("alertmanager", async () => {
  await every("alertmanager", oneEvent, (rendered) => {
    const alerts = parsed(rendered) as {
      labels: Record<string, string>;
      annotations: Record<string, string>;
      startsAt: string;
      endsAt: string;
    }[];
    const identities = alerts.map(({ labels }) => JSON.stringify(labels));
    expect(new Set(identities).size).toBe(identities.length);
    for (const { labels, annotations, startsAt, endsAt } of alerts) {
      expect(labels["alertname"]).toMatch(/^Gatepulse/);
      for (const name of [...Object.keys(labels), ...Object.keys(annotations)]) {
        expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_]*$/);
      }
      expect(Date.parse(endsAt)).toBeGreaterThanOrEqual(Date.parse(startsAt));
      isPlain(annotations["summary"] ?? "\0");
    }
  });
});

test("webhook", async () => {
  await every("webhook", oneEvent, (rendered) => {
    const { body, headers } = letterOf(rendered);
    expect(() => JSON.parse(body) as unknown).not.toThrow();
    expect(() => new Headers(headers)).not.toThrow();
  });
});
