/** The words of both languages; the compiler checks that the catalogue has them all. */
import { ENGLISH, type Catalogue, messagesOf } from "../../src/http/pages/i18n/messages.ts";
import type { Evidence } from "../../src/http/pages/causes.tsx";
import CATALOGUE from "../../src/http/assets/zh.json" with { type: "json" };
import TEXTS from "../../src/http/assets/evidence.json" with { type: "json" };

export const EVIDENCE: Evidence = TEXTS;
export const EN = ENGLISH;
export const ZH = messagesOf(CATALOGUE satisfies Catalogue);
