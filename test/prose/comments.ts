/** The comments of a program that have lines of their own. Pure. */

const COMMENT = /^\s*(?:\/\*+|\*(?!\/)|\/\/)(?<words>.*?)(?:\*\/)?\s*$/u;

/** As Markdown: each line stays where it is, and code is an empty line. */
export function commentsOf(source: string): string {
  return source
    .split("\n")
    .map((line) => COMMENT.exec(line)?.groups?.["words"]?.trim() ?? "")
    .join("\n");
}
