import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/load.ts";

const parsed = (more: Record<string, unknown>) => parseConfig({ title: "t", gateways: [], ...more });

test.each([
  [undefined, "en"],
  ["en", "en"],
  ["zh", "zh"],
])("the language %j is %s", (written, language) => {
  expect(parsed({ language: written })).toMatchObject({ ok: true, config: { language } });
});

test.each(["zh-CN", "ZH", "de", "", null, 8])("%j is no language of the pages", (written) => {
  expect(parsed({ language: written })).toMatchObject({ ok: false, faults: [{ path: "language" }] });
});

test.each(["+08:00", "", "CEST/x", "utc+8", 8])("%j is no time zone", (timeZone) => {
  expect(parsed({ timeZone })).toMatchObject({ ok: false, faults: [{ path: "timeZone" }] });
});
