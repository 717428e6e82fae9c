import * as fc from "fast-check";
import { parseAtomFeed } from "feedsmith";
import { expect, test } from "vitest";
import type { Announcement } from "../../src/domain/announcement.ts";
import { htmlOf } from "../../src/http/jsx/jsx-runtime.ts";
import { markdown } from "../../src/http/pages/marks.tsx";
import { hostileText } from "../formats/hostile-text.ts";
import { openDesk } from "./admin-desk.ts";
import { gatewayDocument, NOW_MS } from "./documents.ts";
import { faultsOf } from "./markup.ts";
import { textOf } from "./html.ts";
import { useWorld } from "./published-status.ts";

const html = (text: string) => htmlOf(markdown(text));
const link = (to: string, name = to) => `<a href="${to}" rel="nofollow noopener">${name}</a>`;

test.each([
  ["one\ntwo\n\n \nthree", `<p dir="auto">one<br>two</p><p dir="auto">three</p>`],
  ["- one\n- **two**", `<ul dir="auto"><li>one</li><li><strong>two</strong></li></ul>`],
  ["1. one\r\n2. *two*", `<ol dir="auto"><li>one</li><li><em>two</em></li></ol>`],
  ["`a **b** <i>`", `<p dir="auto"><code>a **b** &lt;i&gt;</code></p>`],
  ["2 * 3 * 4, snake_case_name", `<p dir="auto">2 * 3 * 4, snake_case_name</p>`],
  [
    "[more](https://a.example/?x=1&y=2)",
    `<p dir="auto">${link("https://a.example/?x=1&amp;y=2", "more")}</p>`,
  ],
  ["See https://a.example/x.", `<p dir="auto">See ${link("https://a.example/x")}.</p>`],
  ["[x](javascript:alert(1))", `<p dir="auto">[x](javascript:alert(1))</p>`],
  ["[x](http://a.example)", `<p dir="auto">[x](http://a.example)</p>`],
  ["[x](https://[)", `<p dir="auto">[x](https://[)</p>`],
  [
    '[x](https://a.example/"onclick=1)',
    `<p dir="auto">[x](${link("https://a.example/")}&quot;onclick=1)</p>`,
  ],
  ["<script>alert(1)</script>", `<p dir="auto">&lt;script&gt;alert(1)&lt;/script&gt;</p>`],
  ["![x](https://a.example/x.png)", `<p dir="auto">!${link("https://a.example/x.png", "x")}</p>`],
  ["# Title\n> quote", `<p dir="auto"># Title<br>&gt; quote</p>`],
])("%j becomes %s", (text, shown) => {
  expect(html(text)).toBe(shown);
});

const HOSTILE = [
  "<img src=x onerror=1>",
  "[a](javascript:1)",
  "[a](https://b.example)",
  "**",
  "`",
  "\n- ",
  "1. ",
  "](",
];

test("whatever is written, only these elements and links to https come of it", () => {
  const text = fc
    .array(fc.oneof(hostileText, fc.constantFrom(...HOSTILE)), { maxLength: 12 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (written) => {
      const shown = html(written);
      const rest = shown
        .replaceAll(/<a href="https:\/\/[^"<>]+" rel="nofollow noopener">/g, "")
        .replaceAll(
          /<(?:p|ul|ol) dir="auto">|<(?:strong|em|code|br|li)>|<\/(?:p|ul|ol|strong|em|code|li|a)>/g,
          "",
        );
      expect(rest).not.toMatch(/[<>]/);
    }),
  );
});

test("the longest text without an end to anything is read at once", () => {
  for (const part of ["**", "*a", "`", "[", "[a](", "https://", "- \n"])
    expect(html(part.repeat(4000)).length).toBeGreaterThan(0);
});

const SAID: Announcement = {
  id: "a1x2y3",
  kind: "incident",
  title: "Slow <answers>",
  gateways: ["acme"],
  until: null,
  updates: [
    { at: "2026-11-20T10:00:00.000Z", status: "investigating", body: "We **look**." },
    { at: "2026-11-20T11:00:00.000Z", status: "identified", body: "Found: https://a.example/x" },
  ],
};
const NEWS: Announcement = {
  id: "a9",
  kind: "announcement",
  title: "New region",
  gateways: [],
  until: "2026-11-20T13:00:00.000Z",
  updates: [{ at: "2026-11-20T09:00:00.000Z", status: null, body: "It is open." }],
};
const OVER: Announcement = { ...NEWS, id: "a7", title: "Old news", until: "2026-11-20T11:30:00.000Z" };

const world = useWorld();
const show = (path: string, nowMs = NOW_MS) =>
  world.show(
    {
      gateways: [gatewayDocument(), gatewayDocument({ id: "beta", name: "Beta" })],
      announcements: [SAID, NEWS],
    },
    { path, nowMs, tail: { announcements: [SAID, NEWS, OVER] } },
  );

