/** The tools of agents (Model Context Protocol), each a request to the API. Imported when an agent first asks: the SDK is large. */
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { PROTOCOLS } from "../config/config.ts";
import type { StatusDocument } from "../history/documents.ts";
import { KINDS } from "../protocol/observation.ts";

/** Asks the API. With a body it is a POST of JSON. */
export type AskApi = (path: string, body?: object) => Promise<Response>;

type Arguments = Readonly<Record<string, string | undefined>>;

interface Tool {
  readonly about: string;
  /** The description of each argument, or the words that it may be. */
  readonly takes: Readonly<Record<string, string | readonly string[]>>;
  readonly required?: readonly string[];
  readonly ask: (given: Arguments, api: AskApi) => Promise<Response>;
  /** What an agent needs of the answer. Default: all of it. */
  readonly pick?: (answer: never, given: Arguments) => unknown;
}

const GATEWAY = "The id of a gateway, as status lists it.";
const MONITOR = "The id of a monitor, as status lists it, such as acme/models.";
const INCIDENT = "The id of an incident.";
const SUBJECT = "The id of a gateway, such as acme, or of a monitor, such as acme/models.";
const FOR = "How long, such as 2h. Default: without an end.";
const BY = "Who asks, for the timeline, which is public.";

const READS: Readonly<Record<string, Tool>> = {
  status: {
    about:
      "How the gateways are now: what fails, why, whose turn it is, and when to try again. Names what does not work; with a gateway, all that is known of it.",
    takes: { gateway: GATEWAY },
    ask: (_, api) => api("/api/v1/status"),
    pick: statusFor,
  },
  incidents: {
    about: "Incidents, the newest first: open ones and those that are over.",
    takes: { before: "An instant (RFC 3339): older ones, the next page." },
    ask: ({ before }, api) => api(`/api/v1/incidents${queryOf({ before })}`),
  },
  incident: {
    about: "One incident, with its timeline and notes.",
    takes: { id: INCIDENT },
    required: ["id"],
    ask: ({ id }, api) => api(`/api/v1/incidents/${segment(id)}`),
  },
  report: {
    about: "The report of a failure, to send to the gateway's support. Its text has no secrets.",
    takes: { id: "The id of a report, as incidents and monitors name it." },
    required: ["id"],
    ask: ({ id }, api) => api(`/api/v1/reports/${segment(id)}`),
  },
  history: {
    about:
      "What was measured of a monitor: health, cause and latency by probe, hour or day. Default: the last day.",
    takes: {
      monitor: MONITOR,
      from: "A date or instant.",
      to: "A date or instant.",
      step: ["probe", "1h", "1d"],
    },
    required: ["monitor"],
    ask: ({ monitor = "", ...query }, api) => {
      const [gateway, own] = monitor.split("/");
      return api(`/api/v1/gateways/${segment(gateway)}/monitors/${segment(own)}/history${queryOf(query)}`);
    },
  },
  route: {
    about: "Which gateways serve a model now, the best first, and why.",
    takes: { model: "The id of a model, such as gpt-4o.", protocol: PROTOCOLS },
    required: ["model"],
    ask: (query, api) => api(`/api/v1/route${queryOf(query)}`),
  },
  explain: {
    about:
      "What an answer of a gateway means: the cause, whose turn it is, what to do, and whether a program may retry. Takes any text, such as the output of curl -i, an error of an SDK, or a body. Nothing is stored.",
    takes: { text: "The answer, as it was seen.", kind: KINDS, operator: ["us", "them"] },
    required: ["text"],
    ask: (given, api) => api("/api/v1/explain", given),
  },
};

/** Only with the administrator's token. */
const ACTS: Readonly<Record<string, Tool>> = {
  acknowledge: act(
    "Acknowledges an incident: reminders stop.",
    { incident: INCIDENT, by: BY },
    "acknowledge",
  ),
  silence: act(
    "Silences an incident: only its end is sent.",
    { incident: INCIDENT, for: FOR, by: BY },
    "silence",
  ),
  note: act("Adds a public note to an incident.", { incident: INCIDENT, text: "What it says." }, "notes"),
  check: act("Checks a gateway or a monitor with the next tick.", { subject: SUBJECT, by: BY }, "probe"),
  pause: act("Pauses a gateway or a monitor.", { subject: SUBJECT, for: FOR, by: BY }, "pause"),
  resume: act("Ends a pause.", { subject: SUBJECT, by: BY }, "resume"),
};

/** The first argument names what it is about; the others are its body. */
function act(about: string, takes: Tool["takes"], verb: string): Tool {
  const [first = ""] = Object.keys(takes);
  return {
    about,
    takes,
    required: Object.keys(takes).filter((name) => name !== "for" && name !== "by"),
    ask: ({ [first]: subject = "", ...body }, api) => {
      const [gateway, monitor] = subject.split("/").map(segment);
      const of = monitor === undefined ? `gateways/${gateway}` : `gateways/${gateway}/monitors/${monitor}`;
      return api(
        `/api/v1/admin/${first === "incident" ? `incidents/${segment(subject)}` : of}/${verb}`,
        body,
      );
    },
  };
}

function segment(text = ""): string {
  // A path would climb by these.
  return encodeURIComponent(/^\.\.?$/.test(text) ? "-" : text);
}

function queryOf(given: Arguments): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** The whole document has 90 days of each monitor: too much for an agent that asks what fails. */
function statusFor({ gateways, ...status }: StatusDocument, { gateway }: Arguments): unknown {
  if (gateway !== undefined)
    return gateways.find(({ id }) => id === gateway) ?? { problem: "no such gateway" };
  return {
    ...status,
    gateways: gateways.map(({ id, name, status: health, monitors }) => ({
      id,
      name,
      status: health,
      monitors: monitors.map(({ id: monitor }) => monitor),
      failing: monitors
        .filter((one) => one.diagnosis !== null && one.status !== "up")
        .map((one) => ({ id: one.id, status: one.status, since: one.since, diagnosis: one.diagnosis })),
    })),
  };
}

export interface Setting {
  readonly api: AskApi;
  /** May the agent act too? */
  readonly isAdministrator: boolean;
  /** What the site leaves out. */
  readonly without: readonly string[];
  readonly version: string;
}

export function serverOf({ api, isAdministrator, without, version }: Setting): McpServer {
  const server = new McpServer({ name: "gatepulse", title: "Gatepulse", version });
  const tools = Object.entries({ ...READS, ...(isAdministrator && ACTS) });
  for (const [name, { about, takes, required = [], ask, pick }] of tools) {
    if (without.includes(name)) continue;
    const properties = Object.fromEntries(
      Object.entries(takes).map(([key, of]) => [
        key,
        typeof of === "string"
          ? { type: "string" as const, description: of }
          : { type: "string" as const, enum: [...of] },
      ]),
    );
    const inputSchema = fromJsonSchema<Arguments>({
      type: "object",
      properties,
      required: [...required],
      additionalProperties: false,
    });
    const annotations = { readOnlyHint: Object.hasOwn(READS, name), openWorldHint: false };
    server.registerTool(name, { description: about, inputSchema, annotations }, async (given) => {
      const answer = await ask(given, api);
      const text = await answer.text();
      const isPicked = answer.ok && pick !== undefined;
      const shown = isPicked ? JSON.stringify(pick(JSON.parse(text) as never, given)) : text;
      return { content: [{ type: "text", text: shown }], isError: !answer.ok };
    });
  }
  return server;
}

/** Streamable HTTP, without sessions. */
export async function answerMcp(request: Request, server: () => McpServer): Promise<Response> {
  return createMcpHandler(server).fetch(request);
}
