/** Renders JSX to text and escapes every value (HTML, 13.1 and 13.3). Pure. hono/jsx would be a twentieth of the Worker. */
import type { JSX as HonoJsx } from "hono/jsx";

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

export type Child = Html | string | number | boolean | null | undefined | readonly Child[];

export declare namespace JSX {
  type Element = Html;
  interface ElementChildrenAttribute {
    children: unknown;
  }
  type IntrinsicElements = {
    [Tag in keyof HonoJsx.IntrinsicElements]: Omit<HonoJsx.IntrinsicElements[Tag], "children"> & {
      readonly children?: Child;
    };
  } & Readonly<Record<"svg" | "path" | "g" | "title", Readonly<Record<string, unknown>>>>;
}

type Attribute = string | number | boolean | null | undefined;

interface Props {
  readonly children?: Child;
  readonly [name: string]: Attribute | Child;
}

type Component = (props: never) => Html;

export function jsx(tag: string | Component, props: Props): Html {
  if (typeof tag === "function") return tag(props as never);
  let open = `<${tag}`;
  for (const name in props) if (name !== "children") open += attribute(name, props[name]);
  return new Html(VOID.has(tag) ? `${open}>` : `${open}>${htmlOf(props.children)}</${tag}>`);
}

/** The name that the compiler uses for elements with several children. */
export { jsx as jsxs };

export function Fragment({ children }: Props): Html {
  return new Html(htmlOf(children));
}

function attribute(name: string, value: Attribute | Child): string {
  if (value === true) return ` ${name}`;
  return value === false || value === null || value === undefined
    ? ""
    : ` ${name}="${escaped(String(value))}"`;
}

export function htmlOf(child: Child): string {
  if (typeof child === "string") return escaped(child);
  if (child === null || child === undefined || typeof child === "boolean") return "";
  if (child instanceof Html) return child.text;
  if (typeof child === "number") return String(child);
  let text = "";
  for (const part of child) text += htmlOf(part);
  return text;
}

const VOID: ReadonlySet<string> = new Set(["base", "br", "hr", "img", "input", "link", "meta"]);

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const SPECIAL = /[&<>"']/;

function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign) : text;
}
