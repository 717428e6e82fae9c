/** Debian's Alertmanager, and what its own tool lists. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { programPath } from "../../programs.ts";
import { start } from "../program.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const BINARY = programPath("prometheus-alertmanager");
export const hasAlertmanager = BINARY !== null && programPath("amtool") !== null;

export interface ListedAlert {
  readonly labels: Readonly<Record<string, string>>;
}

export interface DebianAlertmanager {
  readonly address: string;
  readonly active: () => Promise<readonly ListedAlert[]>;
}

/** @param whenOver `onTestFinished` or `afterAll`: then it ends. */
export async function startAlertmanager(
  config: object,
  whenOver: (clean: () => Promise<void>) => void,
): Promise<DebianAlertmanager> {
  const directory = await temporaryDirectory(whenOver);
  const file = join(directory, "alertmanager.yml");
  await writeFile(file, JSON.stringify(config));
  const program = start(BINARY ?? "", [
    `--config.file=${file}`,
    `--storage.path=${join(directory, "data")}`,
    "--web.listen-address=127.0.0.1:0",
    "--cluster.listen-address=",
  ]);
  whenOver(async () => void (await program.stop()));
  const [, host = ""] = await program.printed(/"Listening on" address=(127\.0\.0\.1:\d+)/);
  const address = `http://${host}`;
  return {
    address,
    active: async () => {
      const query = ["alert", "query", `--alertmanager.url=${address}`, "--output=json"];
      const { stdout } = await promisify(execFile)("amtool", query);
      return JSON.parse(stdout) as ListedAlert[];
    },
  };
}
