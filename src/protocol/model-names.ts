/** Whether the model that an answer names is the one that was requested. Only what its name shows is judged. Pure. */
import KNOWN from "./model-names.json" with { type: "json" };

/** `unknown`: no name of a known family, or nothing that tells the two apart for sure. It is never judged. */
export type Sameness = "same" | "different" | "unknown";

/** One good answer that names another model may come from a route that stood in for a moment. */
export const OTHERS_IN_A_ROW = 3;

/** @param accept globs that the configuration takes for the requested model. */
export function compareModels(requested: string, served: string, accept: readonly string[]): Sameness {
  const [asked, told] = [plainName(requested), plainName(served)];
  if (accept.some((glob) => isMatch(served, glob) || isMatch(told, glob))) return "same";
  const [wanted, found] = [readName(asked), readName(told)];
  if (wanted.base === found.base) return isOneDate(wanted, found) ? "same" : "unknown";
  if (isAlias(asked, told) || isAlias(told, asked)) return "same";
  if (wanted.family === null || found.family === null) return "unknown";
  if (wanted.family !== found.family) return "different";
  const hasVersions = wanted.version !== "" && found.version !== "";
  if (hasVersions && wanted.version !== found.version) return "different";
  if (wanted.size !== "" && found.size !== "" && wanted.size !== found.size) return "different";
  const areSaid = wanted.words !== "" && found.words !== "";
  return wanted.words !== found.words && (hasVersions || areSaid) ? "different" : "unknown";
}

function isMatch(name: string, glob: string): boolean {
  const parts = glob.split("*").map((part) => part.replaceAll(/\W/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "i").test(name);
}

function isAlias(alias: string, meant: string): boolean {
  return KNOWN.aliases.some(
    ({ name, means }) => isMatch(alias, name) && means.some((one) => isMatch(meant, one)),
  );
}

/** In lower case, without a vendor's path (`accounts/fireworks/models/`) or what Bedrock adds (`us.anthropic.…-20241022-v2:0`). */
function plainName(name: string): string {
  const last = name.toLowerCase().trim().split("/").at(-1) ?? "";
  const own = last.replace(/^(?:[a-z-]{2,6}\.)?[a-z0-9]{2,12}\.(?=[a-z]{3})/, "");
  return own.replace(own === last ? /-v\d+:\d+$/ : /-v\d+(?::\d+)?$/, "");
}

/** With the words that name another model of the family. */
const FAMILIES: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(KNOWN.families));

interface ModelName {
  /** Without dates, `latest` and `free`. Names with the same base are the same model. */
  readonly base: string;
  readonly date: string;
  readonly family: string | null;
  readonly version: string;
  /** Of its parameters: `70b`, `8x7b`; empty: not said. */
  readonly size: string;
  readonly words: string;
}

/** `-2024-08-06`, `@20241022`, `-05-20`, `-0613`, `-2411`, `-08-2024`, `-250115`, and Google's `-001`. */
const DATE =
  /[-@](20\d\d-\d\d-\d\d|20\d{6}|2\d[01]\d[0-3]\d|[01]\d-20\d\d|[01]\d-[0-3]\d|[01]\d[0-3]\d|2[3-9][01]\d|00\d)(?=-|$)/;

function readName(plain: string): ModelName {
  const name = plain.replaceAll(/[._:]/g, "-");
  const date = DATE.exec(name)?.[1] ?? "";
  const parts = name
    .replace(DATE, "")
    .split("-")
    .filter((part) => part !== "" && part !== "latest" && part !== "free")
    .flatMap(splitFamily);
  const family = parts.find((part) => FAMILIES.has(part)) ?? null;
  // Some gateways put the vendor before it, which may have the same name.
  const rest =
    family === null ? parts : parts.slice(parts.indexOf(family) + 1).filter((part) => part !== family);
  const known = FAMILIES.get(family ?? "") ?? [];
  const versions = rest.flatMap((part) => /^[vkmr]?(\d{1,2}[onv]?)$/.exec(part)?.[1] ?? []);
  return {
    base: [family, ...rest].join("-"),
    date: date.replaceAll("-", ""),
    family,
    version: versions.filter((part, index) => index === 0 || part !== "0").join("."),
    size: rest.filter((part) => /^(?:\d+x)?\d+b$/.test(part)).join("-"),
    words: rest
      .filter((part) => known.includes(part))
      .toSorted()
      .join("-"),
  };
}

/** `llama3` and `qwen2` as `llama-3` and `qwen-2`; `o3` is a family with its version. */
function splitFamily(part: string): readonly string[] {
  const [, family = "", version = ""] = /^([a-z]+)(\d.*)$/.exec(part) ?? [];
  return FAMILIES.has(family) ? [family, version] : [part];
}

function isOneDate(one: ModelName, other: ModelName): boolean {
  return one.date === other.date || one.date === "" || other.date === "";
}
