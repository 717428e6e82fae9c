/** Stories written in the markup of a service. Pure. */
import { cut, type Measure } from "./cut.ts";
import { briefFactsOf, type Fact, type Link, type Story } from "./story.ts";

export interface Markup {
  /** Our own words and the configuration's names, so that they are only text. Character by character. */
  readonly escape: (text: string) => string;
  /** A stranger's text, so that it can be no markup, no mention and no link. */
  readonly quote: (text: string) => string;
  /** Takes what is escaped already. */
  readonly strong: (escaped: string) => string;
  readonly link: (link: Link) => string;
}

/** Escaped text within a limit that counts it as escaped. */
export function escapedWithin(text: string, limit: number, escape: (text: string) => string): string {
  const measure: Measure = (part) => escape(part).length;
  return escape(cut(text, limit, measure));
}

/** All but headline and links, a line each, the most important first. */
export function linesOf({ note, facts }: Story, markup: Markup): readonly string[] {
  return [
    ...(note === null ? [] : [markup.escape(note)]),
    ...facts.map((one) => `${markup.strong(markup.escape(`${one.label}:`))} ${textOf(one, markup)}`),
  ];
}

export function textOf({ text, quote }: Fact, markup: Markup): string {
  return quote ? markup.quote(text) : markup.escape(text);
}

export function linksLine({ links }: Story, markup: Markup): string {
  return links.map((link) => markup.link(link)).join(" · ");
}

const LONGEST_BRIEF_HEADLINE = 200;

/** One of many: what happened, whose turn it is, the incident's id, and where more is told. */
export function briefOf(story: Story, markup: Markup): string {
  const [link] = story.links;
  return [
    markup.strong(markup.escape(cut(story.headline, LONGEST_BRIEF_HEADLINE))),
    ...briefFactsOf(story).map(({ label, text }) => markup.escape(`${label}: ${text}`)),
    ...(link === undefined ? [] : [markup.link(link)]),
  ].join("\n");
}
