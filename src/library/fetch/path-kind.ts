/** What a request asks for, told by its method and path (spec 4). Pure. */
import type { Kind } from "../../protocol/observation.ts";

const POSTED: readonly (readonly [RegExp, Kind])[] = [
  [/(?<!\/async)(?<!\/async\/chat)\/(?:chat\/completions|completions|responses)$/, "chat"],
  [/(?<!\/threads\/[^/]+)\/messages$/, "messages"],
  [/\/embeddings$/, "embeddings"],
  [/\/images?\/(?:generations?|edits?|variations?)$/, "image"],
  [/\/(?:videos|videos?\/generations?|videos\/[^/]+\/remix)$/, "task"],
];

const ASKED: readonly (readonly [RegExp, Kind])[] = [
  [/\/v1\/models$/, "models"],
  [/\/(?:videos|videos?\/generations?|images?\/generations?|tasks)\/[^/]+$/, "task"],
];

/** Null: nothing is known of what a success must look like; then only signals of failure count. */
export function kindOfPath(method: string, url: string): Kind | null {
  const rules = method === "POST" ? POSTED : method === "GET" ? ASKED : [];
  const path = new URL(url).pathname.replace(/\/+$/, "");
  return rules.find(([form]) => form.test(path))?.[1] ?? null;
}

/** The mark without which a stream has not ended (spec 6); null: its ends are not known. */
export function endOfStream(kind: Kind | null, url: string): "done" | "message_stop" | null {
  if (kind === "messages") return "message_stop";
  if (kind !== "chat" && kind !== "stream") return null;
  return /\/responses\/*$/.test(new URL(url).pathname) ? null : "done";
}
