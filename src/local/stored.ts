/** The directory of `gatepulse start` as an installation that sleeps: nothing is checked and nothing is sent. */
import { t } from "../config/spoken.ts";
import { randomUUID } from "node:crypto";
import { parseConfig } from "../config/load.ts";
import { localWorker } from "./bundle.ts";
import { lockDirectory, writeProblem } from "./persist-dir.ts";
import { startWorkerd } from "./workerd.ts";

export type Opened =
  | {
      readonly ok: true;
      readonly address: string;
      readonly token: string;
      close(): Promise<void>;
    }
  | { readonly ok: false; readonly problem: string };

export async function openStored(persistDir: string): Promise<Opened> {
  const problem = await writeProblem(persistDir);
  if (problem !== null) return { ok: false, problem };
  const release = lockDirectory(persistDir);
  if (release === null) return { ok: false, problem: IN_USE };
  const token = randomUUID();
  // What is stored says which shards there are. The present gateways do not matter.
  const empty = parseConfig({ title: "Asleep", gateways: [] });
  try {
    const runtime = await startWorkerd({
      script: await localWorker(),
      config: empty.ok ? empty.config : null,
      secrets: { ADMIN_TOKEN: token },
      persistDir,
      tickSeconds: 60,
      isAsleep: true,
    });
    const close = async (): Promise<void> => {
      await runtime.stop();
      release();
    };
    return { ok: true, address: runtime.address.origin, token, close };
  } catch (error) {
    release();
    throw error;
  }
}

const IN_USE = t`a running Gatepulse uses this directory: stop it, or add --url with the address of its page, and set ADMIN_TOKEN`;
