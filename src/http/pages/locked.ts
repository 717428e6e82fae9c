/** The page before the private view. It loads nothing: whatever it named would ask for the token as well. Pure. */
import type { Messages, ProblemName } from "./i18n/messages.ts";

/** Fixed words, nothing of the request. */
export function lockedPage(name: ProblemName, { tag, problems }: Messages): string {
  const { title, detail } = problems[name];
  return (
    `<!doctype html><html lang="${tag}"><head><meta charset="utf-8"/>` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>' +
    '<meta name="color-scheme" content="light dark"/>' +
    `<title>${title}</title><link rel="icon" href="data:,"/></head>` +
    `<body><main><h1>${title}</h1><p>${detail}</p></main></body></html>`
  );
}
