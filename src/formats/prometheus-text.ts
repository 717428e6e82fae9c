/**
 * The Prometheus text exposition format 0.0.4: gauges, each family with its HELP and TYPE, no series twice. Pure.
 */

export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** A series as `labels` writes them (`""`: without any), and its value; null: it is left out. */
export type Series = readonly [labels: string, value: number | null];

export interface Gauge {
  /** With its base unit. */
  readonly name: string;
  readonly help: string;
  readonly series: readonly Series[];
}

/** Of two series with the same labels the first counts. Families without a series are left out. */
export function exposition(gauges: readonly Gauge[]): string {
  return gauges.map(family).join("");
}

/** `gateway="acme",kind="models"`: null and empty values are left out, since an empty label is none. */
export function labels(values: Readonly<Record<string, string | null>>): string {
  let text = "";
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === "") continue;
    text += `${text && ","}${name}="${/["\\\n]/.test(value) ? escaped(value).replaceAll('"', '\\"') : value}"`;
  }
  return text.toWellFormed();
}

function family({ name, help, series }: Gauge): string {
  const told = new Set<string>();
  let samples = "";
  for (const [key, value] of series) {
    if (value === null || !Number.isFinite(value) || told.has(key)) continue;
    told.add(key);
    samples += key === "" ? `${name} ${value}\n` : `${name}{${key}} ${value}\n`;
  }
  return samples && `# HELP ${name} ${escaped(help.toWellFormed())}\n# TYPE ${name} gauge\n${samples}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
