import { expect, test } from "vitest";
import { type Child, Fragment, Html, jsx } from "../../src/http/jsx/jsx-runtime.ts";

const HOSTILE = `<img src=x onerror='1'>"&`;
const ESCAPED = "&lt;img src=x onerror=&#39;1&#39;&gt;&quot;&amp;";
const Twice = ({ children }: { children?: Child }): Html => Fragment({ children: [children, children] });

test.each<[title: string, tag: Parameters<typeof jsx>[0], props: Parameters<typeof jsx>[1], html: string]>([
  [
    "what a page shows is escaped, in text and in attributes",
    "p",
    { title: HOSTILE, children: HOSTILE },
    `<p title="${ESCAPED}">${ESCAPED}</p>`,
  ],
  [
    "markup stands as it is, and markup in markup",
    "div",
    { children: [new Html("<b>1</b>"), jsx("i", { children: 2 })] },
    "<div><b>1</b><i>2</i></div>",
  ],
  [
    "markup in an attribute is text like any other",
    "p",
    { title: new Html('"><b>') },
    '<p title="&quot;&gt;&lt;b&gt;"></p>',
  ],
  [
    "nothing is shown of null, undefined and booleans; 0 is shown",
    "p",
    { children: [null, undefined, true, false, 0, ""] },
    "<p>0</p>",
  ],
  [
    "attributes that are false or missing are left out, and true ones have no value",
    "details",
    { open: true, hidden: false, id: null, class: undefined },
    "<details open></details>",
  ],
  ["void elements have no end", "meta", { charset: "utf-8" }, '<meta charset="utf-8">'],
  ["components are called with what they are given", Twice, { children: "a<" }, "a&lt;a&lt;"],
])("%s", (_, tag, props, html) => {
  expect(jsx(tag, props).toString()).toBe(html);
});
