/** OTLP: the same figures as `/metrics`, and spans of incidents, by the official definitions. */
import { expect, test } from "vitest";
import { metricsRequest, otlpHeaders, spanRequest } from "../../src/formats/otlp.ts";
import { NOW_MS, publishedIncident, statusDocument } from "../http/documents.ts";
import { everything, metricsOf, STATES } from "./any-status.ts";
import { mustBeOtlp } from "./official-otlp.ts";
import { readExposition } from "./strict-exposition.ts";

const SOURCE = { nowMs: NOW_MS, version: "1.2.3", quarantined: 0 };
const NANOS = `${NOW_MS}000000`;

interface Point {
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
  readonly timeUnixNano: string;
  readonly asDouble: number;
}

function pointsOf(status: ReturnType<typeof everything>) {
  const json = JSON.stringify(metricsRequest(status, SOURCE, 1));
  mustBeOtlp("metrics", json);
  const [{ scopeMetrics }] = JSON.parse(json).resourceMetrics;
  return scopeMetrics[0].metrics as { name: string; description: string; gauge: { dataPoints: Point[] } }[];
}

test.each(Object.entries({ ...STATES, everything: everything() }))(
  "%s: each series of /metrics is a point with its labels and value",
  (_, status) => {
    const sent = pointsOf(status).flatMap(({ name, gauge }) =>
      gauge.dataPoints.map(({ attributes, timeUnixNano, asDouble }) => {
        expect(timeUnixNano).toBe(NANOS);
        const labels = Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));
        return { name, labels, value: asDouble };
      }),
    );
    const told = [...readExposition(metricsOf(status))].flatMap(([name, { samples }]) =>
      samples.map(({ labels, value }) => ({ name, labels, value })),
    );
    const others = ({ name }: { readonly name: string }) => name !== "gatepulse_build_info";
    expect(sent.filter(others)).toEqual(told.filter(others));
    expect(sent).toHaveLength(told.length);
  },
);

test("a name with quotes, a backslash and a line end arrives as it is", () => {
  const status = statusDocument();
  const [acme] = status.gateways;
  const name = 'a "b" \\n c\nd';
  const points = pointsOf({ ...status, gateways: acme ? [{ ...acme, name }] : [] });
  const info = points.find((metric) => metric.name === "gatepulse_gateway_info");
  expect(info?.gauge.dataPoints[0]?.attributes.at(-1)?.value).toEqual({ stringValue: name });
});

test("an incident is a span from its first failure to its end, with its timeline and the same ids each time", () => {
  const { incident } = publishedIncident({
    firstFailureAt: "2026-11-20T07:59:00.000Z",
    openedAt: "2026-11-20T08:00:00.000Z",
    resolvedAt: "2026-11-20T08:30:00.123Z",
  });
  const json = JSON.stringify(spanRequest(incident, "0123456789abcdef".repeat(3), "Acme"));
  mustBeOtlp("trace", json);
  const [span] = JSON.parse(json).resourceSpans[0].scopeSpans[0].spans;
  expect(span).toMatchObject({
    traceId: "0123456789abcdef".repeat(2),
    spanId: "0123456789abcdef",
    name: `incident ${incident.cause}`,
    startTimeUnixNano: "1795161540000000000",
    endTimeUnixNano: "1795163400123000000",
    status: { code: 2, message: incident.cause },
  });
  expect(span.events).toHaveLength(incident.timeline.length);
  expect(span.attributes).toContainEqual({ key: "gateway", value: { stringValue: "acme" } });
});

test("headers are read as the variable of OpenTelemetry's programs has them", () => {
  expect(otlpHeaders("api-key=abc==, Authorization=Basic%20YTpi,")).toEqual({
    "api-key": "abc==",
    authorization: "Basic YTpi",
  });
});
