/** Debian's Alertmanager, and what its own tool lists. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { programPath } from "../../programs.ts";
import { start } from "../program.ts";

const BINARY = programPath("prometheus-alertmanager");
export const hasAlertmanager = BINARY !== null && programPath("amtool") !== null;

export interface ListedAlert {
  readonly labels: Readonly<Record<string, string>>;
}

export interface DebianAlertmanager {
  readonly address: string;
  active(): Promise<readonly ListedAlert[]>;
  stop(): Promise<void>;
}

export async function startAlertmanager(config: object): Promise<DebianAlertmanager> {
  const directory = await mkdtemp(join(tmpdir(), "gatepulse-alertmanager-"));
  const file = join(directory, "alertmanager.yml");
  await writeFile(file, JSON.stringify(config));
  const program = start(BINARY ?? "", [
    `--config.file=${file}`,
    `--storage.path=${join(directory, "data")}`,
    "--web.listen-address=127.0.0.1:0",
    "--cluster.listen-address=",
  ]);
  const [, host = ""] = await program.printed(/"Listening on" address=(127\.0\.0\.1:\d+)/);
  const address = `http://${host}`;
  return {
    address,
    active: async () => {
      const query = ["alert", "query", `--alertmanager.url=${address}`, "--output=json"];
      const { stdout } = await promisify(execFile)("amtool", query);
      return JSON.parse(stdout) as ListedAlert[];
    },
    stop: async () => {
      await program.stop();
      await rm(directory, { recursive: true });
    },
  };
}
