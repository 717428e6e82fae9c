/** The Worker of the story in workerd on this machine. */
import { fileURLToPath } from "node:url";
import { convertV4MiniflareOptions } from "miniflare";
import { readConfig } from "../../src/config/load.ts";
import type { ConfigInput } from "../../src/config/define-config.ts";
import { bundleWorker } from "../../src/local/bundle.ts";
import { launchRuntime, runtimeOptions } from "../../src/local/workerd.ts";
import type { Stored, StoryAnswer, StoryPlayed, StoryRequest } from "./stored.ts";
import { SECRETS, STEP_MS } from "./story.ts";

export interface Story {
  /** Where the Worker answers. */
  readonly address: string;
  ask<Answer>(request: StoryRequest): Promise<Answer>;
  play(span: { fromMs: number; untilMs: number; stepMs: number }): Promise<StoryPlayed>;
  dump(): Promise<Stored>;
  answers(atMs: number, paths: readonly string[]): Promise<Readonly<Record<string, StoryAnswer>>>;
  stop(): Promise<void>;
}

const ENTRY = fileURLToPath(new URL("worker/entry.ts", import.meta.url));

/** Built once a process. */
let script: Promise<string> | null = null;

/** @param persistDir null: KV and Ledger are in memory. */
export async function startStory(config: ConfigInput, persistDir: string | null = null): Promise<Story> {
  const options = runtimeOptions({
    script: await (script ??= bundleWorker(ENTRY)),
    config: readConfig(config),
    persistDir,
    tickSeconds: STEP_MS / 1000,
    secrets: SECRETS,
  });
  const miniflare = launchRuntime(convertV4MiniflareOptions(options));
  const { origin: address } = await miniflare.ready;
  const ask = async <Answer>(request: StoryRequest): Promise<Answer> => {
    const answer = await miniflare.dispatchFetch("http://story/", {
      method: "POST",
      body: JSON.stringify(request),
    });
    if (!answer.ok) throw new Error(`${request.do}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  return {
    address,
    ask,
    play: (span) => ask({ do: "play", ...span }),
    dump: () => ask({ do: "dump" }),
    answers: (atMs, paths) => ask({ do: "ask", atMs, paths }),
    stop: () => miniflare.dispose(),
  };
}
