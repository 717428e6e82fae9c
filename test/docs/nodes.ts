/** The parts of a Markdown document, and where it points to. */
import { type Node, Parser } from "commonmark";

export function nodesOf(text: string): readonly Node[] {
  return within(new Parser().parse(text));
}

/** The node, and all that is in it. */
export function within(node: Node): Node[] {
  const walker = node.walker();
  const nodes: Node[] = [];
  for (let step = walker.next(); step !== null; step = walker.next()) {
    if (step.entering) nodes.push(step.node);
  }
  return nodes;
}

/** Of links and images, also those of HTML in it. */
export function linksOf(text: string): readonly string[] {
  return nodesOf(text).flatMap((node) => {
    if (node.type === "link" || node.type === "image") return [node.destination ?? ""];
    if (!node.type.startsWith("html")) return [];
    return [...(node.literal ?? "").matchAll(/\b(?:href|src|srcset)="([^"]*)"/gu)].map(
      ([, link = ""]) => link,
    );
  });
}

/** Not on another host. */
export function isOfRepository(link: string): boolean {
  return !/^(?:[a-z]+:|\/\/)/u.test(link);
}
