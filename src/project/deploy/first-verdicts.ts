/** Waits until a page shows a verdict on each gateway. */
import * as z from "zod/mini";
import type { Io } from "../../cli/command.ts";
import { once } from "../../domain/schema.ts";
import { readPieces } from "../../probe/body-text.ts";

/** What this reads of the status (docs/api.md). */
const statusSchema = once(() =>
  z.object({
    generatedAt: z.string(),
    gateways: z.array(
      z.object({
        id: z.string(),
        monitors: z.array(
          z.object({
            status: z.string(),
            lastProbe: z.nullable(z.unknown()),
            diagnosis: z.nullable(z.object({ cause: z.string() })),
          }),
        ),
      }),
    ),
  }),
);

export interface Verdict {
  readonly gateway: string;
  /** Of each monitor that was checked: `up`, or `blocked: authentication`. */
  readonly monitors: readonly string[];
}

export interface Page {
  /** Without a trailing slash. */
  readonly url: string;
  /** Null: the page is public. */
  readonly viewToken: string | null;
  readonly gateways: readonly string[];
}

export type Waited =
  | { readonly type: "shown"; readonly headline: string; readonly verdicts: readonly Verdict[] }
  /** `why`: what was missing at the end. */
  | { readonly type: "late"; readonly why: string };

type World = Pick<Io, "fetch" | "clock">;

const PAUSE_MS = 3_000;
const LONGEST_MS = 3 * 60_000;
const ANSWER_MS = 15_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** @param say what is waited for, each time it is another. */
export async function waitForVerdicts(
  page: Page,
  { fetch, clock }: World,
  say: (words: string) => void,
): Promise<Waited> {
  const beganMs = clock.now();
  let said = "";
  for (;;) {
    const seen = await look(page, beganMs, { fetch, clock });
    if (typeof seen !== "string") return seen;
    if (clock.now() - beganMs >= LONGEST_MS) return { type: "late", why: seen };
    if (seen !== said) say(`Waiting: ${seen} …`);
    said = seen;
    await clock.sleep(PAUSE_MS);
  }
}

/** A text: what is missing. */
async function look(page: Page, beganMs: number, world: World): Promise<Waited | string> {
  const answer = await ask(page, "/api/v1/status", world);
  if (answer === null) return "the address does not answer yet";
  if (answer.status === 401) return "the page is private, and VIEW_TOKEN is not set here or is another one";
  const status = statusIn(answer);
  if (status === null) return "the first check has not ended";
  // Until its next tick, the page is that of the version before.
  if (Date.parse(status.generatedAt) < beganMs) return "the page does not show this version yet";
  const verdicts = status.gateways.map(({ id, monitors }) => ({
    gateway: id,
    monitors: monitors
      .filter(({ lastProbe }) => lastProbe !== null)
      .map((monitor) =>
        monitor.status === "up" || monitor.diagnosis === null
          ? monitor.status
          : `${monitor.status}: ${monitor.diagnosis.cause}`,
      ),
  }));
  const judged = new Set(
    verdicts.flatMap(({ gateway, monitors }) => (monitors.length === 0 ? [] : [gateway])),
  );
  const missing = page.gateways.filter((id) => !judged.has(id));
  if (missing.length > 0)
    return `no verdict yet on ${missing.slice(0, 5).join(", ")}${missing.length > 5 ? " and others" : ""}`;
  return { type: "shown", headline: await headlineOf(page, world), verdicts };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function ask({ url, viewToken }: Page, path: string, { fetch, clock }: World): Promise<Answer | null> {
  const signal = clock.timeoutSignal(ANSWER_MS);
  try {
    const { status, body } = await fetch(url + path, {
      method: "GET",
      headers: {
        accept: "*/*",
        "accept-language": "en",
        ...(viewToken !== null && { authorization: `Bearer ${viewToken.trim()}` }),
      },
      redirect: "manual",
      signal,
    });
    let text = "";
    if (body !== null)
      await readPieces(body, { maxBytes: MOST_BYTES }, (piece) => {
        text += piece;
        return false;
      });
    return { status, text };
  } catch {
    return null;
  } finally {
    clock.release?.(signal);
  }
}

function statusIn({ status, text }: Answer) {
  if (status !== 200) return null;
  try {
    const read = z.safeParse(statusSchema(), JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** As the page says it: its title begins with it. */
async function headlineOf(page: Page, world: World): Promise<string> {
  const html = (await ask(page, "/", world))?.text ?? "";
  const [headline = ""] = (/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "").split(" · ");
  return headline.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
