/** Words for the formats of other programs. Pure data. */
import { at, type Words } from "./word-kinds.ts";

export const FORMAT_WORDS: Readonly<Record<string, Words>> = {
  Problem: {
    "": "RFC 9457.",
    errors: "Every fault.",
    "errors.pointer": "RFC 6901: `#/from` is the parameter or member `from`.",
  },
  HealthReport: {
    "": "draft-inadarei-api-health-check-06; in the private view `status` alone.",
    status: "`fail`: the checks have stopped, or cannot be read.",
    checks:
      "`snapshot:read`, `ticks:age`, `monitors:putOff`, `ledger:quarantine`; with several shards `ticks:lost`.",
    "checks.componentId": "Which shard, where there are several.",
    "checks.time": at(),
  },
  ShieldsBadge: {
    "": "For `https://img.shields.io/endpoint?url=…`.",
    label: "The name, or the `label` that was asked.",
    message:
      "`up`, `degraded`, `down`, `no access` or `key blocked` (both are `blocked`), `unknown`, `maintenance`, `paused`, `checks stopped`.",
    color: "Green for `up` alone.",
    isError: "Unless it is up.",
  },
  StatuspagePage: { updated_at: at() },
  StatuspageStatus: { "": "`none` only with fresh evidence for all." },
  StatuspageComponent: {
    "": "A gateway (`group`) or a monitor. `blocked` and `unknown` are `degraded_performance`; `description` says why.",
  },
};
