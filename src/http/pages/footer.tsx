/**
 * Where a page's figures come from, and where programs find them.
 */
import type { StatusDocument } from "../../history/documents.ts";
import { Time } from "./layout.tsx";
import type { ZoneClock } from "./zone-clock.ts";

export function Footer({ status, clock }: { status: StatusDocument; clock: ZoneClock }) {
  return (
    <>
      <p>
        Last round of checks:{" "}
        {status.lastTickAt === null ? "none" : <Time at={status.lastTickAt} clock={clock} />}. Published:{" "}
        <Time at={status.generatedAt} clock={clock} />. Times and days are those of {status.timeZone}.
      </p>
      <p>
        Uptime counts neither what the monitor could not see nor maintenance. For programs:{" "}
        <a href="/api/v1/status">status</a>, <a href="/api/v1/incidents">incidents</a>,{" "}
        <a href="/healthz">health</a>. Made by Gatepulse.
      </p>
    </>
  );
}
