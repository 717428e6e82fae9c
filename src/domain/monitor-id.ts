/** What a monitor's full id, `<gateway>/<monitor>`, tells. Pure. */

/** The gateway's id. */
export function gatewayOf(monitorId: string): string {
  return monitorId.split("/", 1)[0] ?? monitorId;
}

/** What a monitor's samples of one region are kept under; no id has an `@`. */
export function regionSeries(monitorId: string, region: string): string {
  return `${monitorId}@${region}`;
}

/** The monitor of a series, and its region as it is written behind it; empty: it is the monitor's own series. */
export function partsOfSeries(series: string): { readonly monitorId: string; readonly suffix: string } {
  const at = series.indexOf("@");
  return at === -1
    ? { monitorId: series, suffix: "" }
    : { monitorId: series.slice(0, at), suffix: series.slice(at) };
}

/** The monitor's own, without that of its gateway. */
export function ownIdOf(monitorId: string): string {
  return monitorId.slice(monitorId.indexOf("/") + 1);
}
