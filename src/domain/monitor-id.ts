/** What a monitor's full id, `<gateway>/<monitor>`, tells. Pure. */

/** The gateway's id. */
export function gatewayOf(monitorId: string): string {
  return monitorId.split("/", 1)[0] ?? monitorId;
}

/** The monitor's own, without that of its gateway. */
export function ownIdOf(monitorId: string): string {
  return monitorId.slice(monitorId.indexOf("/") + 1);
}
