/** What `curl -v` prints: each line says by its first character whose it is. Pure; linear. */
import { pairsOfLines } from "./headers.ts";
import { type Line, isHead, lineAt, readResponses, readStatusLine, type Response } from "./http-responses.ts";

export interface Verbose {
  readonly responses: readonly Response[];
  /** The lines of the last request, its first line before the headers. */
  readonly request: readonly string[];
  /** What curl says of the connection, the latest last. */
  readonly remarks: readonly string[];
}

/** Null: there is no line of `curl -v` before anything else was printed. */
export function readVerbose(text: string): Verbose | null {
  if (!MARKED.test(text.slice(0, MAX_LEAD))) return null;
  const reader: Reader = { responses: [], request: [], remarks: [], section: "between" };
  for (let line = lineAt(text, 0); line !== null; line = lineAt(text, line.next)) {
    readLine(reader, line, text);
  }
  return { ...reader, responses: reader.responses.map((draft) => responseOf(draft)) };
}

/** The command line and the meter may stand before it. */
const MAX_LEAD = 65_536;
const MARKED =
  /^(?:\* (?:Trying|Host|Could not|Connected|Uses|Resolv|Failed|connect|Rebuilt|Re-using|Reusing|About to)|> [A-Z]{3,10} \S+ HTTP\/|< HTTP\/)/m;

interface Draft {
  readonly version: string;
  readonly status: number;
  readonly lines: string[];
  readonly body: string[];
}

interface Reader {
  readonly responses: Draft[];
  request: string[];
  readonly remarks: string[];
  section: "between" | "request" | "head" | "body";
}

function readLine(reader: Reader, { text: line, at, next }: Line, text: string): void {
  const mark = line.slice(0, 2);
  if (mark === "* ") {
    if (reader.remarks.length >= MAX_REMARKS) reader.remarks.shift();
    reader.remarks.push(line.slice(2, 500));
  } else if (mark === "> " || line === ">") readSent(reader, line.slice(2));
  else if (mark === "< " || line === "<") readReceived(reader, line.slice(2));
  else if (reader.section === "body" && !isMeter(line)) {
    // With -i the headers are printed once more; their lines stand between those of -v, or behind them.
    reader.responses.at(-1)?.body.push(text.slice(at, next));
  }
}

const MAX_REMARKS = 200;
const MAX_LINES = 1000;

function readSent(reader: Reader, line: string): void {
  if (/^[A-Z]{3,10} \S/.test(line) && / HTTP\/[\d.]+$/.test(line)) {
    reader.request = [line];
    reader.section = "request";
  } else if (reader.section === "request" && line !== "" && reader.request.length < MAX_LINES) {
    reader.request.push(line);
  }
}

function readReceived(reader: Reader, line: string): void {
  const status = readStatusLine(line);
  const last = reader.responses.at(-1);
  if (status !== null) {
    reader.responses.push({ ...status, lines: [], body: [] });
    reader.section = "head";
  } else if (reader.section === "head" && line === "") reader.section = "body";
  else if (reader.section === "head") last?.lines.push(line);
  else last?.body.push(`< ${line}\n`);
}

/** Curl's counts of bytes, and its meter. */
export function isMeter(line: string): boolean {
  return (
    /^[{}] \[\d{1,12} bytes data\]/.test(line) ||
    /^ {0,8}% Total {1,8}% Received|^ {1,40}Dload {1,8}Upload|^\s{0,8}\d{1,3} .{10,80}(?:--|\d\d):(?:--|\d\d)/.test(
      line,
    )
  );
}

function responseOf({ version, status, lines, body }: Draft): Response {
  const text = body.join("").replace(GLUED_REMARK, "");
  const start = /\S/.exec(text.slice(0, 1000))?.index ?? 0;
  const again = isHead(text, start) ? readResponses(text, start).at(-1) : undefined;
  const headers = pairsOfLines(lines);
  return again?.status === status ? again : { version, status, headers, body: text };
}

/** Curl does not wait for the body's last line to end. */
const GLUED_REMARK =
  /\* (?:Connection #\d{1,9}|Closing connection|Curl_|transfer closed|HTTP\/2 stream|Recv failure|Send failure|Operation timed|OpenSSL|Excess found|shutting down|\[HTTP)[^\n]{0,1000}\s*$/;
