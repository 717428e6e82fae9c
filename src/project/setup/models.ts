/** Which models of a gateway's list are worth watching: a guess by their names, which a person may change. Pure. */

/** Words in the names of models that do not chat. */
const NO_CHAT =
  /embed|rerank|moderation|guard|whisper|tts|audio|speech|transcri|voice|realtime|image|dall-?e|flux|diffusion|midjourney|\bmj\b|sora|video|\bveo\b|kling|ocr|search|\bbge\b/i;

const SMALL =
  /(?:^|[-_.:/])(?:mini|nano|tiny|micro|small|lite|haiku|flash|turbo|instant|air|[1-9]b)(?:$|[-_.:/@])/i;

/** Others go away sooner. */
const PASSING = /preview|beta|\bexp(?:erimental)?\b|latest|\d{8}|\d{4}-\d{2}-\d{2}|-\d{4}$/i;

/** Null: none looks like one. */
export function smallChatModel(ids: readonly string[]): string | null {
  return best(ids.filter((id) => SMALL.test(id) && !NO_CHAT.test(id)));
}

const MOST_EXPECTED = 3;

/** One of each family, such as gpt and claude. */
export function mainModels(ids: readonly string[]): readonly string[] {
  const families: Record<string, string[]> = {};
  for (const id of ids) {
    const family = /[a-z]+/i.exec(id.slice(id.lastIndexOf("/") + 1))?.[0].toLowerCase() ?? "";
    if (!NO_CHAT.test(id)) (families[family] ??= []).push(id);
  }
  return Object.values(families)
    .map(best)
    .filter((id) => id !== null)
    .slice(0, MOST_EXPECTED);
}

/** The shortest of those that stay, and of these the first. */
function best(ids: readonly string[]): string | null {
  const staying = ids.filter((id) => !PASSING.test(id));
  const candidates = staying.length > 0 ? staying : ids;
  return candidates.reduce<string | null>((a, b) => (a === null || b.length < a.length ? b : a), null);
}
