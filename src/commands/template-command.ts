/** `gatepulse template`: prints the files of a project as JSON. A newer version asks the installed one for them. */
import { EXIT, HELP, command } from "../cli/command.ts";
import { TEMPLATE_USAGE } from "../cli/usage.ts";
import { renderProject, type ProjectAnswers } from "../project/template.ts";

export const template = command(
  { name: "template", usage: TEMPLATE_USAGE, options: HELP },
  async ({ positionals, io, refuse }) => {
    const [answers, ...more] = positionals;
    if (answers === undefined || more.length > 0) return refuse("give the answers as one argument");
    const files = renderProject(JSON.parse(answers) as ProjectAnswers);
    io.stdout.write(`${JSON.stringify(Object.fromEntries(files))}\n`);
    return EXIT.ok;
  },
);
