/** Reads OTLP in JSON by the official protobuf definitions, as OpenTelemetry's own package compiles them. */
import root from "@opentelemetry/otlp-transformer/build/src/generated/root.js";
import { expect } from "vitest";

interface Message {
  fromObject(value: object): object;
  toObject(message: object, options: object): object;
}

const IDS = new Set(["traceId", "spanId"]);

/** In JSON, ids are hexadecimal; elsewhere bytes are base64. An empty list is none. */
function asRead(json: string): object {
  return JSON.parse(json, (key, value: unknown) => {
    if (Array.isArray(value) && value.length === 0) return undefined;
    return IDS.has(key) ? Buffer.from(String(value), "hex").toString("base64") : value;
  }) as object;
}

/** @throws if a member is unknown, or of another type. */
export function mustBeOtlp(signal: "metrics" | "trace", json: string): void {
  // oxlint-disable-next-line typescript/no-explicit-any -- the package's types are those of its inside
  const { collector } = (root as any).opentelemetry.proto;
  const name = signal === "metrics" ? "ExportMetricsServiceRequest" : "ExportTraceServiceRequest";
  const message = collector[signal].v1[name] as Message;
  const sent = asRead(json);
  const read = message.toObject(message.fromObject(sent), { longs: String, bytes: String });
  expect(read).toEqual(sent);
}
