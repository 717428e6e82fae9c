/** `gatepulse template`: prints the files of a project as JSON. A newer version asks the installed one for them. */
import { EXIT, command } from "../cli/command.ts";
import { renderProject, type ProjectAnswers } from "../project/template.ts";

const MANUAL = {
  name: "template",
  args: "ANSWERS",
  about: "Prints the files of a project as JSON. A newer version asks for them when it upgrades a project.",
  options: {},
  codes: { 0: "done" },
};

export const template = command(MANUAL, async ({ argument, io }) => {
  const files = renderProject(JSON.parse(argument) as ProjectAnswers);
  io.stdout.write(`${JSON.stringify(Object.fromEntries(files))}\n`);
  return EXIT.ok;
});
