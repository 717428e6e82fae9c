/** A document with parts between marks: a program writes them, people write the text around them. */
import { format } from "oxfmt";

/** The document of the file with `body` between the marks of `name`, formatted. @throws if one of the marks is missing. */
export async function withMarkedPart(
  file: string,
  document: string,
  name: string,
  body: string,
): Promise<string> {
  const begin = `<!-- measured: ${name} -->`;
  const end = `<!-- end: ${name} -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to < from) throw new Error(`${file} lacks the marks of ${name}`);
  const [before, after] = [document.slice(0, from), document.slice(to + end.length)];
  const { code, errors } = await format(file, `${before}${begin}\n\n${body}\n\n${end}${after}`);
  const [error] = errors;
  if (error) throw new Error(`${file}: ${error.message}`);
  return code;
}
