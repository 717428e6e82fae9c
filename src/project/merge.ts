/** Brings the changes of a new version into files that their user has edited. Pure. */
import { diff3Merge, diffIndices } from "node-diff3";

/** Null: both changed the same lines. The line ends are those of `mine`. */
export function mergeText(mine: string, base: string, next: string): string | null {
  const [own, before, after] = [mine, base, next].map((text) => linesOf(text, mine)) as [
    string[],
    string[],
    string[],
  ];
  const regions = diff3Merge(own, before, after, { excludeFalseConflicts: true });
  const merged = regions.map(({ ok }) => ok ?? null);
  return merged.includes(null) ? null : merged.flatMap((lines) => lines ?? []).join("");
}

/** The lines that are not there yet come after the others. */
export function withLines(text: string, lines: readonly string[]): string {
  const known = new Set(["", ...text.split(/\r?\n/)]);
  const missing = lines.filter((line) => !known.has(line)).map((line) => `${line}\n`);
  const isEnded = missing.length === 0 || text === "" || text.endsWith("\n");
  return `${text}${isEnded ? "" : "\n"}${missing.join("")}`;
}

/** The lines that go and those that come, each after its sign. */
export function changedLines(before: string, after: string): readonly string[] {
  const signed = (sign: string, lines: readonly string[]) =>
    lines.map((line) => `${sign} ${line.replace(/\r?\n$/, "")}`);
  return diffIndices(linesOf(before, after), linesOf(after, after)).flatMap(
    ({ buffer1Content, buffer2Content }) => signed("-", buffer1Content).concat(signed("+", buffer2Content)),
  );
}

/** Each with its end, as `like` ends its lines. */
function linesOf(text: string, like: string): string[] {
  const plain = text.replaceAll("\r\n", "\n");
  const ended = like.includes("\r\n") ? plain.replaceAll("\n", "\r\n") : plain;
  return ended.split(/(?<=\n)/);
}
