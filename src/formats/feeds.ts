/** A feed as Atom (RFC 4287), RSS 2.0 and JSON Feed 1.1, with ids of RFC 4151. Pure: the same until something happens. */
import { compareInstants } from "../history/documents.ts";
import { oneLine } from "../protocol/error-facts.ts";
import { escapeXml } from "./markup.ts";

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
  /** Null: it belongs in no calendar. */
  readonly event: CalendarEvent | null;
  /** The page with more, relative to the site's address. */
  readonly path: string;
  /** HTML; called only where there is room for the entry. */
  content(): string;
}

export interface CalendarEvent {
  /** The same before it and after it. */
  readonly title: string;
  readonly from: string;
  /** Null: it is not over. */
  readonly to: string | null;
  readonly changes: number;
  readonly changedAt: string;
}

const MOST_ENTRIES = 50;

/** The newest change first; no more than 50. */
export function newestOf(entries: readonly FeedEntry[]): readonly FeedEntry[] {
  return entries.toSorted((a, b) => compareInstants(b.updatedAt, a.updatedAt)).slice(0, MOST_ENTRIES);
}

export function writeFeed(file: FeedFile, feed: Feed): string {
  return WRITERS[file](wholeOf(feed));
}

type Whole = ReturnType<typeof wholeOf>;

function wholeOf({ key, baseUrl, path, pagePath, language, ...feed }: Feed) {
  const newest = newestOf(feed.entries);
  const authority = authorityOf(baseUrl);
  return {
    id: `tag:${authority},2026:${nameIn(key)}`,
    url: `${baseUrl}${path}`,
    pageUrl: `${baseUrl}${pagePath}`,
    language,
    title: oneLine(feed.title),
    subtitle: oneLine(feed.subtitle),
    updatedAt: newest[0]?.updatedAt ?? feed.updatedAt,
    items: newest.map((entry) => ({
      id: `tag:${authority},${entry.publishedAt.slice(0, 10)}:${nameIn(entry.key)}`,
      url: `${baseUrl}${entry.path}`,
      publishedAt: entry.publishedAt,
      updatedAt: entry.updatedAt,
      title: oneLine(entry.title),
      html: entry.content().toWellFormed(),
    })),
  };
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
    element("lastBuildDate", new Date(updatedAt).toUTCString()),
    `<atom:link rel="self" type="application/rss+xml" href="${escapeXml(url)}"/>`,
    ...items.flatMap((item) => [
      "<item>",
      `<guid isPermaLink="false">${escapeXml(item.id)}</guid>`,
      element("title", item.title),
      element("link", item.url),
      element("pubDate", new Date(item.publishedAt).toUTCString()),
      element("content:encoded", item.html),
      "</item>",
    ]),
    "</channel>\n</rss>\n",
  ].join("\n");
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
export function authorityOf(baseUrl: string): string {
  const host = /^[a-z]+:\/\/([a-z0-9.-]+)(?:[:/]|$)/i.exec(baseUrl)?.[1];
  return host?.toLowerCase() ?? "localhost";
}

export function nameIn(key: string): string {
  return encodeURIComponent(key.toWellFormed()).replaceAll("%2F", "/");
}
