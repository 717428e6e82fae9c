/**
 * `npm run screenshots`: the pictures that the README shows, in light and dark, into `docs/screenshots/`. As WebP: they are
 * part of the repository and are to stay small.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { startChromium } from "../local/support/chromium.ts";
import { programPath } from "../programs.ts";
import { HOUR_MS, MINUTE_MS, type World } from "../local/support/world.ts";
import { SHOWN } from "./support/shown.ts";
import { bringAbout, incidentOf } from "./support/states.ts";
import { type Look, visit } from "./support/visit.ts";

const DIRECTORY = fileURLToPath(new URL("../../docs/screenshots/", import.meta.url));

const MOST_BYTES = 100_000;
const QUALITIES = [90, 80, 70, 60, 50];
/** Sharp on good screens. */
const SCALE = 2;

const WIDE = { width: 1120, height: 900 };
const PHONE = { width: 390, height: 844 };

/** A picture ends below the part that is named last; default: with the window. */
type Shown = readonly [name: string, path: string, look: Look, last?: string];

const pictures = (incident: string): readonly Shown[] => [
  ["overview", "/", WIDE, ".rows"],
  ["gateway", "/gateways/harbor", WIDE, ".chart"],
  ["incident", `/incidents/${incident}`, WIDE, ".story"],
  ["phone", "/", PHONE],
];

async function main(): Promise<void> {
  const path = programPath("chromium");
  if (path === null) throw new Error("chromium is not installed (apt-get install chromium, or set CHROMIUM)");
  const simulator = await startSimulator();
  const server = await startChromium(path);
  const world = await bringAbout(SHOWN, simulator, anAfternoon());
  try {
    await rm(DIRECTORY, { recursive: true, force: true });
    await mkdir(DIRECTORY, { recursive: true });
    const browser = await chromium.connect(server.wsEndpoint());
    for (const shown of pictures(await incidentOf(world, "harbor"))) {
      for (const scheme of ["light", "dark"] as const) await take(browser, world, shown, scheme);
    }
  } finally {
    await Promise.all([server.close(), world.stop(), simulator.close()]);
  }
}

/** KV keeps nothing whose time is over by its own clock: what is shown of the past must not be long ago. */
function anAfternoon(): number {
  const dayMs = 24 * HOUR_MS;
  return Math.ceil(Date.now() / dayMs + 76) * dayMs - 9 * HOUR_MS - 18 * MINUTE_MS;
}

async function take(
  browser: Browser,
  world: World,
  [name, path, look, last]: Shown,
  scheme: "light" | "dark",
): Promise<void> {
  const { json } = await world.get("/api/v1/status");
  const target = { address: world.url.origin + path, nowMs: Date.parse(json.lastTickAt) + 20_000 };
  const visiting = await visit(browser, target, { timeZone: "UTC", scale: SCALE });
  try {
    const shown = await visiting.look({ ...look, scheme });
    const end = last === undefined ? null : await shown.locator(last).first().boundingBox();
    if (end !== null) await visiting.show({ ...look, scheme, height: Math.ceil(end.y + end.height + 24) });
    const session = await shown.context().newCDPSession(shown);
    const file = `${name}-${scheme}.webp`;
    for (const quality of QUALITIES) {
      const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
      const bytes = Buffer.from(data, "base64");
      if (bytes.length > MOST_BYTES) continue;
      await writeFile(`${DIRECTORY}${file}`, bytes);
      console.log(`${file}: ${Math.ceil(bytes.length / 1000)} kB, quality ${quality}`);
      return;
    }
    throw new Error(`${file} is larger than ${MOST_BYTES} bytes at any quality`);
  } finally {
    await visiting.close();
  }
}

await main();
