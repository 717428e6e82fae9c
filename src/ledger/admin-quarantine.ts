/** What an administrator is told of the quarantine: see `quarantine.ts`. */
import type { AdminAnswer } from "../domain/administration.ts";
import { instant } from "../domain/calendar.ts";
import type { ClearedAnswer, QuarantineAnswer } from "./admin-answers.ts";
import type { LedgerService } from "./service.ts";

export function listQuarantine({ quarantine }: LedgerService, shard: number): AdminAnswer {
  const records = quarantine.list().map(({ id, atMs, place, why, bytes, start }) => {
    return { shard, id, at: instant(atMs), place, why, bytes, start };
  });
  return { ok: true, value: { records } satisfies QuarantineAnswer };
}

export function clearQuarantine({ quarantine }: LedgerService): AdminAnswer {
  return { ok: true, value: { cleared: quarantine.clear() } satisfies ClearedAnswer };
}
