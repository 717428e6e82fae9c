/**
 * Instants as people of one time zone read them. Pure: the zone's rules come with the runtime.
 */

export interface ZoneClock {
  readonly timeZone: string;
  /** `2026-11-20 20:00:05 GMT+8`; the text itself where it is no instant. */
  show(instant: string): string;
}

/** A site has one zone; to load its rules costs as much as a dozen monitors of a page. */
let loaded: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | null = null;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  if (loaded?.timeZone === timeZone) return loaded.format;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "shortOffset",
  });
  loaded = { timeZone, format };
  return format;
}

/** `20:30`, in the zone of the clock. */
export function hourOf(at: string, clock: ZoneClock): string {
  return clock.show(at).slice(11, 16);
}

/** `2026-11-20`. */
export function dayOf(at: string, clock: ZoneClock): string {
  return clock.show(at).slice(0, 10);
}

export function zoneClock(timeZone: string): ZoneClock {
  const format = formatOf(timeZone);
  const known = new Map<string, string>();
  const written = (instant: string): string => {
    const atMs = Date.parse(instant);
    if (Number.isNaN(atMs)) return instant;
    const [day, month, year, time, offset] = format.format(atMs).split(/[/, ]+/u);
    return `${year}-${month}-${day} ${time} ${offset === "GMT+0" ? "UTC" : offset}`;
  };
  return {
    timeZone,
    show(instant) {
      const before = known.get(instant);
      if (before !== undefined) return before;
      const text = written(instant);
      known.set(instant, text);
      return text;
    },
  };
}
