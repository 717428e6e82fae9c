/**
 * The first thing a reader sees: is it well, and if not, whose matter is it. Never green without evidence.
 */
import type { StatusDocument } from "../../history/documents.ts";
import { Time } from "./layout.tsx";
import { counted } from "./words.ts";
import type { ZoneClock } from "./zone-clock.ts";

export function Banner({ status, clock }: { status: StatusDocument; clock: ZoneClock }) {
  const { summary, stale } = status;
  const total = Object.values(summary).reduce((sum, count) => sum + count, 0);
  return (
    <div class={`banner ${stale ? "stale" : status.status}`} role="status">
      <p class="headline">{headlineOf(status, total)}</p>
      {stale ? <StaleWords status={status} clock={clock} /> : <Sentences status={status} total={total} />}
    </div>
  );
}

function headlineOf({ stale, status, summary }: StatusDocument, total: number): string {
  if (stale) return "The checks have stopped";
  switch (status) {
    case "up":
      return total === 1 ? "The monitor is up" : `All ${total} monitors are up`;
    case "degraded":
      return `${summary.degraded} of ${counted(total, "monitor")} degraded`;
    case "down":
      return `${summary.down} of ${counted(total, "monitor")} down`;
    case "blocked":
      return `The view of ${summary.blocked} of ${counted(total, "monitor")} is blocked`;
    case "unknown":
      return total === 0 ? "Nothing is monitored yet" : "Not all is known yet";
  }
}

function StaleWords({ status, clock }: { status: StatusDocument; clock: ZoneClock }) {
  return (
    <p>
      {status.lastTickAt === null ? (
        "No check has run yet, though one was due."
      ) : (
        <>
          The last one ran at <Time at={status.lastTickAt} clock={clock} />.
        </>
      )}{" "}
      Nothing on this page says how the gateways are now; what is shown was seen before that.
    </p>
  );
}

function Sentences({ status: { summary, putOff }, total }: { status: StatusDocument; total: number }) {
  const others = (["up", "degraded", "down", "unknown"] as const)
    .filter((health) => summary[health] > 0)
    .map((health) => `${summary[health]} ${health === "unknown" ? "without fresh evidence" : health}`);
  return (
    <>
      {total > 1 && (summary.up < total || putOff > 0) && <p>{others.join(", ")}.</p>}
      {summary.blocked > 0 && (
        <p>
          {counted(summary.blocked, "monitor")} cannot see. That is no outage of a gateway: the monitor’s own
          key, balance, quota, permission, request or address must be mended by the key’s owner.
        </p>
      )}
      {putOff > 0 && <p>{counted(putOff, "check")} that were due had to wait for the next round.</p>}
    </>
  );
}
