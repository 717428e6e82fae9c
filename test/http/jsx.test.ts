import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Child, Fragment, Html, jsx } from "../../src/http/jsx/jsx-runtime.ts";

const html = (tag: Parameters<typeof jsx>[0], props: Parameters<typeof jsx>[1]): string =>
  jsx(tag, props).toString();

test("what a page shows is escaped, in text and in attributes", () => {
  const hostile = `<img src=x onerror='1'>"&`;
  expect(html("p", { title: hostile, children: hostile })).toBe(
    '<p title="&lt;img src=x onerror=&#39;1&#39;&gt;&quot;&amp;">&lt;img src=x onerror=&#39;1&#39;&gt;&quot;&amp;</p>',
  );
});

test("no text breaks out of its place", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(html("p", { title: text, children: text })).toMatch(/^<p title="[^"<>]*">[^<>]*<\/p>$/u);
    }),
  );
});

describe("markup", () => {
  test("markup stands as it is, and markup in markup", () => {
    expect(html("div", { children: [new Html("<b>1</b>"), jsx("i", { children: 2 })] })).toBe(
      "<div><b>1</b><i>2</i></div>",
    );
  });

  test("markup in an attribute is text like any other", () => {
    expect(html("p", { title: new Html('"><b>') })).toBe('<p title="&quot;&gt;&lt;b&gt;"></p>');
  });

  test("nothing is shown of null, undefined and booleans; 0 is shown", () => {
    expect(html("p", { children: [null, undefined, true, false, 0, ""] })).toBe("<p>0</p>");
  });

  test("attributes that are false or missing are left out, and true ones bear no value", () => {
    expect(html("details", { open: true, hidden: false, id: null, class: undefined })).toBe(
      "<details open></details>",
    );
  });

  test("void elements have no end", () => {
    expect(html("meta", { charset: "utf-8" })).toBe('<meta charset="utf-8">');
  });

  test("components are called with what they are given", () => {
    const Twice = ({ children }: { children?: Child }): Html => Fragment({ children: [children, children] });
    expect(html(Twice as never, { children: "a<" })).toBe("a&lt;a&lt;");
  });
});
