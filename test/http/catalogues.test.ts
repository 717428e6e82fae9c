/** The languages of the pages against each other, and each against what it must say. */
import { expect, test } from "vitest";
import { type Language, LANGUAGES } from "../../src/config/config.ts";
import { say } from "../../src/domain/language/words.ts";
import { alertWords } from "../../src/alert/words.ts";
import { EN, EVIDENCE, REFERENCE, ZH } from "./words.ts";

/** Messages and sentences by their place, such as `card.noOutage`. */
type Leaves = ReadonlyMap<string, string>;

/** What is stored in English no other language shares. */
function leavesOf(node: object, path = ""): [string, string][] {
  return Object.entries(node).flatMap(([key, child]: [string, object | string | null]) => {
    const place = `${path}${key}`;
    if (child === null || place === "stored") return [];
    return typeof child === "object" ? leavesOf(child, `${place}.`) : [[place, child]];
  });
}

const ALL: Readonly<Record<Language, Leaves>> = {
  en: new Map(leavesOf({ ...EN, ...REFERENCE.en, alerts: alertWords("en").alerts })),
  zh: new Map(leavesOf({ ...ZH, ...REFERENCE.zh })),
};

/** They begin and end like a number or a name. */
const SLOTS = ["1‹a›1", "2‹b›2", "3‹c›3"] as const;

const told = (leaf: string) => say(leaf, ...SLOTS);

/** How many things a sentence tells. */
function countOf(leaf = ""): number {
  return new Set(leaf.match(/\{\d/gu)).size;
}

/** How many things a sentence is to tell, in whatever language names most of them. */
function slotsOf(place: string): readonly string[] {
  return SLOTS.slice(0, Math.max(...LANGUAGES.map((language) => countOf(ALL[language].get(place)))));
}

const placesOf = (language: Language, isMeant: (leaf: string, place: string) => boolean) =>
  [...ALL[language]].flatMap(([place, leaf]) => (isMeant(leaf, place) ? [place] : []));

test.each(LANGUAGES)("%s has the words of English, and no others", (language) => {
  expect([...ALL[language].keys()].sort()).toEqual([...ALL.en.keys()].sort());
});

test("a sentence has the words for one thing and for several, and must be told all that it names", () => {
  expect([0, 1, 2].map((count) => say("{0|# one is|# are} {1}", count, "up"))).toEqual([
    "0 are up",
    "1 one is up",
    "2 are up",
  ]);
  expect(say("{1}, {0}", "{1}", null)).toEqual(["", null, ", ", "{1}", ""]);
  expect(() => say("{0} of {1}", 1)).toThrow("nothing is told at 1: {0} of {1}");
});

test.each(LANGUAGES)("every sentence in %s tells all that it is given", (language) => {
  const isOnce = (leaf: string, slot: string) => told(leaf).split(slot).length === 2;
  const isWhole = (leaf: string, place: string) => slotsOf(place).every((slot) => isOnce(leaf, slot));
  expect(placesOf(language, (leaf, place) => !isWhole(leaf, place))).toEqual([]);
  expect(slotsOf("day.percentiles")).toEqual(SLOTS);
});

test.each(LANGUAGES)("in %s no words have markup, and none is empty but what parts sentences", (language) => {
  expect(placesOf(language, (leaf) => /[<>&"]/u.test(told(leaf)))).toEqual([]);
  expect(placesOf(language, (leaf, place) => told(leaf) === "" && place !== "gap")).toEqual([]);
});

const chinese: readonly (readonly [string, string])[] = [
  ...[...ALL.zh].map(([place, leaf]) => [place, told(leaf)] as const),
  ...Object.entries(EVIDENCE.zh),
  ...Object.entries(ZH.stored?.advice ?? {}),
  ...(ZH.stored?.sentences ?? []).map(([pattern, words]) => [pattern.source, words] as const),
].filter(([place]) => place !== "tag");

/** Names, formats and units that Chinese engineers write so, and code. */
const TERMS =
  /`[^`]*`|\b(?:Gatepulse|gatepulse\.config\.ts|[24]xx|p|p50|p95|p99|Markdown|HTTP|TLS|DNS|API|URL|JSON Schema|JSON|Bearer|GET|HEAD|User-Agent|UTF-8|curl -i|HAR|SDK|Chat Completions|Messages|Responses|Gemini|generateContent|kB|id|ms)\b|\/v1|\$1|[123]‹[abc]›[123]/gu;

test("Chinese has no Latin words but terms", () => {
  const left = chinese.map(([place, words]) => [place, words.replaceAll(TERMS, "")] as const);
  expect(left.filter(([, words]) => /\p{Script=Latin}/u.test(words))).toEqual([]);
});

/** Their slots are Chinese words themselves. */
const IN_CHINESE =
  /^(?:headline\.(?:count|one|both|all|some)|report\.about|incident\.over|ago|until|stopped\.gaps|maintenance\.planned|card\.paused|card\.every|canary\.(?:notAsked|task)|alerts\.(?:still|waits))$/u;

test("Chinese has spaces where Latin or digits begin and end, and punctuation of its own", () => {
  const wrong = chinese.filter(
    ([place, words]) =>
      (!IN_CHINESE.test(place) && /\p{Script=Han}[\w$]|[\w%]\p{Script=Han}/u.test(words)) ||
      /\p{Script=Han} ?[,.;:!?()]|[,.;:!?()]\p{Script=Han}|\p{Script=Han} \p{Script=Han}/u.test(words) ||
      /[，。；：、（）“”] | [，。；：、（）“”]/u.test(words),
  );
  expect(wrong).toEqual([]);
});
