/** What will not work on this machine for all that is set. Pure. */
import type { Config } from "../config/config.ts";
import { secretProblems, SHORTEST_ADMIN_TOKEN } from "../config/secret-forms.ts";

/** A sentence each. */
export function localProblems(config: Config, secrets: Readonly<Record<string, string>>): readonly string[] {
  const token = secrets["ADMIN_TOKEN"]?.trim() ?? "";
  const mails = config.alerts.filter(({ kind }) => kind === "email").map(({ id }) => id);
  return [
    ...(token !== "" && token.length < SHORTEST_ADMIN_TOKEN
      ? [`ADMIN_TOKEN is shorter than ${SHORTEST_ADMIN_TOKEN} characters: administration is off.`]
      : []),
    ...secretProblems(config, (name) => secrets[name] ?? null).map((problem) => `${sentence(problem)}.`),
    ...mails.map((id) => `The channel ${id} is told nothing: mail can be sent by a deployed Worker alone.`),
  ];
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
