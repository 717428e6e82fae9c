/** The words of both languages; the compiler checks that the catalogue has the English ones. */
import type { Language } from "../../src/config/config.ts";
import { ENGLISH, type Catalogue, type Reference, messagesOf } from "../../src/http/pages/i18n/messages.ts";
import type { AlertCatalogue } from "../../src/alert/words.ts";
import type { Evidence } from "../../src/http/pages/reference.tsx";
import CATALOGUE from "../../src/http/assets/zh.json" with { type: "json" };
import PAGES from "../../src/http/assets/reference.json" with { type: "json" };
import TEXTS from "../../src/http/assets/evidence.json" with { type: "json" };

export const EVIDENCE: Evidence = TEXTS;
/** What Chinese engineers write in Latin letters: names, formats and units; and code. */
export const TERMS =
  /`[^`]*`|\b(?:Gatepulse|gatepulse\.config\.ts|[24]xx|p|p50|p95|p99|Markdown|HTTP|TLS|DNS|API|URL|JSON Schema|JSON|Bearer|GET|HEAD|User-Agent|UTF-8|curl -i|HAR|SDK|Chat Completions|Messages|Responses|Gemini|generateContent|kB|id|ms)\b|\/v1|\$1|[123]‹[abc]›[123]/gu;
/** Of the reference pages. */
export const REFERENCE: Readonly<Record<Language, Reference>> = PAGES;
export const EN = ENGLISH;
export const ZH = messagesOf(CATALOGUE satisfies Catalogue & AlertCatalogue);
