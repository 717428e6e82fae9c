/**
 * Addresses of this site's own pages. Pure.
 */

export function gatewayPath(id: string): string {
  return `/gateways/${segment(id)}`;
}

export function incidentPath(id: string): string {
  return `/incidents/${segment(id)}`;
}

export function reportPath(id: string): string {
  return `/reports/${segment(id)}`;
}

export function reportDocumentPath(id: string): string {
  return `/api/v1/reports/${segment(id)}`;
}

/** Half a surrogate pair has no encoding: it would throw. */
function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
