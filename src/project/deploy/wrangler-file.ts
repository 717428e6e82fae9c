/** What wrangler deploys: the project's `wrangler.toml`, with a queue beside it if the configuration needs one. */
import { t } from "../../config/spoken.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { type TomlTable, parse } from "smol-toml";
import { textAt } from "../files.ts";

const WRANGLER_FILE = "wrangler.toml";
const GENERATED = ".gatepulse/wrangler.json";
const BINDING = "TICKS";

export interface Deployable {
  /** For `--config`, below the project. */
  readonly file: string;
  /** To be created first, if they are missing: the one for messages that failed, and the one of the ticks. */
  readonly queues: readonly string[];
}

export type DeployableRead =
  | { readonly ok: true; readonly deployable: Deployable }
  | { readonly ok: false; readonly problem: string };

/** Null: there is no such file, or it is no TOML. */
async function tomlOf(project: string): Promise<TomlTable | null> {
  try {
    return parse((await textAt(join(project, WRANGLER_FILE))) ?? "-");
  } catch {
    return null;
  }
}

/** A project may have queues of its own in the file. */
function hasQueue(toml: TomlTable): boolean {
  const { producers = [] } = Object(toml["queues"]) as { producers?: readonly TomlTable[] };
  return producers.some(({ binding }) => binding === BINDING);
}

/** Writes the file that is to be deployed, unless it is `wrangler.toml` itself. */
export async function deployableOf(
  project: string,
  { lanes, shards }: { readonly lanes: number; readonly shards: number },
): Promise<DeployableRead> {
  const toml = await tomlOf(project);
  if (toml === null) return { ok: false, problem: t`${WRANGLER_FILE} is missing here, or is no TOML` };
  // Lanes and shards share a tick by messages.
  if ((lanes === 1 && shards === 1) || hasQueue(toml)) {
    return { ok: true, deployable: { file: WRANGLER_FILE, queues: [] } };
  }
  const { name } = toml;
  if (typeof name !== "string") return { ok: false, problem: t`name is missing in ${WRANGLER_FILE}` };
  const [ticks, dead] = queueNames(name);
  const file = join(project, GENERATED);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(withQueue(toml, { ticks, dead }, project, dirname(file)), null, 2));
  return { ok: true, deployable: { file: GENERATED, queues: [dead, ticks] } };
}

/** A queue's name has at most 63 characters. */
const LONGEST_NAME = 63;

/** Those of 0.2.0, for a Worker of that name. */
function queueNames(worker: string): readonly [ticks: string, dead: string] {
  const dead = "-ticks-dead";
  const base = worker.slice(0, LONGEST_NAME - dead.length);
  return [`${base}-ticks`, base + dead];
}

function withQueue(
  toml: TomlTable,
  { ticks, dead }: { readonly ticks: string; readonly dead: string },
  project: string,
  folder: string,
): object {
  const moved = (path: unknown): unknown =>
    typeof path === "string" ? relative(folder, resolve(project, path)) : path;
  const { producers = [], consumers = [] } = Object(toml["queues"]) as Record<string, readonly unknown[]>;
  const { assets, main } = toml;
  return {
    ...toml,
    main: moved(main),
    ...(assets !== undefined && {
      assets: { ...Object(assets), directory: moved(Reflect.get(Object(assets), "directory")) },
    }),
    queues: {
      producers: [...producers, { binding: BINDING, queue: ticks }],
      consumers: [
        ...consumers,
        // Each message is a tick of its own, and the next one comes within a minute.
        { queue: ticks, max_batch_size: 1, max_batch_timeout: 0, max_retries: 3, dead_letter_queue: dead },
        { queue: dead, max_batch_size: 1, max_batch_timeout: 0, max_retries: 100 },
      ],
    },
  };
}
