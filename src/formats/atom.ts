/** A feed (RFC 4287) with ids of RFC 4151. Pure; nothing in it comes from the clock: it stays the same until something happens. */
import { compareInstants } from "../history/documents.ts";
import { escapeXml, oneLine } from "./markup.ts";

export const ATOM_TYPE = "application/atom+xml; charset=utf-8";

export interface Feed {
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

/** The newest change first; no more than 50. */
export function atomFeed(feed: Feed): string {
  const { baseUrl, language, title, subtitle, updatedAt, entries } = feed;
  const newest = entries.toSorted((a, b) => compareInstants(b.updatedAt, a.updatedAt)).slice(0, MOST_ENTRIES);
  const authority = authorityOf(baseUrl);
  const author = `<author>${element("name", oneLine(title))}</author>`;
  return [
    `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(language)}">`,
    element("id", `tag:${authority},2026:feed`),
    element("title", oneLine(title)),
    element("subtitle", oneLine(subtitle)),
    element("updated", newest[0]?.updatedAt ?? updatedAt),
    author,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(`${baseUrl}${feed.path}`)}"/>`,
    alternate(`${baseUrl}${feed.pagePath}`),
    ...newest.map((entry) => entryOf(entry, { baseUrl, authority, author })),
    "</feed>\n",
  ].join("\n");
}

function entryOf(
  entry: FeedEntry,
  { baseUrl, authority, author }: { baseUrl: string; authority: string; author: string },
): string {
  const { key, publishedAt, updatedAt, title, path } = entry;
  return [
    "<entry>",
    element("id", `tag:${authority},${publishedAt.slice(0, 10)}:${specific(key)}`),
    element("title", oneLine(title)),
    element("published", publishedAt),
    element("updated", updatedAt),
    author,
    alternate(`${baseUrl}${path}`),
    `<content type="html">${escapeXml(entry.content())}</content>`,
    "</entry>",
  ].join("\n");
}

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
