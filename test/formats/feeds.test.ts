import * as fc from "fast-check";
import { parseAtomFeed } from "feedsmith";
import { expect, test } from "vitest";
import { type Feed, type FeedEntry, writeFeed } from "../../src/formats/feeds.ts";
import { hostileText } from "./hostile-text.ts";
import { elementsOf, readXml, type XmlElement } from "./xml-reader.ts";

const INCIDENT = "incidents/acme.models-20261120t080000z";
const at = (minute: number): string => `2026-11-20T08:${String(minute).padStart(2, "0")}:00.000Z`;

function entryOf(more: Partial<FeedEntry> = {}): FeedEntry {
  const own = { key: INCIDENT, path: `/${INCIDENT}`, title: "Acme is down", content: () => "<p>It is.</p>" };
  return { ...own, publishedAt: at(0), updatedAt: at(0), event: null, ...more };
}

function feedOf(more: Partial<Feed> = {}): string {
  const address = { key: "feed", baseUrl: "https://status.example", path: "/feed.atom", pagePath: "/" };
  const words = { language: "en", title: "Acme gateways", subtitle: "Incidents." } as const;
  const updatedAt = "2026-11-19T00:00:00.000Z";
  return writeFeed("feed.atom", { ...address, ...words, updatedAt, entries: [entryOf()], ...more });
}

function idsOf(xml: string): string[] {
  return elementsOf(readXml(xml)).flatMap(({ name, text }) => (name === "id" ? [text] : []));
}

function childrenOf(parent: XmlElement | undefined, name: string): XmlElement[] {
  return (parent?.children ?? []).filter((child) => child.name === name);
}

/** RFC 4151, 2.1, as far as names of hosts and dates go. */
const TAG =
  /^tag:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*,\d{4}(?:-\d\d-\d\d)?:(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})*$/u;

test("ids are tags of the site's host and of the day on which the entry began, without a port", () => {
  const ids = ["tag:status.example,2026:feed", `tag:status.example,2026-11-20:${INCIDENT}`];
  expect(idsOf(feedOf())).toEqual(ids);
  expect(idsOf(feedOf({ baseUrl: "http://STATUS.example:8787/at/a/path" }))).toEqual(ids);
});

test("every id is a tag URI, whatever the key is", () => {
  fc.assert(
    fc.property(hostileText, (key) => {
      for (const id of idsOf(feedOf({ entries: [entryOf({ key })] }))) expect(id).toMatch(TAG);
    }),
  );
});

test("the latest change comes first and dates the feed; what changed at once keeps its order", () => {
  const updates = { a: at(0), b: at(9), c: at(0) };
  const entries = Object.entries(updates).map(([key, updatedAt]) => entryOf({ key, updatedAt }));
  const feed = parseAtomFeed(feedOf({ entries }));
  expect(feed.entries?.map(({ id }) => id?.at(-1))).toEqual(["b", "a", "c"]);
  expect(feed.updated).toBe(at(9));
  expect(parseAtomFeed(feedOf({ entries: [] })).updated).toBe("2026-11-19T00:00:00.000Z");
});

test("there are no more than fifty, and the others are not even written", () => {
  const written: number[] = [];
  const entries = Array.from({ length: 51 }, (_, index) => {
    const content = () => `${written.push(index)}`;
    return entryOf({ key: String(index), updatedAt: at(index), content });
  });
  expect(parseAtomFeed(feedOf({ entries })).entries).toHaveLength(50);
  expect(written).toEqual(Array.from({ length: 50 }, (_, index) => 50 - index));
});

test("what XML 1.0 forbids is gone, and a title is one line without what turns the writing round", () => {
  const content = () => "a\u0000b\u0008c\u000bd\u001fe\u007ff\ufffeg\uffffh\ud800i\tj\nk";
  const entries = [entryOf({ content, title: "x\u0000y\u001bz\ufffe" })];
  const xml = feedOf({ entries, title: "  Acme\r\n\u202egateways\u200b " });
  const [entry] = childrenOf(readXml(xml), "entry");
  expect(childrenOf(entry, "content")[0]?.text).toBe("abcdefgh\ufffdi\tj\nk");
  expect(childrenOf(entry, "title")[0]?.text).toBe("x y z");
  expect(parseAtomFeed(xml).title?.value).toBe("Acme gateways");
});
