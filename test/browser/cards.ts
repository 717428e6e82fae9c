/** `npm run cards`: the pictures that other sites show of a linked page, into `src/http/assets/cards/`. Fonts differ by machine. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import chinese from "../../src/http/assets/zh.json" with { type: "json" };
import { COLOURS, iconOf } from "../../src/http/pages/view.ts";
import { ENGLISH } from "../../src/http/pages/i18n/messages.ts";
import { startChromium } from "../local/support/chromium.ts";
import { programPath } from "../programs.ts";

const DIRECTORY = fileURLToPath(new URL("../../src/http/assets/cards/", import.meta.url));

const WORDS = { en: ENGLISH.shown, zh: chinese.shown };
const TONES = Object.keys(COLOURS) as (keyof typeof COLOURS)[];

function pageOf(tone: keyof typeof COLOURS, language: keyof typeof WORDS): string {
  return `<!doctype html><html lang="${language}"><style>
    body { margin: 0; height: 630px; display: flex; gap: 56px; align-items: center; background: #fbfbf9; color: #17191e;
      border-left: 24px solid ${COLOURS[tone]}; padding-left: 104px; box-sizing: border-box; font: 600 96px/1 system-ui, sans-serif; }
    img { width: 216px; }
  </style><img src="${iconOf(tone)}">${WORDS[language][tone]}</html>`;
}

async function main(): Promise<void> {
  const path = programPath("chromium");
  if (path === null) throw new Error("chromium is not installed (apt-get install chromium, or set CHROMIUM)");
  const server = await startChromium(path);
  try {
    await rm(DIRECTORY, { recursive: true, force: true });
    await mkdir(DIRECTORY, { recursive: true });
    const browser = await chromium.connect(server.wsEndpoint());
    const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
    for (const language of ["en", "zh"] as const) {
      for (const tone of TONES) {
        await page.setContent(pageOf(tone, language), { waitUntil: "load" });
        const picture = await page.screenshot();
        await writeFile(`${DIRECTORY}${tone}-${language}.png`, picture);
        console.log(`${tone}-${language}.png: ${picture.length} bytes`);
      }
    }
  } finally {
    await server.close();
  }
}

await main();
