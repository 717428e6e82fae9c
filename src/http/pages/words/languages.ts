/**
 * The languages of the pages. Another one is a file beside this, a line here, and its name in `LANGUAGES`.
 */
import type { Language } from "../../../config/config.ts";
import type { Words } from "./catalogue.ts";
import { EN } from "./en.ts";
import { ZH } from "./zh.ts";

export const CATALOGUES: Readonly<Record<Language, Words>> = { en: EN, zh: ZH };
