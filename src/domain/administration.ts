/**
 * What an administrator asks of the Ledger, and what it answers. Pure data.
 */

export type AdminRequest =
  | { readonly type: "probe_now"; readonly monitorId: string }
  | { readonly type: "pause"; readonly monitorId: string }
  | { readonly type: "resume"; readonly monitorId: string }
  | { readonly type: "acknowledge"; readonly incidentId: string }
  | { readonly type: "note"; readonly incidentId: string; readonly text: string }
  | { readonly type: "list_maintenance" }
  | {
      readonly type: "plan_maintenance";
      /** Empty: every gateway. */
      readonly gateways: readonly string[];
      readonly fromMs: number;
      readonly toMs: number;
      readonly title: string;
      /** Null: it gets one. Of one that is planned already, nothing changes. */
      readonly id: string | null;
    }
  | { readonly type: "cancel_maintenance"; readonly id: string }
  | { readonly type: "list_alerts" }
  /** Null: every channel; all that it could not deliver. */
  | { readonly type: "replay_alerts"; readonly channel: string | null; readonly eventId: string | null }
  | { readonly type: "test_alert"; readonly channel: string | null }
  | { readonly type: "list_quarantine" }
  | { readonly type: "clear_quarantine" };

/** `value` is ready to be sent as JSON. */
export type AdminAnswer =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly why: "not_found" | "conflict"; readonly detail: string }
  /** Of several Ledgers some did not answer. */
  | { readonly ok: false; readonly why: "incomplete"; readonly detail: string };
