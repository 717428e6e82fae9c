/** What happens to the demo's gateways, from 90 days before its start, in milliseconds since then. The present continues it. Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/calendar.ts";
import type { Probed } from "../../domain/probe-outcome.ts";
import { stableHash } from "../../domain/schedule.ts";
import STORY from "./story.json" with { type: "json" };

export const STORY_MS = 90 * DAY_MS;

/** `list`: the request for a gateway's model list. `chat`: its canary's request. */
export type Asked = "list" | "chat";

/** A gateway's answer, as the name of a simulator scenario, and its delay. */
export interface Turn {
  readonly scenario: string;
  readonly delayMs: number;
}

/** `listMs`: the usual latency of the list. `chat`: that of the canary 90 days ago, and at the start; null: there is none. */
export const GATEWAYS = STORY.gateways;

interface Told {
  readonly gateway: string;
  readonly hoursAgo: number;
  /** Null: it goes on. */
  readonly hours: number | null;
  readonly scenario: string;
}

const timed = (told: Told) => ({
  ...told,
  fromMs: -told.hoursAgo * HOUR_MS,
  toMs: ((told.hours ?? Number.POSITIVE_INFINITY) - told.hoursAgo) * HOUR_MS,
});

/** Its gateway answers only 503 meanwhile. It lasts a whole UTC day: only then does the day count as maintenance. */
export const MAINTENANCE = timed(STORY.maintenance);
/** Fails for ten of every twenty minutes. */
export const FLAPPING = timed(STORY.flapping);

const FLAP_MS = 20 * MINUTE_MS;

const EPISODES = [MAINTENANCE, FLAPPING, ...STORY.episodes.map(timed)];

const BOTH: readonly Asked[] = ["list", "chat"];

/** The list stays good where only canaries fail. */
function meets(scenario: string, asked: Asked): boolean {
  return asked === "chat" || !scenario.startsWith("chat_");
}

/** Fails while someone watches: the first three of thirty checks fail, and the second opens an incident. */
const WATCHED = {
  gateway: "upstream-out",
  scenario: "html_502",
  failsTicks: 2.5,
  ofTicks: 30,
} as const;

/** A list is checked at most once a minute: with shorter ticks, a failure would end before a check sees it. */
const SHORTEST_TICK_MS = MINUTE_MS;

/** @param tickMs the interval of ticks in the present. */
export function turnOf(gateway: string, asked: Asked, atMs: number, tickMs: number): Turn {
  return {
    scenario: scenarioOf(gateway, asked, atMs, tickMs),
    delayMs: delayOf(gateway, asked, atMs),
  };
}

const GOOD = "healthy";

function scenarioOf(gateway: string, asked: Asked, atMs: number, tickMs: number): string {
  const episode = EPISODES.find(
    (one) => one.gateway === gateway && one.fromMs <= atMs && atMs < one.toMs && meets(one.scenario, asked),
  );
  if (episode !== undefined) {
    const isPause = episode === FLAPPING && (atMs - episode.fromMs) % FLAP_MS >= FLAP_MS / 2;
    return isPause ? GOOD : episode.scenario;
  }
  const ticks = (atMs / Math.max(tickMs, SHORTEST_TICK_MS)) % WATCHED.ofTicks;
  const fails = gateway === WATCHED.gateway && atMs >= 0 && ticks < WATCHED.failsTicks;
  return fails ? WATCHED.scenario : GOOD;
}

/** Whether nothing happens to any gateway in this time. */
export function isQuiet(fromMs: number, toMs: number): boolean {
  return EPISODES.every((episode) => episode.toMs <= fromMs || episode.fromMs >= toMs);
}

/** Slower by day than by night, always a little different, and sometimes twice as slow. */
function delayOf(gateway: string, asked: Asked, atMs: number): number {
  const chance = stableHash(`${gateway} ${asked} ${atMs}`) / 2 ** 32;
  const wave = 1 + 0.08 * Math.sin((2 * Math.PI * atMs) / DAY_MS);
  const spike = chance > 0.985 ? 2 : 1;
  return Math.round(usualMs(gateway, asked, atMs) * wave * (0.9 + chance / 5) * spike);
}

function usualMs(gateway: string, asked: Asked, atMs: number): number {
  const { listMs = 0, chat = null } = GATEWAYS.find(({ id }) => id === gateway) ?? {};
  if (asked === "list" || chat === null) return listMs;
  return chat.takesMs + (chat.takesMs - chat.tookMs) * Math.min(0, atMs / STORY_MS);
}

/** Each scenario of the past, with the requests that meet it. */
export function scenariosPlayed(): readonly (readonly [Asked, string])[] {
  const scenarios = [...new Set([GOOD, ...EPISODES.map(({ scenario }) => scenario)])];
  return BOTH.flatMap((asked) =>
    scenarios.filter((one) => meets(one, asked)).map((scenario) => [asked, scenario] as const),
  );
}

export type Answer = Extract<Probed, { type: "probed" }>;

export interface Past {
  readonly startMs: number;
  readonly tickMs: number;
  /** What a probe found for each scenario, by `answerKey`. */
  readonly answers: Readonly<Record<string, Answer>>;
}

export function answerKey(asked: Asked, scenario: string): string {
  return `${asked} ${scenario}`;
}
