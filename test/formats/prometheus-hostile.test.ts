/** No word of a gateway or a configuration breaks the format, or makes a series that is not there. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { exposition, labels } from "../../src/formats/prometheus.ts";
import type { StatusDocument } from "../../src/history/documents.ts";
import { everything, metricsOf } from "./any-status.ts";
import { hostileTextOf } from "./hostile-text.ts";
import { readExposition } from "./strict-exposition.ts";

const SIGNS = ["\\", '"', "\n", "\\n", '\\"', ",", "\r\n", "\0", "\ud800", "😀", "\u001b[31m"];
const FORGED = ['"} 1\nprobe_success{monitor="forged"} 1\n', "\n# TYPE probe_success counter\n"];
const hostileText = hostileTextOf([...SIGNS, ...FORGED], 5);

/** Every text that is not one of ours. */
function hostileStatus(text: string): StatusDocument {
  const status = everything();
  for (const gateway of status.gateways) {
    Object.assign(gateway, { name: text, endpoint: text });
    for (const monitor of gateway.monitors) {
      const { diagnosis, canary } = monitor;
      Object.assign(monitor, { kind: text, model: text, missingModels: [text] });
      if (canary) Object.assign(canary.today, { currency: text, day: text });
      if (diagnosis !== null)
        Object.assign(monitor, { diagnosis: { ...diagnosis, message: text, errorCode: text, advice: text } });
    }
  }
  const maintenance = [{ gateways: [text], from: "2026-11-20T11:00:00.000Z", to: text, title: text }];
  return { ...status, title: text, notice: text, maintenance };
}

/** The numbers of series by metric. */
function census(status: StatusDocument): Record<string, number> {
  const families = readExposition(metricsOf(status));
  return Object.fromEntries([...families].map(([name, { samples }]) => [name, samples.length]));
}

test("whatever the words are, there are the series of a harmless status, and the words are read back", () => {
  const harmless = census(hostileStatus("words"));
  fc.assert(
    fc.property(hostileText, (text) => {
      const status = hostileStatus(text);
      expect(census(status)).toEqual(harmless);
      const families = readExposition(metricsOf(status));
      const names = families.get("gatepulse_gateway_info")?.samples.map((sample) => sample.labels["name"]);
      expect(names).toEqual([text.toWellFormed(), text.toWellFormed()]);
      for (const { labels: read } of families.get("gatepulse_monitor_health")?.samples ?? []) {
        expect([read["kind"], read["model"]]).toEqual([text.toWellFormed(), text.toWellFormed()]);
      }
    }),
  );
});

test("a gateway's messages, codes and advice are in no metric", () => {
  const status = hostileStatus("words");
  const monitors = status.gateways.flatMap((gateway) => gateway.monitors);
  for (const monitor of monitors) {
    if (monitor.diagnosis)
      Object.assign(monitor.diagnosis, { message: "SAID", errorCode: "SAID", requestId: "SAID" });
    if (monitor.canary?.task) Object.assign(monitor.canary.task, { id: "SAID", state: "SAID" });
  }
  expect(monitors.filter(({ diagnosis }) => diagnosis !== null).length).toBeGreaterThan(3);
  expect(monitors.filter(({ canary }) => canary?.task?.id === "SAID")).toHaveLength(1);
  expect(metricsOf(status)).not.toContain("SAID");
});

test("backslash, quote and line feed are escaped as the format asks; a HELP keeps its quotes", () => {
  const series = [[labels({ one: 'a\\b"c\nd' }), 1]] as const;
  expect(exposition([{ name: "m", help: 'a\\b"c\nd', series }])).toBe(
    String.raw`# HELP m a\\b"c\nd` + "\n# TYPE m gauge\n" + String.raw`m{one="a\\b\"c\nd"} 1` + "\n",
  );
});

test("what is no number is left out, and a metric without a series too", () => {
  const odd = [null, undefined, Number.NaN, Date.parse("nonsense")];
  const series = [...odd, 1].map((value, index) => [labels({ one: `${index}` }), value] as const);
  expect(exposition([{ name: "m", help: "h", series }])).toBe('# HELP m h\n# TYPE m gauge\nm{one="4"} 1\n');
  expect(exposition([{ name: "m", help: "h", series: [["", null]] }])).toBe("");
});
