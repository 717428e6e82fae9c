/** What will not work on this machine for all that is set. Pure. */
import type { Config } from "../config/config.ts";
import { secretProblems, SHORTEST_TOKEN, viewTokenProblem } from "../config/secrets.ts";

/** A sentence each. */
export function localProblems(config: Config, secrets: Readonly<Record<string, string>>): readonly string[] {
  const token = secrets["ADMIN_TOKEN"]?.trim() ?? "";
  const view = secrets["VIEW_TOKEN"] ?? null;
  const viewProblem = view === null ? null : viewTokenProblem(view);
  const mails = config.alerts.filter(({ kind }) => kind === "email").map(({ id }) => id);
  return [
    ...(token !== "" && token.length < SHORTEST_TOKEN
      ? [`ADMIN_TOKEN is shorter than ${SHORTEST_TOKEN} characters: administration is off.`]
      : []),
    ...(viewProblem === null ? [] : [`${sentence(viewProblem)}: no page is shown to anybody.`]),
    ...(token !== "" && token === view?.trim()
      ? ["VIEW_TOKEN is the same as ADMIN_TOKEN: everybody who may look may administer."]
      : []),
    ...secretProblems(config, (name) => secrets[name] ?? null).map((problem) => `${sentence(problem)}.`),
    ...mails.map((id) => `The channel ${id} is told nothing: mail can be sent by a deployed Worker alone.`),
  ];
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
