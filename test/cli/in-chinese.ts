/** Imported first, it makes the program Chinese: modules have their words in it from their import on. */
import ZH from "../../src/cli/zh.json" with { type: "json" };
import { speak } from "../../src/config/spoken.ts";

speak("zh", ZH);
