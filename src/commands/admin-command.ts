/** `gatepulse admin`: what an administrator may ask of a running Gatepulse, from this machine (docs/admin.md). */
import { spokenLanguage, t } from "../config/spoken.ts";
import {
  adminTokenIn,
  Refusal,
  siteAt,
  EXIT,
  command,
  flag,
  option,
  type CommandLine,
} from "../cli/command.ts";

const OPTIONS = {
  url: option("ADDRESS", t`the address of the status page (default GATEPULSE_URL)`),
  by: option("NAME", t`your name, for the timeline; it is public`),
  for: option("LENGTH", t`how long, like 2h: of silence, pause, plan, announce and update`),
  until: option("INSTANT", t`instead of --for, but not of plan; without both there is no end`),
  from: option("INSTANT", t`when maintenance begins (default now)`),
  to: option("INSTANT", t`when it ends, instead of --for`),
  title: option("TEXT", t`of maintenance; it is public`),
  kind: option("KIND", t`of announce: announcement (default) or incident`),
  status: option("STATUS", t`of an incident: investigating, identified, monitoring or resolved`),
  private: flag(t`only administrators see the note`),
};

type Line = CommandLine<typeof OPTIONS>;

interface Call {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `/api/v1/admin/`. */
  readonly path: string;
  /** What is undefined is left out of the JSON. */
  readonly body?: object;
}

/** What `url` and `private` leave: the server says what of it is not for its verb. */
type Said = Omit<Line["values"], "url" | "private">;

interface Verb {
  /** How many words follow it. */
  readonly least: number;
  readonly most: number;
  readonly callOf: (named: readonly string[], said: Said, isPrivate: boolean) => Call;
}

function verb(least: number, most: number, callOf: Verb["callOf"]): Verb {
  return { least, most, callOf };
}

/** Of an incident, a gateway or a monitor. */
function deed(name: string): Verb {
  return verb(1, 1, ([subject = ""], said) => post(`${placeOf(subject)}/${name}`, said));
}

const VERBS: Readonly<Record<string, Verb>> = {
  show: verb(1, 1, ([subject = ""]) => ({ method: "GET", path: placeOf(subject) })),
  acknowledge: deed("acknowledge"),
  silence: deed("silence"),
  check: deed("probe"),
  pause: deed("pause"),
  resume: deed("resume"),
  note: verb(2, 2, ([incident = "", text], _, isPrivate) =>
    post(`${placeOf(incident)}/notes`, { text, public: !isPrivate }),
  ),
  "delete-note": verb(2, 2, ([incident = "", at = ""]) => ({
    method: "DELETE",
    path: `${placeOf(incident)}/notes/${encodeURI(at)}`,
  })),
  announcements: verb(0, 0, () => ({ method: "GET", path: "announcements" })),
  announce: verb(2, Infinity, ([title, body, ...gateways], said) =>
    post("announcements", { ...said, title, body, ...(gateways.length > 0 && { gateways }) }),
  ),
  update: verb(2, 2, ([id = "", body], said) =>
    post(`announcements/${encodeURIComponent(id)}`, { ...said, body }),
  ),
  "delete-announcement": verb(1, 1, ([id = ""]) => ({
    method: "DELETE",
    path: `announcements/${encodeURIComponent(id)}`,
  })),
  plan: verb(0, Infinity, (gateways, said) =>
    post("maintenance", { ...said, ...(gateways.length > 0 && { gateways }) }),
  ),
};

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
  const { positionals, values, io } = line;
  const { url, private: isPrivate = false, ...said } = values;
  const [name = "", ...named] = positionals;
  const known = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (known === undefined) throw new Refusal(t`write one of: ${Object.keys(VERBS).join(", ")}`);
  if (named.includes("")) throw new Refusal(t`${name} is followed by an empty word`);
  if (named.length < known.least || named.length > known.most)
    throw new Refusal(t`${name} is followed by something else`);
  const call = known.callOf(named, said, isPrivate);
  const site = siteAt(url ?? io.env["GATEPULSE_URL"], t`--url or GATEPULSE_URL`);
  return send(line, `${site}/api/v1/admin/${call.path}`, adminTokenIn(io.env), call);
});

async function send({ io }: Line, url: string, token: string, { method, body }: Call) {
  const asked = fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      "accept-language": spokenLanguage(),
    },
    redirect: "manual",
    signal: AbortSignal.timeout(LONGEST_MS),
    body: body === undefined ? null : JSON.stringify(body),
  });
  const answer = await asked
    .then(async (got) => ({ status: got.status, text: await got.text() }))
    .catch(() => null);
  if (answer === null) {
    io.stderr.write(t`gatepulse admin: nobody answers at that address\n`);
    return EXIT.others;
  }
  if (answer.status === 200) {
    io.stdout.write(`${answer.text.trim()}\n`);
    return EXIT.ok;
  }
  io.stderr.write(t`gatepulse admin: HTTP ${answer.status}: ${problemWords(answer.text)}\n`);
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
    return faults.length > 0 ? faults.join("; ") : (detail ?? t`no reason is given`);
  } catch {
    return t`this is not Gatepulse’s API`;
  }
}
