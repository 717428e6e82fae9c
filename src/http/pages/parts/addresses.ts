/**
 * Addresses of this site's own pages. Pure.
 */
import type { Cause } from "../../../protocol/diagnosis.ts";
import type { Reader } from "./view.ts";

/** Of whom the address asked for a language stays in it. */
type Asking = Pick<Reader, "language" | "isAsked">;

export function homePath(reader: Asking): string {
  return asking("/", reader);
}

/** A page of its gateways, from 1 on. */
export function overviewPath(page: number, reader: Asking): string {
  const home = homePath(reader);
  return page === 1 ? home : `${home}${reader.isAsked ? "&" : "?"}page=${page}`;
}

export function docsPath(reader: Asking): string {
  return asking("/docs", reader);
}

export function causesPath(reader: Asking): string {
  return asking("/causes", reader);
}

/** Of one entry on that page. */
export function causePath(cause: Cause, reader: Asking): string {
  return `${causesPath(reader)}#${cause}`;
}

export function explainPath(reader: Asking): string {
  return asking("/explain", reader);
}

export function gatewayPath(id: string, reader: Asking): string {
  return asking(`/gateways/${segment(id)}`, reader);
}

export function incidentPath(id: string, reader: Asking): string {
  return asking(`/incidents/${segment(id)}`, reader);
}

export function reportPath(id: string, reader: Asking): string {
  return asking(`/reports/${segment(id)}`, reader);
}

export function reportDocumentPath(id: string): string {
  return `/api/v1/reports/${segment(id)}`;
}

/** A feed is asked for by programs: what reader it is for must stand in its address. */
export function feedPath({ language, isAsked, isUsual }: Omit<Reader, "words">): string {
  return asking("/feed.atom", { language, isAsked: isAsked || !isUsual });
}

function asking(path: string, { language, isAsked }: Asking): string {
  return isAsked ? `${path}?lang=${language}` : path;
}

/** Half a surrogate pair has no encoding: it would throw. */
function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
