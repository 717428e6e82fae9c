/** What monitors are called, where no name was given to them. Pure. */
import { ownIdOf } from "../domain/monitor-id.ts";
import type { GatewayDocument, MonitorDocument } from "./documents.ts";

/**
 * `models`, `chat · gpt-4o-mini`, `chat · gpt-4o-mini · stream`, or `http · rerank`; with its own id where another one of
 * the gateway would be called the same: `models · eu`.
 */
export function nameInGateway(
  monitor: MonitorDocument,
  { monitors }: Pick<GatewayDocument, "monitors">,
): string {
  const { id, kind, model } = monitor;
  const name = plainName(monitor);
  const isShared = monitors.some(
    (other) => other.id !== id && other.kind === kind && other.model === model && plainName(other) === name,
  );
  return isShared ? `${name} · ${ownIdOf(id)}` : name;
}

/** What it is, which others of its gateway may be too. */
export function plainName({ id, kind, model, canary }: MonitorDocument): string {
  return canary === undefined
    ? [kind, ...(model === null ? [] : [model])].join(" · ")
    : askedName({ id, kind, model, streaming: canary.streaming });
}

type Asked = Pick<MonitorDocument, "id" | "kind" | "model"> & { readonly streaming: boolean };

/** What a canary asks for, in one line. Without a model its own id tells it from others of its kind. */
export function askedName({ id, kind, model, streaming }: Asked): string {
  const ownId = ownIdOf(id);
  const what = model ?? (ownId === kind ? null : ownId);
  return [kind, ...(what === null ? [] : [what]), ...(streaming ? ["stream"] : [])].join(" · ");
}
