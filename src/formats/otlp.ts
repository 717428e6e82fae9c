/** OTLP over HTTP as JSON (opentelemetry-proto 1): the metrics of `/metrics`, and a span for each incident that ended. Pure. */
import { failedSince, type IncidentDocument, type StatusDocument } from "../history/documents.ts";
import { metricFamilies, type MetricsSource } from "./prometheus.ts";

type Values = Readonly<Record<string, string | boolean | null | undefined>>;

/** Null and empty values are left out. */
function attributes(values: Values) {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === null || value === undefined || value === "") return [];
    return { key, value: typeof value === "boolean" ? { boolValue: value } : { stringValue: value } };
  });
}

/** 64-bit integers are text in JSON. */
function nanos(ms: number): string {
  return `${BigInt(Math.round(ms)) * 1_000_000n}`;
}

function resourceOf(title: string, shard?: number) {
  const instance = shard === undefined ? {} : { "service.instance.id": `shard-${shard}` };
  return { attributes: attributes({ "service.name": "gatepulse", "gatepulse.title": title, ...instance }) };
}

const SCOPE = { name: "gatepulse" };

/** The body of a request to `/v1/metrics`: a gauge for each family, with the names that Prometheus has. Each shard sends its own. */
export function metricsRequest(status: StatusDocument, source: MetricsSource, shard: number): object {
  const timeUnixNano = nanos(source.nowMs);
  const metrics = [...metricFamilies(status, source)].flat().flatMap(({ name, help, series }) => {
    const dataPoints = series.flatMap(([labels, value]) =>
      Number.isFinite(value)
        ? [{ attributes: attributes(labelsIn(labels)), timeUnixNano, asDouble: value }]
        : [],
    );
    return dataPoints.length === 0 ? [] : { name, description: help, gauge: { dataPoints } };
  });
  return {
    resourceMetrics: [
      { resource: resourceOf(status.title, shard), scopeMetrics: [{ scope: SCOPE, metrics }] },
    ],
  };
}

/** Labels as Prometheus writes them. */
function labelsIn(text: string): Values {
  const pairs = [...text.matchAll(/(\w+)="((?:\\.|[^"\\])*)"/g)];
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, plain(value)]));
}

function plain(value: string): string {
  return value.replace(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));
}

/** The status of a span that failed. */
const ERROR = 2;
const INTERNAL = 1;

/** The body of a request to `/v1/traces`. @param digest 24 bytes in hex, from the incident's id: sent twice, the span is the same. */
export function spanRequest(incident: IncidentDocument, digest: string, title: string): object {
  const { id, gateway, cause, owner, turn, health, flapping, timeline, resolvedAt, url } = incident;
  const startMs = Date.parse(failedSince(incident));
  const span = {
    traceId: digest.slice(0, 32),
    spanId: digest.slice(32, 48),
    name: `incident ${cause}`,
    kind: INTERNAL,
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(Math.max(startMs, Date.parse(resolvedAt ?? ""))),
    attributes: attributes({ "gatepulse.incident": id, gateway, cause, owner, turn, health, flapping, url }),
    events: timeline.map(({ at, type, text }) => ({
      timeUnixNano: nanos(Date.parse(at)),
      name: type,
      attributes: attributes({ text }),
    })),
    status: { code: ERROR, message: cause },
  };
  return {
    resourceSpans: [{ resource: resourceOf(title), scopeSpans: [{ scope: SCOPE, spans: [span] }] }],
  };
}

/** `api-key=…,tenant=…`, percent-encoded, as the variable `OTEL_EXPORTER_OTLP_HEADERS` has them. */
export function otlpHeaders(value: string): Readonly<Record<string, string>> {
  const pairs = value.split(",").filter((pair) => pair.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = "", ...rest] = pair.split("=");
      return [name.trim().toLowerCase(), decodeURIComponent(rest.join("=").trim())];
    }),
  );
}
