import * as fc from "fast-check";
import { parseAtomFeed } from "feedsmith";
import RssParser from "rss-parser";
import { expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { atomFeed, type Feed, type FeedEntry } from "../../src/formats/atom.ts";
import { hostileText } from "./hostile-text.ts";
import { elementsOf, readXml } from "./xml-reader.ts";

function entryOf(more: Partial<FeedEntry> = {}): FeedEntry {
  return {
    key: "incidents/acme.models-20261120t080000z",
    publishedAt: "2026-11-20T08:00:00.000Z",
    updatedAt: "2026-11-20T08:00:00.000Z",
    title: "Acme is down",
    path: "/incidents/acme.models-20261120t080000z",
    content: () => "<p>It is.</p>",
    ...more,
  };
}

function feedOf(more: Partial<Feed> = {}): string {
  return atomFeed({
    baseUrl: "https://status.example",
    path: "/feed.atom",
    pagePath: "/",
    language: "en",
    title: "Acme gateways",
    subtitle: "Incidents.",
    updatedAt: "2026-11-19T00:00:00.000Z",
    entries: [entryOf()],
    ...more,
  });
}

function idsOf(xml: string): (string | undefined)[] {
  return elementsOf(readXml(xml)).flatMap(({ name, text }) => (name === "id" ? [text] : []));
}

/** RFC 4151, 2.1, as far as names of hosts and dates go. */
const TAG =
  /^tag:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*,\d{4}(?:-\d\d-\d\d)?:(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})*$/u;

test("a feed has what RFC 4287 asks of it, and so has each entry", () => {
  const root = readXml(feedOf());
  expect(root).toMatchObject({ name: "feed", attributes: { xmlns: "http://www.w3.org/2005/Atom" } });
  const once = (parent: typeof root | undefined, name: string) =>
    parent?.children.filter((child) => child.name === name);
  const entry = root.children.find(({ name }) => name === "entry");
  for (const name of ["id", "title", "updated", "author"]) {
    expect(once(root, name), name).toHaveLength(1);
    expect(once(entry, name), name).toHaveLength(1);
  }
  expect(once(root, "link")?.map(({ attributes }) => [attributes["rel"], attributes["href"]])).toEqual([
    ["self", "https://status.example/feed.atom"],
    ["alternate", "https://status.example/"],
  ]);
  expect(once(entry, "link")?.map(({ attributes }) => [attributes["rel"], attributes["href"]])).toEqual([
    ["alternate", "https://status.example/incidents/acme.models-20261120t080000z"],
  ]);
});

test("ids are tags of the site's host and of the day on which the entry began, without a port", () => {
  const ids = [
    "tag:status.example,2026:feed",
    "tag:status.example,2026-11-20:incidents/acme.models-20261120t080000z",
  ];
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
  const entries = [
    entryOf({ key: "a", updatedAt: "2026-11-20T08:00:00.000Z" }),
    entryOf({ key: "b", updatedAt: "2026-11-20T09:00:00.000Z" }),
    entryOf({ key: "c", updatedAt: "2026-11-20T08:00:00.000Z" }),
  ];
  const feed = parseAtomFeed(feedOf({ entries }));
  expect(feed.entries?.map(({ id }) => id?.at(-1))).toEqual(["b", "a", "c"]);
  expect(feed.updated).toBe("2026-11-20T09:00:00.000Z");
});

test("without entries the feed is as old as it is told to be", () => {
  expect(parseAtomFeed(feedOf({ entries: [] })).updated).toBe("2026-11-19T00:00:00.000Z");
});

test("there are no more than fifty, and the others are not even written", () => {
  const written: number[] = [];
  const entries = Array.from({ length: 51 }, (_, index) =>
    entryOf({
      key: String(index),
      updatedAt: `2026-11-20T08:${String(index).padStart(2, "0")}:00.000Z`,
      content: () => {
        written.push(index);
        return "";
      },
    }),
  );
  expect(parseAtomFeed(feedOf({ entries })).entries).toHaveLength(50);
  expect(written).toEqual(Array.from({ length: 50 }, (_, index) => 50 - index));
});

test("what XML 1.0 forbids is gone: control characters, noncharacters, lone surrogates", () => {
  const content = () => "a\u0000b\u0008c\u000bd\u001fe\u007ff\ufffeg\uffffh\ud800i\tj\nk";
  const xml = feedOf({ entries: [entryOf({ content, title: "x\u0000y\u001bz\ufffe" })] });
  const entry = readXml(xml).children.at(-1);
  expect(entry?.children.find(({ name }) => name === "content")?.text).toBe("abcdefgh\ufffdi\tj\nk");
  expect(entry?.children.find(({ name }) => name === "title")?.text).toBe("x y z");
});

test("a title is one line without what turns the writing round", () => {
  const xml = feedOf({ title: "  Acme\r\n\u202egateways\u200b " });
  expect(parseAtomFeed(xml).title?.value).toBe("Acme gateways");
});

test("whatever the words are, it is well-formed, and both readers find one entry", async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const entries = [
        entryOf({
          key: text,
          title: text,
          path: `/${encodeURIComponent(text.toWellFormed())}`,
          content: () => text,
        }),
      ];
      const xml = feedOf({ title: text, subtitle: text, entries });
      const names = elementsOf(readXml(xml)).map(({ name }) => name);
      expect(names).toEqual(elementsOf(readXml(feedOf())).map(({ name }) => name));
      expect(parseAtomFeed(xml).entries).toHaveLength(1);
      expect((await new RssParser().parseString(xml)).items).toHaveLength(1);
    }),
    { numRuns: rounds(37, 300) },
  );
});
