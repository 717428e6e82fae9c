/** `gatepulse template`: prints the files of a project as JSON. A newer version asks the installed one for them. */
import { EXIT, command } from "../cli/command.ts";
import { renderProject, type ProjectAnswers } from "../project/template.ts";

export const template = command("template", {}, async ({ argument, io }) => {
  const files = renderProject(JSON.parse(argument) as ProjectAnswers);
  io.stdout.write(`${JSON.stringify(Object.fromEntries(files))}\n`);
  return EXIT.ok;
});
