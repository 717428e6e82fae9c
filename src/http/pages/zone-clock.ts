/**
 * Instants as people of one time zone read them. Pure: the zone's rules come with the runtime.
 */

export interface ZoneClock {
  readonly timeZone: string;
  /** `2026-11-20 20:00:05 GMT+8`; the text itself where it is no instant. */
  show(instant: string): string;
}

export function zoneClock(timeZone: string): ZoneClock {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const known = new Map<string, string>();
  const written = (instant: string): string => {
    const atMs = Date.parse(instant);
    if (Number.isNaN(atMs)) return instant;
    const [day, month, year, time] = format.format(atMs).split(/[/, ]+/u);
    const wallMs = Date.parse(`${year}-${month}-${day}T${time}Z`);
    return `${year}-${month}-${day} ${time} ${offsetWords(wallMs - Math.floor(atMs / 1000) * 1000)}`;
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

/** `UTC`, `GMT+8`, `GMT-3:30`; zones before the railways had seconds, which are rounded. */
function offsetWords(offsetMs: number): string {
  const minutes = Math.round(offsetMs / 60_000);
  if (minutes === 0) return "UTC";
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return `GMT${minutes < 0 ? "-" : "+"}${Math.floor(size / 60)}${rest}`;
}
