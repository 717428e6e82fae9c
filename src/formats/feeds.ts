/**
 * A feed as Atom (RFC 4287), RSS 2.0 and JSON Feed 1.1, with ids of RFC 4151. Pure; nothing in it comes from the clock: it stays the
 * same until something happens.
 */
import { compareInstants } from "../history/documents.ts";
import { escapeXml, oneLine } from "./markup.ts";

export const FEED_TYPES = {
  "feed.atom": "application/atom+xml",
  "feed.rss": "application/rss+xml",
  "feed.json": "application/feed+json",
} as const;
export type FeedFile = keyof typeof FEED_TYPES;
export const FEED_FILES = Object.keys(FEED_TYPES) as FeedFile[];

export interface Feed {
  /** Names it among all feeds of the site: `feed`. */
  readonly key: string;
  readonly baseUrl: string;
  /** The addresses of the feed and of its page, from the site's on. */
  readonly path: string;
  readonly pagePath: string;
  readonly language: string;
  readonly title: string;
  readonly subtitle: string;
  /** Where there is no entry. */
  readonly updatedAt: string;
  readonly entries: readonly FeedEntry[];
}

/** Instants are RFC 3339 in UTC with milliseconds: they sort as text. */
export interface FeedEntry {
  /** Names it among all entries of all time: `incidents/<id>`. */
  readonly key: string;
  readonly publishedAt: string;
  readonly updatedAt: string;
  readonly title: string;
  /** The page with more, relative to the site's address. */
  readonly path: string;
  /** HTML; called only where there is room for the entry. */
  content(): string;
}

const MOST_ENTRIES = 50;

interface Item extends Pick<FeedEntry, "publishedAt" | "updatedAt" | "title"> {
  readonly id: string;
  readonly url: string;
  readonly html: string;
}

interface Whole extends Pick<Feed, "language" | "title" | "subtitle" | "updatedAt"> {
  readonly id: string;
  readonly url: string;
  readonly pageUrl: string;
  readonly items: readonly Item[];
}

/** The newest change first; no more than 50. */
export function writeFeed(file: FeedFile, feed: Feed): string {
  const { baseUrl, language, entries } = feed;
  const newest = entries.toSorted((a, b) => compareInstants(b.updatedAt, a.updatedAt)).slice(0, MOST_ENTRIES);
  const authority = authorityOf(baseUrl);
  return WRITERS[file]({
    id: `tag:${authority},2026:${specific(feed.key)}`,
    url: `${baseUrl}${feed.path}`,
    pageUrl: `${baseUrl}${feed.pagePath}`,
    language,
    title: oneLine(feed.title),
    subtitle: oneLine(feed.subtitle),
    updatedAt: newest[0]?.updatedAt ?? feed.updatedAt,
    items: newest.map((entry) => ({
      id: `tag:${authority},${entry.publishedAt.slice(0, 10)}:${specific(entry.key)}`,
      url: `${baseUrl}${entry.path}`,
      publishedAt: entry.publishedAt,
      updatedAt: entry.updatedAt,
      title: oneLine(entry.title),
      html: entry.content().toWellFormed(),
    })),
  });
}

const XML = `<?xml version="1.0" encoding="utf-8"?>\n`;

function atom({ id, url, pageUrl, language, title, subtitle, updatedAt, items }: Whole): string {
  const author = `<author>${element("name", title)}</author>`;
  return [
    `${XML}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(language)}">`,
    element("id", id),
    element("title", title),
    element("subtitle", subtitle),
    element("updated", updatedAt),
    author,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(url)}"/>`,
    alternate(pageUrl),
    ...items.flatMap((item) => [
      "<entry>",
      element("id", item.id),
      element("title", item.title),
      element("published", item.publishedAt),
      element("updated", item.updatedAt),
      author,
      alternate(item.url),
      `<content type="html">${escapeXml(item.html)}</content>`,
      "</entry>",
    ]),
    "</feed>\n",
  ].join("\n");
}

function rss({ url, pageUrl, language, title, subtitle, updatedAt, items }: Whole): string {
  return [
    `${XML}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/">`,
    "<channel>",
    element("title", title),
    element("link", pageUrl),
    element("description", subtitle),
    element("language", language),
    element("lastBuildDate", rfc822(updatedAt)),
    `<atom:link rel="self" type="application/rss+xml" href="${escapeXml(url)}"/>`,
    ...items.flatMap((item) => [
      "<item>",
      `<guid isPermaLink="false">${escapeXml(item.id)}</guid>`,
      element("title", item.title),
      element("link", item.url),
      element("pubDate", rfc822(item.publishedAt)),
      element("content:encoded", item.html),
      "</item>",
    ]),
    "</channel>\n</rss>\n",
  ].join("\n");
}

/** With four digits of the year, as RSS prefers. */
function rfc822(at: string): string {
  return new Date(at).toUTCString();
}

function json({ url, pageUrl, language, title, subtitle, items }: Whole): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    description: subtitle,
    home_page_url: pageUrl,
    feed_url: url,
    language,
    authors: [{ name: title }],
    items: items.map((item) => ({
      id: item.id,
      url: item.url,
      title: item.title,
      content_html: item.html,
      date_published: item.publishedAt,
      date_modified: item.updatedAt,
    })),
  });
}

const WRITERS = { "feed.atom": atom, "feed.rss": rss, "feed.json": json } as const;

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

function alternate(url: string): string {
  return `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>`;
}

/** RFC 4151 knows names of hosts, no ports and no IPv6. */
function authorityOf(baseUrl: string): string {
  const host = /^[a-z]+:\/\/([a-z0-9.-]+)(?:[:/]|$)/i.exec(baseUrl)?.[1];
  return host?.toLowerCase() ?? "localhost";
}

function specific(key: string): string {
  return encodeURIComponent(key.toWellFormed()).replaceAll("%2F", "/");
}
