/** Programs of the machine that some tests run against. Where one is missing, its tests are skipped. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

interface MachineProgram {
  readonly install: string;
  /** Where it is; null: it is missing. */
  readonly find: () => string | null;
}

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

const PROGRAMS = {
  amtool: { install: "apt-get install prometheus-alertmanager", find: () => commandOfMachine("amtool") },
  chromium: {
    install: "apt-get install chromium, or set CHROMIUM to its path",
    find: () => (existsSync(CHROMIUM) ? CHROMIUM : null),
  },
  curl: { install: "apt-get install curl", find: () => commandOfMachine("curl") },
  deno: {
    install: "npm install --prefix DIR deno, then set DENO to its path",
    find: () => process.env["DENO"] ?? commandOfMachine("deno"),
  },
  nginx: { install: "apt-get install nginx", find: () => commandOfMachine("nginx") },
  "prometheus-alertmanager": {
    install: "apt-get install prometheus-alertmanager",
    find: () => commandOfMachine("prometheus-alertmanager"),
  },
  promtool: { install: "apt-get install prometheus", find: () => commandOfMachine("promtool") },
  python3: { install: "apt-get install python3", find: () => commandOfMachine("python3") },
  // Others of that name have other options.
  "util-linux's script": {
    install: "apt-get install bsdutils",
    find: () => (spawnSync("script", ["--version"]).status === 0 ? "script" : null),
  },
  "a mount of one's own": {
    install: "run as root, or allow user namespaces",
    find: () =>
      spawnSync("unshare", ["--mount", "--map-root-user", "true"]).status === 0 ? "unshare" : null,
  },
} satisfies Record<string, MachineProgram>;

export type ProgramName = keyof typeof PROGRAMS;

/** What draws pages in half the time, if the machine has it, else chromium; null: neither is there. It shows no notifications. */
export function pageBrowserPath(): string | null {
  return commandOfMachine("chromium-headless-shell") ?? programPath("chromium");
}

/** Its path, or null where the machine does not have it. */
export function programPath(name: ProgramName): string | null {
  return PROGRAMS[name].find();
}

/** Each missing program, with how to install it. */
export function missingPrograms(): readonly string[] {
  return Object.entries(PROGRAMS).flatMap(([name, { install, find }]) =>
    find() === null ? [`${name} (${install})`] : [],
  );
}

/** The first of that name on the path that does not come with the project; null: there is none. */
export function commandOfMachine(name: string): string | null {
  const places = (process.env["PATH"] ?? "").split(delimiter);
  const found = places
    .filter((place) => place !== "" && !place.includes("node_modules") && place !== dirname(process.execPath))
    .map((place) => join(place, name))
    .find((path) => existsSync(path));
  return found ?? null;
}
