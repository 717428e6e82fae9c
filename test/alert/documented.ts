/** The events of the examples in docs/channels.md and test/vectors/alerts/, as each channel is sent them. */
import type { AlertEvent } from "../../src/alert/alert-event.ts";
import type { Rendered } from "../../src/alert/channel.ts";
import { CHANNELS, render } from "./channel-configs.ts";
import { blocked, modelsChanged, opened, resolved, updated } from "./telling.ts";

export const EXAMPLES: Readonly<Record<string, AlertEvent>> = {
  opened: opened(),
  blocked: blocked(),
  updated: updated(),
  over: resolved(),
  vanished: modelsChanged(["gpt-4o"]),
};

export function rendered(kind: keyof typeof CHANNELS, example: string): Promise<Rendered> {
  const event = EXAMPLES[example];
  if (event === undefined) throw new Error(`there is no example ${example}`);
  return render(CHANNELS[kind], [event]);
}
