/** What ticks of a loaded monitor did, by the samples that are stored: none left out, none twice, none late. Pure. */
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { nextSlot } from "../../src/domain/schedule.ts";

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Ticking {
  readonly tickMs: number;
  readonly everyMs: number;
  /** Without load, and then with it. */
  readonly quiet: Span;
  readonly loaded: Span;
}

export interface TickFigures {
  readonly ticks: number;
  readonly samples: number;
  /** Of each sample: how long after its tick's time the probe began. */
  readonly lateMs: readonly number[];
  /** Of each tick: from its time until the last of its probes was answered. */
  readonly tookMs: readonly number[];
}

export interface TicksFound {
  readonly quiet: TickFigures;
  readonly loaded: TickFigures;
  /** In words; none: every tick was there, and over before the next. */
  readonly faults: readonly string[];
}

type Samples = ReadonlyMap<string, readonly Sample[]>;

/** Every tick of the spans must be one of some monitor at least, or nobody would notice that it is missing. */
export function ticksOf(samples: Samples, ticking: Ticking): TicksFound {
  const { tickMs, quiet, loaded } = ticking;
  const faults: string[] = [];
  const due = new Set<number>();
  for (const [id, of] of samples) faults.push(...missedBy(id, of, dueTicks(id, ticking), ticking, due));
  for (let tick = Math.ceil(quiet.fromMs / tickMs); tick * tickMs < loaded.toMs; tick += 1) {
    if (!due.has(tick)) faults.push(`nobody is due in the tick of ${iso(tick * tickMs)}`);
  }
  const figures = (span: Span): TickFigures => figuresOf(samples, tickMs, span);
  return { quiet: figures(quiet), loaded: figures(loaded), faults };
}

/** A monitor is asked in every n-th tick, its own. */
function dueTicks(monitorId: string, { tickMs, everyMs, quiet, loaded }: Ticking): readonly number[] {
  const ticks: number[] = [];
  const first = nextSlot({ monitorId, everyMs, tickMs }, quiet.fromMs - 1);
  for (let atMs = first; atMs < loaded.toMs; atMs += everyMs) ticks.push(atMs / tickMs);
  return ticks;
}

function missedBy(
  id: string,
  samples: readonly Sample[],
  expected: readonly number[],
  { tickMs, quiet, loaded }: Ticking,
  due: Set<number>,
): readonly string[] {
  const faults: string[] = [];
  const inTicks = Map.groupBy(samples, ({ atMs }) => Math.floor(atMs / tickMs));
  for (const tick of expected) {
    due.add(tick);
    const count = inTicks.get(tick)?.length ?? 0;
    if (count !== 1) faults.push(`${id} has ${count} samples of the tick of ${iso(tick * tickMs)}`);
  }
  for (const [tick, of] of inTicks) {
    const isMeant = tick * tickMs >= quiet.fromMs && tick * tickMs < loaded.toMs;
    if (isMeant && !expected.includes(tick))
      faults.push(`${id} was asked out of turn at ${iso(of[0]?.atMs ?? 0)}`);
    const isOver = of.every((sample) => answeredMs(sample) < (tick + 1) * tickMs);
    if (isMeant && !isOver)
      faults.push(`${id} was answered after the next tick began: ${iso(tick * tickMs)}`);
  }
  return faults;
}

function figuresOf(samples: Samples, tickMs: number, { fromMs, toMs }: Span): TickFigures {
  const all = [...samples.values()].flat().filter(({ atMs }) => {
    const tickAtMs = Math.floor(atMs / tickMs) * tickMs;
    return tickAtMs >= fromMs && tickAtMs < toMs;
  });
  const ticks = Map.groupBy(all, ({ atMs }) => Math.floor(atMs / tickMs));
  return {
    ticks: ticks.size,
    samples: all.length,
    lateMs: all.map(({ atMs }) => atMs % tickMs),
    tookMs: [...ticks].map(([tick, of]) => Math.max(...of.map(answeredMs)) - tick * tickMs),
  };
}

function answeredMs({ atMs, latencyMs, waitedMs }: Sample): number {
  return atMs + (latencyMs ?? 0) + waitedMs;
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
