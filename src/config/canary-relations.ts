/** What one setting of a canary means for another, judged on the input as written. Pure. */
import { isCanaryKind } from "./canary-schema.ts";
import { formatPath, type Fault, type Path } from "./faults.ts";
import { hasModel } from "./monitor-name.ts";

type Written = Readonly<Record<string, unknown>>;

/** Of one monitor; what is no canary has none, and what does not have the right shape is left to the schema. */
export function canaryFaults(path: Path, canary: Written): readonly Fault[] {
  if (!isCanaryKind(canary["kind"])) return [];
  return [
    ...(hasModel(canary["kind"]) ? bodyFaults(path, canary, canary["kind"]) : []),
    ...(canary["kind"] === "http" ? methodFaults(path, canary) : []),
    ...endFaults(path, canary),
    ...keyFaults(path, canary, canary["kind"]),
  ];
}

/** What is told apart beside the body is not left to it. */
function bodyFaults(path: Path, { body }: Written, kind: string): readonly Fault[] {
  const isStreamable = kind === "chat" || kind === "messages";
  const { model, stream } = recordOf(body);
  const at = (key: string): string => formatPath([...path, "body", key]);
  const streamMend = isStreamable ? "write stream: true beside body, not in it" : "remove it";
  return [
    ...(stream === undefined
      ? []
      : [{ path: at("stream"), problem: "is not decided by the body", mend: streamMend }]),
    ...(model === undefined || model === null
      ? []
      : [
          {
            path: at("model"),
            problem: "is not decided by the body",
            mend: "write model beside body, not in it",
          },
        ]),
  ];
}

function methodFaults(path: Path, { method, body }: Written): readonly Fault[] {
  if (method !== "GET" || body === undefined) return [];
  const where = formatPath([...path, "body"]);
  return [{ path: where, problem: "is not sent with GET", mend: 'remove it, or write method: "POST"' }];
}

function endFaults(path: Path, { pointers, stream }: Written): readonly Fault[] {
  if (recordOf(pointers)["end"] === undefined || stream === true) return [];
  const where = formatPath([...path, "pointers", "end"]);
  const problem = "is of streams, and this is none";
  return [{ path: where, problem, mend: "remove it, or write stream: true beside pointers" }];
}

/** Without a key only what is open to all answers; a key of its own that goes nowhere is a mistake. */
function keyFaults(path: Path, { headers, apiKey }: Written, kind: string): readonly Fault[] {
  const written = Object.entries(recordOf(headers));
  const usual = written.every(([name]) => name.toLowerCase() !== "authorization");
  const isNamed =
    usual || written.some(([, content]) => typeof content === "string" && content.includes("{key}"));
  if (isNamed || (kind === "http" && apiKey === undefined)) return [];
  const mend = 'name it in one, like { authorization: null, "x-api-key": "{key}" }';
  return [{ path: formatPath([...path, "headers"]), problem: "send no key", mend }];
}

function recordOf(value: unknown): Written {
  return typeof value === "object" && value !== null ? (value as Written) : {};
}
