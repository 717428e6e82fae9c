/** Imported first, it makes the program Chinese for this file: modules have their words in it from their import on. */
import { afterAll, vi } from "vitest";
import ZH from "../../src/cli/zh.json" with { type: "json" };

// Files share their modules, and only this one has Chinese ones.
vi.resetModules();
afterAll(() => void vi.resetModules());
const { speak } = await import("../../src/config/spoken.ts");
speak("zh", ZH);
