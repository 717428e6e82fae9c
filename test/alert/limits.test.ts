/** Whatever is told, each message is within the limits of its service, and is what the service can read. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import type { Rendered } from "../../src/alert/channel.ts";
import { channelKind } from "../../src/alert/channels.ts";
import { anyEvent, anyEvents, anyTitle, fullest } from "./any-event.ts";
import { type Body, CHANNELS, SECRETS, shown } from "./channel-configs.ts";
import { letterOf, occasion, opened } from "./telling.ts";
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
    const many = Array.from({ length: 200 }, () => event);
    await judge(many, "x");
  }
  await fc.assert(fc.asyncProperty(events, anyTitle, judge), { numRuns: rounds(6, 60) });
}

function parsed(rendered: Rendered): Body {
  const { body } = letterOf(rendered);
  expect(body.isWellFormed()).toBe(true);
  return JSON.parse(body);
}

function isWithin(length: number, most: number, least = 0): void {
  expect(length).toBeGreaterThanOrEqual(least);
  expect(length).toBeLessThanOrEqual(most);
}

function isPlain(text: string, most = Number.POSITIVE_INFINITY, least = 0): void {
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(CONTROL);
  isWithin(text.length, most, least);
}

const LINK = /^https:\/\/\S+$/;

test("slack", async () => {
  await every("slack", anyEvents, (rendered) => {
    const { text, blocks } = parsed(rendered);
    isWithin(text.length, 4000);
    isWithin(blocks.length, 50);
    for (const { type, text: own, elements = [] } of blocks) {
      const texts = [...(own ? [own] : []), ...elements];
      isWithin(texts.length, 10, 1);
      for (const { text: content } of texts) isPlain(content, type === "header" ? 150 : 3000, 1);
    }
  });
});

test("discord", async () => {
  await every("discord", anyEvents, (rendered) => {
    const { title, description = "", url = "https://none.example", fields = [] } = parsed(rendered).embeds[0];
    isPlain(title, 256);
    isPlain(description, 4096);
    isWithin(fields.length, 25);
    expect(url).toMatch(LINK);
    let all = title.length + description.length;
    for (const { name, value } of fields) {
      isWithin(name.length, 256, 1);
      isPlain(value, 1024, 1);
      all += name.length + value.length;
    }
    isWithin(all, 6000);
  });
});

test("teams", async () => {
  await every("teams", anyEvents, (rendered) => {
    const { body, actions } = parsed(rendered).attachments[0].content;
    isWithin(bytes(letterOf(rendered).body), 28_000);
    for (const { type, text = "\0" } of body) if (type === "TextBlock") isPlain(text);
    for (const { url } of actions) expect(url).toMatch(LINK);
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
    const { text } = parsed(rendered);
    isPlain(text, 4096);
    isTelegramHtml(text);
  });
});

test("ntfy", async () => {
  await every("ntfy", anyEvents, (rendered) => {
    const { title, message = "", click = "https://none.example" } = parsed(rendered);
    isWithin(bytes(message), 4095, 1);
    expect(title).not.toMatch(/[\r\n]/);
    expect(bytes(letterOf(rendered).body)).toBeLessThan(8192);
    expect(click).toMatch(LINK);
    isPlain(message);
  });
});

test("mail", async () => {
  await every("email", anyEvents, (rendered) => {
    if (rendered.type !== "mail") throw new Error("no mail");
    isPlain(rendered.subject, 998);
    expect(rendered.subject).not.toMatch(/[\r\n]/);
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
    const { dedup_key: key, event_action: action, payload } = parsed(rendered);
    isWithin(key.length, 255, 1);
    expect(bytes(letterOf(rendered).body)).toBeLessThan(512_000);
    if (action === "resolve") return;
    isPlain(payload?.summary ?? "\0", 1024);
    expect(["critical", "error", "warning", "info"]).toContain(payload.severity);
    expect(payload.source).not.toBe("");
  });
});

test("alertmanager", async () => {
  await every("alertmanager", oneEvent, (rendered) => {
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
  });
});

test("webhook", async () => {
  await every("webhook", oneEvent, (rendered) => {
    const { body, headers } = letterOf(rendered);
    expect(() => JSON.parse(body) as unknown).not.toThrow();
    expect(() => new Headers(headers)).not.toThrow();
  });
});

/** Where a message has the text. */
type Place = (body: Body) => string;

test("a card has twenty events, and counts all that it leaves out", async () => {
  const many = Array.from({ length: 25 }, () => opened());
  const sizeAndEnd: Place = ({ attachments }) => {
    const { body } = attachments[0].content;
    return `${body.length} blocks: ${body.at(-1).text}`;
  };
  // With its head.
  expect(await shown("teams", many, sizeAndEnd)).toBe("22 blocks: … and 5 more");
});
