/** `gatepulse admin`: what an administrator may ask of a running Gatepulse, from this machine (docs/admin.md). */
import { judgeEndpoint } from "../config/base-url.ts";
import { EXIT, command, flag, option, type CommandLine } from "../cli/command.ts";

const OPTIONS = {
  url: option("ADDRESS", "the address of the status page (default GATEPULSE_URL)"),
  by: option("NAME", "your name, for the timeline; it is public"),
  for: option("LENGTH", "how long, like 2h: of silence, pause, plan, announce and update"),
  until: option("INSTANT", "instead of --for, but not of plan; without both there is no end"),
  from: option("INSTANT", "when maintenance begins (default now)"),
  to: option("INSTANT", "when it ends, instead of --for"),
  title: option("TEXT", "of maintenance; it is public"),
  kind: option("KIND", "of announce: announcement (default) or incident"),
  status: option("STATUS", "of an incident: investigating, identified, monitoring or resolved"),
  private: flag("only administrators see the note"),
};

type Line = CommandLine<typeof OPTIONS>;

interface Call {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `/api/v1/admin/`. */
  readonly path: string;
  /** What is undefined is left out of the JSON. */
  readonly body?: object;
}

/** By its verb, of what follows it; null: something is missing or too much. */
const VERBS: Readonly<Record<string, (named: readonly string[], values: Line["values"]) => Call | null>> = {
  show: only(([subject]) => ({ method: "GET", path: subject })),
  acknowledge: only(([subject], { by }) => post(`${subject}/acknowledge`, { by })),
  silence: only(([subject], { by, for: length, until }) =>
    post(`${subject}/silence`, { by, for: length, until }),
  ),
  check: only(([subject], { by }) => post(`${subject}/probe`, { by })),
  pause: only(([subject], { by, for: length, until }) =>
    post(`${subject}/pause`, { by, for: length, until }),
  ),
  resume: only(([subject], { by }) => post(`${subject}/resume`, { by })),
  note: only(
    ([incident, words], { private: isPrivate }) =>
      post(`${incident}/notes`, { text: words, public: isPrivate !== true }),
    2,
  ),
  "delete-note": only(
    ([incident, at = ""]) => ({
      method: "DELETE",
      path: `${incident}/notes/${encodeURI(at)}`,
    }),
    2,
  ),
  announcements: (named) => (named.length === 0 ? { method: "GET", path: "announcements" } : null),
  announce: ([title, body, ...gateways], { kind, status, for: length, until }) =>
    body === undefined
      ? null
      : post("announcements", {
          kind,
          title,
          body,
          status,
          for: length,
          until,
          ...(gateways.length > 0 && { gateways }),
        }),
  update: ([id = "", body, ...more], { status, for: length, until }) =>
    body === undefined || more.length > 0
      ? null
      : post(`announcements/${encodeURIComponent(id)}`, { body, status, for: length, until }),
  "delete-announcement": ([id = "", ...more]) =>
    more.length > 0 ? null : { method: "DELETE", path: `announcements/${encodeURIComponent(id)}` },
  plan: (gateways, { from, to, for: length, title }) =>
    post("maintenance", { ...(gateways.length > 0 && { gateways }), from, to, for: length, title }),
};

/** @param count how many words follow: a subject, and what is said of it. */
function only(
  callOf: (named: readonly [place: string, more?: string], values: Line["values"]) => Call,
  count = 1,
) {
  return (named: readonly string[], values: Line["values"]): Call | null => {
    const [subject = "", more = ""] = named;
    return named.length === count ? callOf([placeOf(subject), more], values) : null;
  };
}

function post(path: string, body: object): Call {
  return { method: "POST", path, body };
}

/** An incident's id ends with its second; `acme/models` is a monitor, and `acme` a gateway. */
function placeOf(named: string): string {
  const [gateway = "", monitor] = named.split("/").map(encodeURIComponent);
  if (/-\d{8}t\d{6}z$/u.test(named)) return `incidents/${gateway}`;
  return monitor === undefined ? `gateways/${gateway}` : `gateways/${gateway}/monitors/${monitor}`;
}

const LONGEST_MS = 30_000;

export const admin = command("admin", OPTIONS, async (line) => {
  const { positionals, values, io, refuse } = line;
  const [verb = "", ...named] = positionals;
  const callOf = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (callOf === undefined) return refuse(`write one of: ${Object.keys(VERBS).join(", ")}`);
  if (named.includes("")) return refuse(`${verb} is followed by an empty word`);
  const call = callOf(named, values);
  if (call === null) return refuse(`${verb} is followed by something else`);
  const judged = judgeEndpoint(values.url ?? io.env["GATEPULSE_URL"] ?? "");
  if (!judged.ok) return refuse("write the page's address with --url, or set GATEPULSE_URL; use https");
  const token = io.env["ADMIN_TOKEN"]?.trim() ?? "";
  if (token === "") return refuse("ADMIN_TOKEN is not set in the environment");
  return send(line, `${judged.baseUrl}/api/v1/admin/${call.path}`, token, call);
});

async function send({ io }: Line, url: string, token: string, { method, body }: Call) {
  const asked = fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, accept: "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(LONGEST_MS),
    body: body === undefined ? null : JSON.stringify(body),
  });
  const answer = await asked
    .then(async (got) => ({ status: got.status, text: await got.text() }))
    .catch(() => null);
  if (answer === null) {
    io.stderr.write("gatepulse admin: nobody answers at that address\n");
    return EXIT.others;
  }
  if (answer.status === 200) {
    io.stdout.write(`${answer.text.trim()}\n`);
    return EXIT.ok;
  }
  io.stderr.write(`gatepulse admin: HTTP ${answer.status}: ${problemWords(answer.text)}\n`);
  return answer.status < 500 ? EXIT.usage : EXIT.others;
}

/** Of a problem (RFC 9457), what is wrong and where; of anything else nothing is repeated. */
function problemWords(text: string): string {
  try {
    const { detail, errors = [] } = JSON.parse(text) as {
      detail?: string;
      errors?: readonly { detail: string; pointer: string }[];
    };
    const faults = errors.map((fault) => `${fault.pointer.slice(2)}: ${fault.detail}`);
    return faults.length > 0 ? faults.join("; ") : (detail ?? "no reason is given");
  } catch {
    return "this is not Gatepulse’s API";
  }
}
