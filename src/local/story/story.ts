/**
 * What happens to the demo's simulated gateways, from 90 days before its start. The past is recorded from it and the simulator
 * plays it, so the present continues where the past ends. Times are milliseconds since the start. Pure.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/calendar.ts";
import type { Probed } from "../../domain/probe-outcome.ts";
import { stableHash } from "../../domain/schedule.ts";

export const STORY_MS = 90 * DAY_MS;

/** `list`: the request for a gateway's model list. `chat`: its canary's request. */
export type Asked = "list" | "chat";

/** A gateway's answer, as the name of a simulator scenario, and its delay. */
export interface Turn {
  readonly scenario: string;
  readonly delayMs: number;
}

interface Episode {
  readonly of: readonly Asked[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly scenario: string;
}

interface Character {
  readonly name: string;
  /** The usual latency of its list. */
  readonly listMs: number;
  /** Null: no canary. */
  readonly chat: Chat | null;
  readonly episodes: readonly Episode[];
}

interface Chat {
  /** Its usual latency 90 days ago, and at the start. */
  readonly tookMs: number;
  readonly takesMs: number;
}

const BOTH: readonly Asked[] = ["list", "chat"];

const from = (agoMs: number, lastsMs: number, scenario: string, of = BOTH): Episode => ({
  of,
  fromMs: -agoMs,
  toMs: lastsMs - agoMs,
  scenario,
});

const since = (agoMs: number, scenario: string, of = BOTH): Episode =>
  from(agoMs, Number.POSITIVE_INFINITY, scenario, of);

/** For about ten hours. */
export const FLAPPING = { fromMs: -9.1 * DAY_MS, toMs: -9.1 * DAY_MS + 10 * HOUR_MS };

const FLAP_MS = 20 * MINUTE_MS;

/** For ten of every twenty minutes. */
const flapping = (scenario: string): Episode[] =>
  Array.from({ length: (FLAPPING.toMs - FLAPPING.fromMs) / FLAP_MS }, (_, index) =>
    from(-FLAPPING.fromMs - index * FLAP_MS, FLAP_MS / 2, scenario),
  );

/** Its gateway answers only 503 meanwhile. It lasts a whole UTC day: only then does the day count as maintenance. */
export const MAINTENANCE = {
  gateway: "healthy",
  fromMs: -21.7 * DAY_MS,
  toMs: -19.7 * DAY_MS,
};

const CHARACTERS: Readonly<Record<string, Character>> = {
  healthy: {
    name: "Healthy gateway",
    listMs: 84,
    chat: { tookMs: 420, takesMs: 1600 },
    episodes: [
      from(61.3 * DAY_MS, 190 * MINUTE_MS, "html_502"),
      from(-MAINTENANCE.fromMs, MAINTENANCE.toMs - MAINTENANCE.fromMs, "503_always"),
    ],
  },
  "listed-only": {
    name: "Listed but not served",
    listMs: 61,
    chat: { tookMs: 620, takesMs: 620 },
    episodes: [
      from(33.6 * DAY_MS, 80 * MINUTE_MS, "chat_no_channel", ["chat"]),
      since(4 * HOUR_MS, "chat_no_channel", ["chat"]),
    ],
  },
  "empty-account": {
    name: "Empty account",
    listMs: 95,
    chat: null,
    episodes: [from(40.2 * DAY_MS, 5 * HOUR_MS, "balance_402"), since(26 * HOUR_MS, "balance_402")],
  },
  "error-in-200": {
    name: "Error inside HTTP 200",
    listMs: 120,
    chat: null,
    episodes: [from(12.4 * DAY_MS, 130 * MINUTE_MS, "envelope_5000"), since(50 * MINUTE_MS, "envelope_5000")],
  },
  "wrong-address": {
    name: "Wrong base URL",
    listMs: 45,
    chat: null,
    episodes: [since(76 * HOUR_MS, "html_200")],
  },
  "rate-limited": {
    name: "Rate limited",
    listMs: 210,
    chat: null,
    episodes: [...flapping("rate_limited_31"), since(70 * MINUTE_MS, "rate_limited_31")],
  },
  "upstream-out": {
    name: "Upstream outage",
    listMs: 140,
    chat: null,
    episodes: [
      from(75.8 * DAY_MS, 6 * HOUR_MS, "503_always"),
      from(5.5 * DAY_MS, 65 * MINUTE_MS, "html_502"),
    ],
  },
};

export const GATEWAYS = Object.entries(CHARACTERS).map(([id, { name, chat }]) => ({ id, name, chat }));

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
  const episodes = CHARACTERS[gateway]?.episodes ?? [];
  const episode = episodes.find(
    ({ of, fromMs, toMs }) => fromMs <= atMs && atMs < toMs && of.includes(asked),
  );
  if (episode !== undefined) return episode.scenario;
  const ticks = (atMs / Math.max(tickMs, SHORTEST_TICK_MS)) % WATCHED.ofTicks;
  const fails = gateway === WATCHED.gateway && atMs >= 0 && ticks < WATCHED.failsTicks;
  return fails ? WATCHED.scenario : GOOD;
}

/** Whether nothing happens to any gateway in this time. */
export function isQuiet(fromMs: number, toMs: number): boolean {
  const episodes = Object.values(CHARACTERS).flatMap((character) => character.episodes);
  return episodes.every((episode) => episode.toMs <= fromMs || episode.fromMs >= toMs);
}

/** Slower by day than by night, always a little different, and sometimes twice as slow. */
function delayOf(gateway: string, asked: Asked, atMs: number): number {
  const chance = stableHash(`${gateway} ${asked} ${atMs}`) / 2 ** 32;
  const wave = 1 + 0.08 * Math.sin((2 * Math.PI * atMs) / DAY_MS);
  const spike = chance > 0.985 ? 2 : 1;
  return Math.round(usualMs(gateway, asked, atMs) * wave * (0.9 + chance / 5) * spike);
}

function usualMs(gateway: string, asked: Asked, atMs: number): number {
  const character = CHARACTERS[gateway];
  if (asked === "list" || !character?.chat) return character?.listMs ?? 0;
  const { tookMs, takesMs } = character.chat;
  return takesMs + (takesMs - tookMs) * Math.min(0, atMs / STORY_MS);
}

/** Each scenario of the past, with the requests that meet it. */
export function scenariosPlayed(): readonly (readonly [Asked, string])[] {
  const episodes = Object.values(CHARACTERS).flatMap((character) => character.episodes);
  const played = (asked: Asked) => {
    const own = episodes.filter(({ of }) => of.includes(asked)).map(({ scenario }) => scenario);
    return [...new Set([GOOD, ...own])].map((scenario) => [asked, scenario] as const);
  };
  return BOTH.flatMap(played);
}

export type Answer = Extract<Probed, { type: "probed" }>;

export interface Past {
  /** When the story starts, Unix time in milliseconds. */
  readonly startMs: number;
  /** The interval of ticks in the present. */
  readonly tickMs: number;
  /** What a probe found for each scenario, by `answerKey`. */
  readonly answers: Readonly<Record<string, Answer>>;
}

export function answerKey(asked: Asked, scenario: string): string {
  return `${asked} ${scenario}`;
}
