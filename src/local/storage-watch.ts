/**
 * Looks after a tick that failed why that is, says it once, and once when it is over. `/healthz` says it as long as it lasts.
 */
import { findTrouble, type StorageTrouble } from "./storage-trouble.ts";

export interface StorageWatch {
  /** Null: none is known. */
  trouble(): StorageTrouble | null;
  /** Never rejects. */
  afterTick(failed: boolean): Promise<void>;
}

/** Databases are looked through no more often: it holds up the answers. */
const FILES_EVERY_MS = 60_000;

/** Looks through all of it at once. */
export async function startStorageWatch(
  directory: string,
  say: (words: string) => void,
): Promise<StorageWatch> {
  let known: StorageTrouble | null = null;
  let isOverOwed = false;
  let filesAtMs = performance.now();
  let looking: Promise<void> | null = null;
  const note = (found: StorageTrouble | null): void => {
    if (found !== null && found.problem !== known?.problem) say(found.problem);
    isOverOwed ||= found === null && known !== null;
    known = found;
  };
  /** Only a tick that went well proves it. */
  const noteOver = (): void => {
    if (known !== null || !isOverOwed) return;
    isOverOwed = false;
    say(`What was wrong with ${directory} is over: checks go on.`);
  };
  const look = async (): Promise<void> => {
    const files = performance.now() - filesAtMs >= FILES_EVERY_MS;
    const found = await findTrouble(directory, files);
    if (files && found?.check !== "storage:room") filesAtMs = performance.now();
    // Damage that was found is not over because nobody looked.
    const isDamageKept = known?.check === "storage:files" && !files && found === null;
    if (!isDamageKept) note(found);
  };
  note(await findTrouble(directory, true));
  return {
    trouble: () => known,
    afterTick: async (failed) => {
      if (failed || known !== null) {
        await (looking ??= look().finally(() => {
          looking = null;
        }));
      }
      if (!failed) noteOver();
    },
  };
}