test("what is open stands above the gateways, the newest update first, and on the pages of its gateways", async () => {
  const front = await show("/");
  expect(await faultsOf(front)).toEqual([]);
  const words = textOf(front);
  expect(words).toMatch(
    /Incident: Slow <answers> \(Acme\) Identified, 2026-11-20 11:00:00 UTC Found: .* Investigating, 2026-11-20 10:00:00 UTC We look\./,
  );
  expect(words.indexOf("Announcement: New region")).toBeLessThan(words.indexOf("Beta"));
  expect(words).not.toContain("Old news");
  expect(textOf(await show("/gateways/acme"))).toContain("Slow <answers>");
  const beta = textOf(await show("/gateways/beta"));
  expect(beta).not.toContain("Slow <answers>");
  expect(beta).toContain("New region");
  expect(textOf(await show("/?lang=zh"))).toContain("事件： Slow <answers> （ Acme ） 已找到原因 ，");
});

test("once its time is over it is gone, without another publish", async () => {
  expect(textOf(await show("/", NOW_MS + 3_600_000))).not.toContain("New region");
});

test("the feed has them, and says anew what changed and what is over", async () => {
  const entries = parseAtomFeed(await show("/feed.atom")).entries ?? [];
  expect(entries.map(({ id, title, updated }) => [id?.split("/")[1], title?.value, updated])).toEqual([
    ["a7", "Resolved: Old news", "2026-11-20T11:30:00.000Z"],
    ["a1x2y3", "Identified: Slow <answers>", "2026-11-20T11:00:00.000Z"],
    ["a9", "Announcement: New region", "2026-11-20T09:00:00.000Z"],
  ]);
  expect(textOf(entries[1]?.content?.value ?? "")).toContain(
    "Affects Acme. Identified, 2026-11-20 11:00:00 UTC Found:",
  );
});

test("the Statuspage API has them as incidents: of an announcement without impact, being watched until it is over", async () => {
  const { incidents } = JSON.parse(await show("/api/v2/incidents.json"));
  const told = incidents.map(
    ({ id, status, impact, resolved_at: over, incident_updates: updates }: (typeof incidents)[0]) => [
      id,
      status,
      impact,
      over,
      updates.map(({ status: at, body }: (typeof updates)[0]) => `${at}: ${body}`),
    ],
  );
  expect(told).toEqual([
    [
      "a1x2y3",
      "identified",
      "minor",
      null,
      ["identified: Found: https://a.example/x", "investigating: We **look**."],
    ],
    ["a9", "monitoring", "none", null, ["monitoring: It is open."]],
    ["a7", "resolved", "none", OVER.until, ["resolved: It is over.", "monitoring: It is open."]],
  ]);
  const { incidents: open } = JSON.parse(await show("/api/v2/incidents/unresolved.json"));
  expect(open.map(({ id }: { id: string }) => id)).toEqual(["a1x2y3", "a9"]);
});

const BODY = "#/body: write 1 to 4000 characters, none of them a control character but tabs and line ends";
const TITLE = "#/title: write 1 to 120 characters in quotes, none of them a control character";
const STATUS = "#/status: write one of: investigating, identified, monitoring, resolved";
const LEFT_OUT = '#/status: leave it out, or write kind: "incident"';

test.each<[unknown, string[]]>([
  [{}, [BODY, "#/title: write 1 to 120 characters in quotes, none of them a control character"]],
  [{ title: "a\ud800", body: "b\udc00" }, [BODY, TITLE]],
  [
    { title: 7, body: ["x"], kind: "outage", gateways: "acme" },
    [
      BODY,
      "#/kind: write announcement or incident",
      TITLE,
      "#/gateways: name at least one gateway in a list, or leave it out for all of them",
    ],
  ],
  [{ title: "t", body: "x".repeat(4001) }, [BODY]],
  [{ title: "t", body: " \u200b\n" }, [BODY]],
  [{ title: "t", body: "x", status: "resolved" }, [LEFT_OUT]],
  [{ title: "t", body: "x", kind: "incident", status: "fixed" }, [STATUS]],
  [{ title: "t", body: "x", until: "2026-11-20T11:00:00Z" }, ["#/until: write an instant in the future"]],
])("%j is refused", async (body, faults) => {
  const desk = openDesk();
  const response = await desk.ask("POST", "announcements", body);
  expect(response.status).toBe(422);
  const { errors } = JSON.parse(await response.text()) as { errors: { pointer: string; detail: string }[] };
  expect(errors.map(({ pointer, detail }) => `${pointer}: ${detail}`)).toEqual(faults);
  expect(desk.orders).toEqual([]);
});

test("a megabyte is refused, and the longest text of one character in four bytes is not", async () => {
  const desk = openDesk();
  expect((await desk.ask("POST", "announcements", { title: "t", body: "x".repeat(1_000_000) })).status).toBe(
    413,
  );
  expect((await desk.ask("POST", "announcements", { title: "t", body: "😀".repeat(4000) })).status).toBe(200);
});

test("keys that somebody pastes are not published", async () => {
  const desk = openDesk();
  const key = `sk-proj-${"Ab3dE6gH9jK2mN5pQ8rS".repeat(2)}`;
  await desk.ask("POST", "announcements", { title: `The key ${key}`, body: `Bearer ${key}` });
  await desk.ask("POST", "announcements/a1", { body: `again ${key}`, status: "resolved" });
  expect(desk.orders).toHaveLength(2);
  expect(JSON.stringify(desk.orders)).not.toContain(key);
});
