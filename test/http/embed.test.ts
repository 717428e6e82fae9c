/** The banner for other sites, as it is answered. `test/browser/embed.test.ts` shows it in a site of others. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { gatewayDocument, monitorThatIs, STALE_MS, statusDocument } from "./documents.ts";
import { readHtml } from "./html.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

/** The tone, the words and the link of the banner. */
async function bannerAt(path: string, nowMs?: number): Promise<readonly (string | undefined)[]> {
  const html = await world.text(path, nowMs);
  const [, tone, href] = /<a class="(\w+)" href="([^"]*)"/u.exec(html) ?? [];
  return [tone, /<title>(.*?)<\/title>/u.exec(html)?.[1], href];
}

test("it says in one line how all is, or one gateway, in both languages", async () => {
  const monitors = [monitorThatIs("down", { id: "brook/models" })];
  const down = gatewayDocument({ id: "brook", name: "Brook", monitors });
  await world.publish(statusDocument({ gateways: [gatewayDocument(), down] }));
  expect(await bannerAt("/embed")).toEqual(["down", "Acme gateways: 1 of 2 monitors is down", "/"]);
  expect(await bannerAt("/embed?gateway=acme")).toEqual(["up", "Acme: Up", "/gateways/acme"]);
  const chinese = ["down", "Brook：故障", "/gateways/brook?lang=zh"];
  expect(await bannerAt("/embed?gateway=brook&lang=zh")).toEqual(chinese);
  const stale = ["unknown", "Acme gateways: The checks have stopped", "/"];
  expect(await bannerAt("/embed", STALE_MS)).toEqual(stale);
  expect((await bannerAt("/embed?gateway=acme", STALE_MS))[0]).toBe("unknown");
});

test("what cannot be told is told in the frame, not by a page that no frame may show", async () => {
  for (const [path, status, words] of [
    ["/embed", 503, "Acme gateways: Service unavailable"],
    ["/embed?gateway=none", 404, "Acme gateways: Not found"],
  ] as const) {
    const response = await world.ask(path);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-security-policy")).toMatch(/frame-ancestors \*$/u);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await bannerAt(path)).toEqual(["unknown", words, "/"]);
    await world.publish(statusDocument());
  }
});

test("names are text", async () => {
  const name = `<img src=x onerror=alert(1)>"'&`;
  const gateways = [gatewayDocument({ name, monitors: [monitorThatIs("up")] })];
  await world.publish(statusDocument({ title: name, gateways }));
  for (const path of ["/embed", "/embed?gateway=acme"]) {
    const html = await world.text(path);
    expect(readHtml(html).tags.join(" ")).not.toMatch(/<img|onerror/u);
    expect(readHtml(html).texts).toContain(name);
  }
});

test("its policy lets in its own style and no other", async () => {
  await world.publish(statusDocument());
  const response = await world.ask("/embed");
  const [, style = ""] = /<style>(.*?)<\/style>/su.exec(await response.text()) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  expect(response.headers.get("content-security-policy")).toContain(`style-src 'sha256-${hash}'`);
});

test("the script has at most 3 kB as it is served", async () => {
  const served = await (await world.ask("/embed.js")).arrayBuffer();
  expect(served.byteLength).toBeLessThanOrEqual(3000);
  expect(Buffer.from(served)).toEqual(readFileSync("src/http/assets/embed.js"));
});
