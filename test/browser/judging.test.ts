/** What judges the pages finds what is wrong: on a page that does everything wrong, and one that does a thing well. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { browsing, hasNoChromium } from "./support/browsing.ts";
import * as judging from "./support/judging.ts";
import { backwards, unmarked, unreached, walk } from "./support/keys.ts";
import type { Visit } from "./support/visit.ts";

const browse = browsing();

const STYLE = `
  p { width: 50rem; color: #ccc; transition: color 1s; }
  a:focus { outline: none; }
  div { height: 1rem; overflow: hidden; line-height: 3rem; }
  svg { background: white; }
`;

const BAD = `<!doctype html><title>bad</title><link rel="stylesheet" href="/style.css">
<style>p { color: red; }</style><script src="/script.js"></script>
<p>Text</p><div>Hidden</div><svg width="20" height="20"><path class="pale" fill="white" d="M0 0h20v20z"/></svg>
<img src="http://elsewhere.test/x.png"><img src="/missing.png">
<br><a href="/1" tabindex="2">second</a><br><br><br><a href="/2" tabindex="1">first</a>
<a href="/3" tabindex="0">last</a><button tabindex="-1">never</button>
<details><summary>Folded</summary><p>never</p></details>`;

const ANSWERS: Readonly<Record<string, readonly [type: string, body: string]>> = {
  "/": ["text/html", BAD],
  "/style.css": ["text/css", STYLE],
  "/script.js": ["text/javascript", "console.warn('a warning'); throw new Error('a fault');"],
};

describe.skipIf(hasNoChromium)("a page that does everything wrong", () => {
  let visit: Visit;

  beforeAll(async () => {
    const server = createServer(({ url = "" }, response) => {
      const [type, body] = ANSWERS[url] ?? ["text/plain", "nothing"];
      const policy = "default-src 'self'; img-src *";
      const headers = { "content-type": type, "content-security-policy": policy };
      response.writeHead(url in ANSWERS ? 200 : 404, headers).end(body);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    visit = await browse.visit({ address: `http://127.0.0.1:${port}/`, nowMs: 0 });
    return async () => {
      await visit.close();
      server.close();
      server.closeAllConnections();
    };
  });

  test.each([
    /the policy's style-src-elem refused inline/,
    /console warning: a warning/,
    /uncaught: Error: a fault/,
    /request to elsewhere\.test/,
    /failed: http:\/\/elsewhere\.test/,
    /404 for .*missing\.png/,
  ])("is complained of: %s", (complaint) => {
    expect(visit.complaints.join("\n")).toMatch(complaint);
  });

  test("is wider than the window, hides text, moves, and is pale on paper", async () => {
    const page = await visit.look({ width: 320, reducedMotion: true });
    expect((await judging.overflowing(page)).join()).toMatch(/px in 320.*<p>/);
    expect(await judging.clipped(page)).toEqual(["<div>Hidden</div>"]);
    expect(await judging.folded(page)).toEqual(["<p>never</p>"]);
    expect(await judging.moving(page)).toEqual(["<p>Text</p>", "<p>never</p>"]);
    expect((await judging.paleOnPaper(page)).join()).toMatch(/rgb\(204, 204, 204\): <p>/);
  });

  test("has drawings that cannot be seen, and faults of accessibility", async () => {
    const page = await visit.look({ width: 1440 });
    const unseen = await judging.invisible(page, new Set());
    expect(unseen.map((kind) => kind.split(" > ").at(-1))).toEqual(["svg.null", "path.pale"]);
    const faults = (await judging.inaccessible(page)).join("\n");
    for (const rule of ["color-contrast", "html-has-lang", "image-alt", "tabindex"])
      expect(faults).toContain(rule);
  });

  test("is walked through backwards, and shows nobody where the focus is", async () => {
    const page = await visit.look({ width: 1440 });
    const stops = await walk(page);
    expect(stops.map(({ text }) => text)).toEqual(["first", "second", "last", "Folded"]);
    expect(backwards(stops)).toHaveLength(1);
    expect((await unreached(page, stops)).join()).toContain("never");
    expect(await unmarked(page, new Set())).toHaveLength(1);
  });
});
