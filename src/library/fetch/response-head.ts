/** Status and headers of an answer, as they are judged. */
import { readHeaders } from "../headers.ts";

export interface Head {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export function headOf({ status, headers }: Response): Head {
  return { status, headers: readHeaders(headers) };
}
